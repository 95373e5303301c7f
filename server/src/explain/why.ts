// Why an item is as it is: one sentence, the chain back to the write, the effects forward, and what else was in the batch.
import type {Run} from '@krtscope/shared/run.ts';
import type {Hop, Part, PathChange, Why} from '@krtscope/shared/why.ts';
import type {Outcome} from '@krtscope/shared/words.ts';
import {blastOf} from './blast.ts';
import {
  chainBelowChange,
  chainBelowRun,
  changeHop,
  mainCause,
  ownOutcome,
  placeOfHop,
  runHop,
  statusRun,
} from './chain.ts';
import {effectsOfChange, effectsOfRun} from './effects.ts';
import {type Reader, reads} from './reads.ts';
import type {RecordedBatch, RecordedChange, RecordedRun, Records} from './records.ts';
import {changeParts, code, fetchWords, item, outcomeParts, plain, text} from './sentence.ts';
import {type Asked, type Subject, subjectOf} from './subject.ts';
import {togetherWith} from './together.ts';

const MARKS = 120;

/** A run as the wire has it: without clauses and places, which only explain needs. */
export function wireRun(run: RecordedRun): Run {
  return {
    ...run,
    at: Math.round(run.at),
    fetches: run.fetches.map(({clauses: _clauses, ...fetch}) => ({...fetch, keys: [...fetch.keys]})),
    causes: run.causes.map(({published: _published, ...cause}) => cause),
  };
}

const outcomeOfEvent: Record<'add' | 'update' | 'delete', Outcome> = {
  add: 'added',
  update: 'changed',
  delete: 'deleted',
};

/** Marks which changed paths the formula of the hop above reads, for runs that are still their input's newest. */
function markReads(records: Records, reader: Reader, run: RecordedRun, hops: Hop[]): void {
  let above: RecordedRun | undefined = run;
  for (const hop of hops) {
    if (hop.changes.length > 0 && above && records.lastRun(above.collection, above.input)?.id === above.id) {
      const paths = reader.paths(above.collection, above.input, hop);
      if (paths) hop.changes = hop.changes.map((c): PathChange => withRead(c, reads(paths, c.path)));
    }
    above = hop.run === undefined ? undefined : records.runById(hop.run);
  }
}

function withRead(change: PathChange, read: boolean | undefined): PathChange {
  return read === undefined || change.path === '' ? change : {...change, read};
}

function hopParts(hop: Hop): Part[] {
  return changeParts(hop.event ?? 'update', hop.changes, hop.before !== undefined && hop.after !== undefined);
}

/** The words after "because": who changed and what, and the fetch that it matched. */
function causeParts(run: RecordedRun, hop: Hop | undefined, first: boolean): Part[] {
  const cause = mainCause(run);
  if (!cause) return [];
  const role = 'cause' as const;
  switch (cause.kind) {
    case 'formula':
      return [text(first ? ' when its collection was created' : ' because its formula was replaced')];
    case 'synced':
      return [
        text(' because '),
        code(hop?.text ?? `${cause.collection ?? 'a collection it waited for'} synced`),
      ];
    case 'trigger':
      return [text(' because '), code(cause.collection ?? 'its trigger'), text(' was triggered')];
    default: {
      if (!hop) return [];
      const changed = hopParts(hop);
      if (cause.kind === 'input')
        return [text(' because its input '), item(hop, role), text(' '), ...changed];
      const version = cause.matched === 'old' ? ' by its old version' : '';
      return [
        text(' because '),
        item(hop, role),
        text(' '),
        ...changed,
        text('; matched '),
        code(fetchWords(cause.collection ?? hop.collection, cause.filter ?? 'all')),
        text(version),
      ];
    }
  }
}

/** "…, and 2 more causes"; "…, which goes back to Pods/a, written by kubelet". */
function originParts(run: RecordedRun | undefined, hops: readonly Hop[]): Part[] {
  const parts: Part[] = [];
  const others = (run?.causes.length ?? 1) - 1;
  if (others > 0) parts.push(text(`, with ${others} more ${others === 1 ? 'cause' : 'causes'}`));
  const origin = hops[hops.length - 1];
  const standing = hops[0]?.text === undefined ? undefined : hops[1];
  if (standing) parts.push(text('; its input is '), item(standing, 'cause'));
  if (hops.length > 1 && origin?.kind === 'write' && origin !== standing) {
    parts.push(text('; it goes back to '), item(origin, 'cause'));
    if (origin.event !== 'update')
      parts.push(text(origin.event === 'add' ? ' being added' : ' being deleted'));
  }
  if (origin?.writer) parts.push(text(', written by '), code(origin.writer.manager));
  return parts;
}

