// Finds the subject of a question: an output, an input without one, a source object, or a deleted row.

import {
  type CollectionFacts,
  type RecordedChange,
  type RecordedRun,
  type Records,
  RolledOff,
  Unanswerable,
} from '../records.ts';
import {countWords} from '../wording/value-words.ts';
import {nearestName} from './edit-distance.ts';

export interface QuestionSubject {
  readonly facts: CollectionFacts;
  readonly collection: string;
  /** The key of the output, or of an input without one. */
  readonly key: string;
  /** `view`: a join, map or index, which has no runs. */
  readonly state: 'source' | 'output' | 'input' | 'view' | 'gone';
  /** The input whose runs explain it. */
  readonly input: string | undefined;
  readonly run: RecordedRun | undefined;
  /** Later runs that changed nothing. */
  readonly equalSince: number;
  /** Its last change, which explains a source, a view or a deleted row. */
  readonly change: RecordedChange | undefined;
}

export interface ItemQuestion {
  readonly collection: string;
  readonly key: string;
  readonly input?: boolean | undefined;
  /** An id, or `latest`; absent: the last run that changed something. */
  readonly run?: string | undefined;
  readonly at?: number | undefined;
}

/** Throws Unanswerable with the nearest name for an unknown collection. */
export function factsOf(records: Records, name: string, at?: number): CollectionFacts {
  const facts = records.collection(name, at);
  if (facts) return facts;
  const names = records.collections(at).map(c => c.name);
  const near = nearestName(name, names);
  throw new Unanswerable(
    'unknown-collection',
    `there is no collection "${name}"`,
    `${near ? `did you mean ${near}? ` : ''}There are: ${names.join(', ')}`,
  );
}

function unknownKey(records: Records, collection: string, key: string, at?: number): Unanswerable {
  const size = records.size(collection, at);
  if (records.has(collection, key, at))
    return new Unanswerable(
      'unknown-key',
      `${collection} has an item "${key}", and no input of that key`,
      'leave input= out to ask about the item',
    );
  const near = size <= 20_000 ? nearestName(key, records.keys(collection, at)) : undefined;
  return new Unanswerable(
    'unknown-key',
    `${collection} has no item and no input "${key}", and the recording has none that is gone`,
    near
      ? `did you mean ${near}?`
      : `${collection} holds ${countWords(size, 'item')}; search finds rows by any part of their value`,
  );
}

/** For a given run: its output of that key, else its input. */
function subjectOfRun(records: Records, asked: ItemQuestion, facts: CollectionFacts): QuestionSubject {
  const run = records.runById(asked.run!);
  if (!run) {
    const sequence = Number.parseInt(asked.run!, 10);
    if (sequence < records.oldest()) throw new RolledOff(sequence, records.oldest());
    throw new Unanswerable(
      'not-found',
      `there is no run #${asked.run}`,
      'run ids are <sequence>.<position>, as in the trace',
    );
  }
  if (run.collection !== facts.name) {
    throw new Unanswerable(
      'bad-query',
      `run #${run.id} is one of ${run.collection}, not of ${facts.name}`,
      'ask for that collection',
    );
  }
  const output = run.outputs.some(o => o.key === asked.key);
  return {
    facts,
    collection: facts.name,
    key: output ? asked.key : run.input,
    state: output ? 'output' : 'input',
    input: run.input,
    run,
    equalSince: 0,
    change: undefined,
  };
}

/** The change that deleted a row, or the input of a row that never existed. */
function removalOf(
  records: Records,
  facts: CollectionFacts,
  key: string,
  at?: number,
): Pick<QuestionSubject, 'input' | 'change'> | undefined {
  const change = records.lastChange(facts.name, key, at);
  if (change?.event === 'delete') {
    const run = change.run === undefined ? undefined : records.runById(change.run);
    const from = change.from?.[0];
    const below = from === undefined ? undefined : records.batch(change.sequence)?.change(from);
    const input = below && facts.parents.includes(below.collection) ? below.key : undefined;
    return {input: run?.input ?? input, change};
  }
  if (!records.lastRun(facts.name, key, at)) return undefined;
  const removal = facts.parents.map(p => records.lastChange(p, key, at)).find(c => c?.event === 'delete');
  return removal && {input: key, change: removal};
}

/** Throws for a moment that is no longer kept, and for one in the future. */
function checkMoment(records: Records, at: number | undefined): void {
  if (at === undefined) return;
  if (at < records.oldest()) throw new RolledOff(at, records.oldest());
  if (at > records.newest())
    throw new Unanswerable(
      'bad-query',
      `sequence ${at} has not happened yet`,
      `the newest one is ${records.newest()}; leave at= out for now`,
    );
}

/** Computed without a parent collection: one run makes all rows. */
export function isFromNothing({kind, parents}: CollectionFacts): boolean {
  return parents.length === 0 && (kind === 'singleton' || kind === 'many' || kind === 'derived');
}

/** Throws RolledOff and Unanswerable. */
export function subjectOf(records: Records, asked: ItemQuestion): QuestionSubject {
  const {at} = asked;
  checkMoment(records, at);
  const facts = factsOf(records, asked.collection, at);
  if (asked.run !== undefined && asked.run !== 'latest') return subjectOfRun(records, asked, facts);
  const {collection} = asked;
  // A collection without a parent has one input with an empty key, also before its first row.
  const nameless = isFromNothing(facts) && !records.has(collection, asked.key, at);
  const key = nameless && records.hasInput(collection, '', at) ? '' : asked.key;
  const base = {facts, collection, key};
  if (!asked.input && records.has(collection, key, at)) {
    const change = records.lastChange(collection, key, at);
    if (facts.parents.length === 0 && !isFromNothing(facts))
      return {...base, state: 'source', input: undefined, run: undefined, equalSince: 0, change};
    const input = records.inputsOf(collection, key, at)[0];
    const told = input === undefined ? undefined : runToExplain(records, asked, collection, input, key);
    if (told) return {...base, state: 'output', input, ...told, change};
    return {...base, state: 'view', input, run: undefined, equalSince: 0, change};
  }
  if (records.hasInput(collection, key, at)) {
    const told = runToExplain(records, asked, collection, key, undefined);
    return {
      ...base,
      state: 'input',
      input: key,
      ...(told ?? {run: undefined, equalSince: 0}),
      change: undefined,
    };
  }
  const gone = removalOf(records, facts, key, at);
  if (gone) return {...base, state: 'gone', run: undefined, equalSince: 0, ...gone};
  throw unknownKey(records, collection, key, at);
}

/** The last run that changed something, else the last run. */
function runToExplain(
  records: Records,
  {run, at}: ItemQuestion,
  collection: string,
  input: string,
  key: string | undefined,
): {run: RecordedRun; equalSince: number} | undefined {
  const told = run === 'latest' ? undefined : records.tellingRun(collection, input, key, at);
  if (told) return {run: told.run, equalSince: told.since};
  const last = records.lastRun(collection, input, at);
  return last && {run: last, equalSince: 0};
}
