// The facts that a verdict is decided by: who could have looked, what it asked for, what changed, what ran then.
import type {Ref} from '@krtscope/shared/run.ts';
import type {Clause as Row} from '@krtscope/shared/why.ts';
import {type Evaluated, evaluate} from './clauses.ts';
import type {Reader} from './reads.ts';
import type {RecordedChange, RecordedFetch, RecordedRun, Records} from './records.ts';
import {type Subject, subjectOf} from './subject.ts';

/** Items of an index row that are looked at for one that reads what was expected. */
const MEMBERS = 200;

/** The item whose formula could have looked, with all that decides. */
export interface Case {
  readonly records: Records;
  readonly reader: Reader;
  readonly asked: Subject;
  readonly expected: Ref;
  readonly at: number | undefined;
  /** The item itself or the one above it, along primary inputs, that reads the expected collection. */
  readonly looker: Subject;
  readonly input: string;
  /** The expected one is the looker's own primary input. */
  readonly primary: boolean;
  readonly run: RecordedRun | undefined;
  readonly fetches: readonly RecordedFetch[];
  readonly change: RecordedChange | undefined;
  /** The run in the batch of the expected one's last change. */
  readonly reaction: RecordedRun | undefined;
  readonly best: Try | undefined;
  /** The asked row is gone, and with it the input that it came from: nothing runs for it any more. */
  readonly gone: boolean;
  /** Rows of an index: how many items are in it, if the expected one is none of them. */
  readonly strangers: number | undefined;
}

export interface Try {
  readonly fetch: RecordedFetch;
  readonly tried: Evaluated;
}

function looksAt(records: Records, subject: Subject, input: string, expected: string, at?: number): boolean {
  if (subject.facts.parents.includes(expected)) return true;
  return records.dependenciesOf(subject.collection, input, at).some(d => d.collection === expected);
}

interface Looker {
  readonly subject: Subject;
  readonly input: string;
}

/** The input that is asked about: of the many in a row of an index the one that the expected item is. */
function inputOf(records: Records, subject: Subject, expected: Ref, at?: number): string {
  if (subject.facts.kind !== 'index') {
    return subject.input ?? records.inputsOf(subject.collection, subject.key, at)[0] ?? subject.key;
  }
  const inputs = records.inputsOf(subject.collection, subject.key, at);
  if (inputs.includes(expected.key)) return expected.key;
  const parent = subject.facts.parents[0] ?? subject.collection;
  const reads = (member: string): boolean => {
    const run = records.lastRun(parent, records.inputsOf(parent, member, at)[0] ?? member, at);
    return !!run?.fetches.some(f => f.collection === expected.collection && f.keys.includes(expected.key));
  };
  return inputs.slice(0, MEMBERS).find(reads) ?? inputs[0] ?? subject.key;
}

/** Walks up the primary inputs to the first item that reads the expected collection at all; else the item itself. */
function lookerOf(records: Records, asked: Subject, expected: Ref, at?: number): Looker {
  let subject = asked;
  let input = inputOf(records, asked, expected, at);
  const own = {subject, input};
  for (let steps = 0; steps < 20; steps++) {
    if (looksAt(records, subject, input, expected.collection, at)) return {subject, input};
    const parent = subject.facts.parents.find(p => records.has(p, input, at));
    if (parent === undefined || parent === subject.collection) return own;
    subject = subjectOf(records, {collection: parent, key: input, at});
    input = inputOf(records, subject, expected, at);
    if (subject.facts.parents.length === 0) return own;
  }
  return own;
}

/** The run whose fetch is looked at, and the moment. */
export interface Looking {
  readonly run: RecordedRun | undefined;
  readonly at: number | undefined;
}