function blast(
  batch: RecordedBatch | undefined,
  place: number | undefined,
  own: string | undefined,
): Why['blast'] {
  if (!batch || place === undefined) return [];
  const groups = new Map<string, Why['blast'][number]>();
  for (const position of blastOf(batch, place)) {
    const run = batch.run(position);
    const group = groups.get(run.collection) ?? {collection: run.collection, marks: [], total: 0};
    group.total++;
    // The asked run is always among the marks: it is drawn with a ring.
    if (group.marks.length < MARKS || run.id === own)
      group.marks.push({
        id: run.id,
        sequence: run.sequence,
        at: Math.round(run.at),
        outcome: run.outcome,
        input: run.input,
      });
    groups.set(run.collection, group);
  }
  return [...groups.values()];
}

/** " (the same run: 1 added, 2 deleted)": for a row that stayed as it was while others of its run did not. */
function besideParts(run: RecordedRun, own: Outcome): Part[] {
  if (own !== 'equal' || run.outcome !== 'changed') return [];
  const {added, changed, deleted} = run.counts;
  const others = Object.entries({added, changed, deleted}).filter(([, count]) => count > 0);
  return [
    text(` (other rows of the same run: ${others.map(([did, count]) => `${count} ${did}`).join(', ')})`),
  ];
}

function answerOfRun(records: Records, reader: Reader, subject: Subject, run: RecordedRun): Why {
  const batch = records.batch(run.sequence);
  const hops = chainBelowRun(records, run);
  markReads(records, reader, run, hops);
  const strip = records.runsOf(run.collection, run.input);
  const first = strip[0]?.id === run.id && records.runCount(run.collection, run.input) <= strip.length;
  const outcome = subject.state === 'output' ? ownOutcome(run, subject.key) : run.outcome;
  const parts: Part[] = [
    item(subject, 'subject'),
    text(' '),
    ...outcomeParts(outcome, {first, error: run.error, waitingFor: run.waitingFor}),
    ...besideParts(run, outcome),
    ...causeParts(run, hops[0], first),
    ...originParts(run, hops),
  ];
  const origin = hops[hops.length - 1];
  const gained = new Set(run.gained.map(d => `${d.collection}\n${d.filter}`));
  const chain = new Set(hops.map(h => `${h.collection}\n${h.key}`));
  return {
    sequence: run.sequence,
    collection: subject.collection,
    key: subject.key,
    outcome,
    sentence: plain(parts),
    parts,
    run: wireRun(run),
    causes: [runHop(records, run, subject.key), ...hops],
    effects: effectsOfRun(records, run, subject.state === 'output' ? subject.key : undefined),
    together: togetherWith(records, run, chain),
    blast: blast(batch, origin?.sequence === run.sequence ? placeOfHop(origin) : undefined, run.id),
    kept: run.fetches
      .filter(f => !gained.has(`${f.collection}\n${f.filter}`))
      .map(({collection, filter}) => ({collection, filter})),
    strip: strip.map(m => ({...m, at: Math.round(m.at)})),
    settled: batch?.duration ?? run.start + run.duration,
  };
}

/** Joins, maps and indexes are made of the items of others, without a run of their own. */
function isView({facts: {kind}}: Subject): boolean {
  return kind === 'join' || kind === 'map' || kind === 'index';
}

/** An input that never had a row: it is gone with the item that it was. */
function goneInputSentence(records: Records, subject: Subject, change: RecordedChange): Part[] {
  const last = records.lastRun(subject.collection, subject.key, change.sequence);
  return [
    item(subject, 'subject'),
    text(' is no input any more because '),
    item(change, 'cause'),
    text(' was deleted'),
    ...(last ? [text('; its last run came out '), {outcome: last.outcome}] : []),
  ];
}

/** Words of a change that no run explains: a write from outside, a join or index that followed, a removal. */
function changeSentence(
  records: Records,
  subject: Subject,
  change: RecordedChange,
  hops: readonly Hop[],
): Part[] {
  const own = changeHop(change);
  const head: Part[] = [item(subject, 'subject'), text(' '), ...hopParts(own)];
  const below = hops[0];
  if (change.root || !below) {
    if (own.writer) head.push(text(', written by '), code(own.writer.manager));
    // Its parts were there before: it took them in when it began.
    else if (isView(subject) && change.event === 'add')
      head.push(text(' when what it is made of had synced'));
    return head;
  }
  const relation = isView(subject) ? 'its part ' : below.cause?.kind === 'fetch' ? '' : 'its input ';
  const wrote = change.from === undefined ? statusRun(records, change) : undefined;
  if (wrote)
    return [
      ...head,
      text(' with the run of '),
      item({collection: wrote.collection, key: wrote.input}),
      ...causeParts(wrote, hops[1], false),
      ...originParts(wrote, hops.slice(1)),
    ];
  // Its parts were there before: it took them in when it began.
  if (below.sequence < change.sequence)
    return [
      ...head,
      text(' when what it is made of had synced; its part is '),
      item(below, 'cause'),
      ...originParts(undefined, hops),
    ];
  const fetched: Part[] =
    below.cause?.kind === 'fetch'
      ? [text('; matched '), code(fetchWords(below.collection, below.cause.filter ?? 'all'))]
      : [];
  return [
    ...head,
    text(` because ${relation}`),
    item(below, 'cause'),
    text(' '),
    ...hopParts(below),
    ...fetched,
    ...originParts(undefined, hops),
  ];
}

function answerOfChange(records: Records, subject: Subject, change: RecordedChange): Why {
  const batch = records.batch(change.sequence);
  const {place} = change;
  const hops = change.root ? [] : chainBelowChange(records, change);
  const isOwn = change.collection === subject.collection;
  const parts = isOwn
    ? changeSentence(records, subject, change, hops)
    : goneInputSentence(records, subject, change);
  const origin = hops[hops.length - 1];
  const strip = subject.input === undefined ? [] : records.runsOf(subject.collection, subject.input);
  return {
    sequence: change.sequence,
    collection: subject.collection,
    key: subject.key,
    outcome: outcomeOfEvent[change.event],
    sentence: plain(parts),
    parts,
    run: null,
    causes: [changeHop(change), ...hops],
    effects: place === undefined ? [] : effectsOfChange(records, change.sequence, place),
    together: [],
    blast: blast(batch, origin?.sequence === change.sequence ? placeOfHop(origin) : place, undefined),
    kept: [],
    strip: strip.map(m => ({...m, at: Math.round(m.at)})),
    settled: batch?.duration ?? 0,
  };
}

/** Nothing is recorded of it: it is older than the recording, or waits for its first run. */
function answerOfNothing(records: Records, subject: Subject, at: number | undefined): Why {
  const facts = records.row(subject.collection, subject.key, at);
  const {waitingFor} = subject.facts;
  const parts: Part[] = [item(subject, 'subject')];
  if (subject.state === 'input' && !subject.facts.synced)
    parts.push(
      text(' has not run yet: '),
      code(subject.collection),
      text(waitingFor ? ` waits for ${waitingFor}` : ' has not synced'),
    );
  else parts.push(text(' has not changed since the recording began'));
  return {
    sequence: facts?.sequence ?? at ?? records.newest(),
    collection: subject.collection,
    key: subject.key,
    outcome: facts?.outcome ?? (subject.facts.synced ? 'added' : 'suspended'),
    sentence: plain(parts),
    parts,
    run: null,
    causes: [],
    effects: [],
    together: [],
    blast: [],
    kept: [],
    strip: [],
    settled: 0,
  };
}

/** Throws RolledOff for a moment or a run that is gone, Unanswerable for what never was. */
export function why(records: Records, reader: Reader, asked: Asked): Why {
  const subject = subjectOf(records, asked);
  if (subject.run) return answerOfRun(records, reader, subject, subject.run);
  if (subject.change) return answerOfChange(records, subject, subject.change);
  return answerOfNothing(records, subject, asked.at);
}