/** Tries a filter on two versions of an object; the engine's own word counts where the run can be repeated. */
export function tryFetch(
  reader: Reader,
  {run}: Pick<Looking, 'run'>,
  fetch: RecordedFetch,
  key: string,
  old: unknown,
  now: unknown,
): Evaluated {
  const version = (value: unknown) =>
    value === undefined ? undefined : {key, value, tested: reader.test(run, fetch, key, value)};
  const complete = fetch.matched <= fetch.keys.length;
  return evaluate(fetch.clauses, version(old), version(now), new Set(fetch.keys), complete);
}

/** The fetch that came nearest to the expected one. */
function bestTry(
  reader: Reader,
  looker: Looking,
  fetches: readonly RecordedFetch[],
  change: RecordedChange | undefined,
  key: string,
  value: unknown,
): Try | undefined {
  const score = (t: Evaluated): number => (t.matchesNew ? -2 : t.matchesOld ? -1 : t.failing);
  let best: Try | undefined;
  for (const fetch of fetches) {
    const tried = tryFetch(reader, looker, fetch, key, change?.old, change ? change.new : value);
    if (!best || score(tried) < score(best.tried)) best = {fetch, tried};
  }
  return best;
}

/** A run of the same batch may have had other causes: only one that the expected one is a cause of is a reaction. */
function causedBy(run: RecordedRun | undefined, expected: Ref): RecordedRun | undefined {
  return run?.causes.some(c => c.collection === expected.collection && c.key === expected.key)
    ? run
    : undefined;
}

export function caseOf(records: Records, reader: Reader, asked: Subject, expected: Ref, at?: number): Case {
  const {subject: looker, input} = lookerOf(records, asked, expected, at);
  const primary = looker.facts.parents.includes(expected.collection) && input === expected.key;
  const run = records.lastRun(looker.collection, input, at);
  const change = records.lastChange(expected.collection, expected.key, at);
  const mark =
    change && records.runsOf(looker.collection, input, at).find(m => m.sequence === change.sequence);
  // What it holds now decides what wakes it; fetches of the last run carry what they found as well.
  const fetches = (run?.fetches ?? []).filter(f => f.collection === expected.collection);
  const by = {run, at};
  const members =
    asked.facts.kind === 'index' && looker.collection !== asked.collection
      ? records.inputsOf(asked.collection, asked.key, at)
      : [];
  return {
    records,
    reader,
    asked,
    expected,
    at,
    looker,
    input,
    primary,
    run,
    fetches,
    change,
    reaction: mark ? causedBy(records.runById(mark.id), expected) : undefined,
    best: bestTry(
      reader,
      by,
      fetches,
      change,
      expected.key,
      records.value(expected.collection, expected.key, at),
    ),
    gone: asked.state === 'gone' && !records.hasInput(looker.collection, input, at),
    strangers: members.length > 0 && !members.includes(expected.key) ? members.length : undefined,
  };
}

/** The clause that the newest version fails. */
export const failingRow = (c: Case): Row | undefined =>
  c.best?.tried.rows.find(r => r.matchesNew === false || (r.new === undefined && r.matchesOld === false));

/** Earlier versions that are tried to find when an object stopped matching. */
const VERSIONS = 50;

/** The change by which the expected one stopped matching a filter, as far back as the recording goes. */
export function lastMatch(c: Case, fetch: RecordedFetch): RecordedChange | undefined {
  // Without the engine's own word a function is judged by what the fetch found, whatever the version.
  const opaque = fetch.clauses.some(clause => clause.kind === 'index' || clause.kind === 'generic');
  if (opaque && (!c.run || c.reader.repeat(c.run).faith.repeat !== 'same')) return undefined;
  const {collection, key} = c.expected;
  let {change} = c;
  for (let steps = 0; change?.event === 'update' && change.old !== undefined && steps < VERSIONS; steps++) {
    const tried = tryFetch(c.reader, c, fetch, key, change.old, change.new);
    if (tried.matchesOld) return tried.matchesNew ? undefined : change;
    if (change.sequence - 1 < c.records.oldest()) return undefined;
    change = c.records.lastChange(collection, key, change.sequence - 1);
  }
  return undefined;
}
