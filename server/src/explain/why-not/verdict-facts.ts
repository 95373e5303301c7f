// The facts that decide a verdict: which item could have read the expected object, what changed, and how far that went.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {EvidenceClause as Row} from '@krtscope/shared/why.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {tryFetch} from '../evidence/filter-try.ts';
import type {QuestionSubject} from '../evidence/question-subject.ts';
import {upstreamPlaces} from '../evidence/root-writes.ts';
import type {RecordedChange, RecordedFetch, RecordedRun, Records} from '../records.ts';
import {outcomeOfOutput} from '../why/cause-chain.ts';
import {
  type FilterTry,
  findPossibleReaders,
  type PossibleReader,
  type ReaderNode,
} from './possible-readers.ts';

/** Where the effects of the expected object's last change ended. */
export interface Wave {
  readonly end: 'equal' | 'here' | 'nowhere';
  readonly node: ReaderNode;
  readonly run: RecordedRun | undefined;
}

export interface VerdictFacts {
  readonly question: 'why-not';
  readonly records: Records;
  readonly reader: RerunReader;
  readonly asked: QuestionSubject;
  readonly expected: ItemRef;
  readonly at: number | undefined;
  /** Undefined: nothing that the asked item is computed from reads the expected collection. */
  readonly look: PossibleReader | undefined;
  /** The item that reads, else the asked item itself, with its input and its last run. */
  readonly looker: ReaderNode;
  readonly run: RecordedRun | undefined;
  /** The last change of the expected object, and whether the object exists. */
  readonly change: RecordedChange | undefined;
  readonly exists: boolean;
  readonly wave: Wave | undefined;
}

/** A run of the same batch may have had other causes: it is a reaction only if the change is among its causes. */
function answersTo(run: RecordedRun | undefined, {collection, key}: ItemRef): boolean {
  return run?.causes.some(cause => cause.collection === collection && cause.key === key) === true;
}

function waveOf(
  records: Records,
  look: PossibleReader,
  change: RecordedChange,
  expected: ItemRef,
): Wave | undefined {
  const {sequence} = change;
  if (sequence < records.oldest()) return undefined;
  let below: ItemRef = expected;
  for (const node of look.route.toReversed()) {
    const {collection, key, input} = node;
    const run = records.lastRun(collection, input, sequence);
    const isRun = run?.sequence === sequence;
    if (isRun && answersTo(run, below)) {
      const outcome = outcomeOfOutput(run, key);
      if (outcome === 'equal' || outcome === 'empty') return {end: 'equal', node, run};
    } else if (run !== undefined) return {end: 'nowhere', node, run};
    else {
      const own = records.lastChange(collection, key, sequence);
      if (own?.sequence !== sequence)
        return {end: below === expected ? 'nowhere' : 'equal', node, run: undefined};
    }
    below = {collection, key};
  }
  return waveReachingItem(records, look, change);
}

function waveReachingItem(records: Records, look: PossibleReader, {sequence}: RecordedChange): Wave {
  const node = look.route[0] as ReaderNode;
  return {end: 'here', node, run: records.lastRun(node.collection, node.input, sequence)};
}

/** Whether the asked item changed in the batch of that change, and because of it. */
function hasReachedItem(
  records: Records,
  {collection, key}: ItemRef,
  {sequence, place}: RecordedChange,
): boolean {
  if (sequence < records.oldest()) return false;
  const batch = records.batch(sequence);
  const own = records.lastChange(collection, key, sequence);
  if (!batch || place === undefined || own?.sequence !== sequence || own.place === undefined) return false;
  return upstreamPlaces(records, batch, own.place, place).has(place);
}

/** How far from the asked item the effects ended. Of several routes the one that came furthest counts. */
function distanceLeft({look, wave}: {look: PossibleReader; wave: Wave | undefined}): number {
  if (!wave || wave.end === 'nowhere') return look.route.length + 100;
  return wave.end === 'here' ? -1 : look.route.indexOf(wave.node);
}

export function findVerdictFacts(
  records: Records,
  reader: RerunReader,
  asked: QuestionSubject,
  expected: ItemRef,
  at?: number,
): VerdictFacts {
  const change = records.lastChange(expected.collection, expected.key, at);
  const exists = records.has(expected.collection, expected.key, at);
  const versions = {old: change?.old, now: records.value(expected.collection, expected.key, at)};
  const ways = findPossibleReaders(reader, asked, expected, versions, at).map(look => ({
    look,
    wave: change && waveOf(records, look, change, expected),
  }));
  const {look, wave: furthest} = ways.sort((a, b) => distanceLeft(a) - distanceLeft(b))[0] ?? {};
  // A row on the way may be deleted now, so that no route leads there any more.
  const wave =
    look && change && hasReachedItem(records, asked, change)
      ? waveReachingItem(records, look, change)
      : furthest;
  const input = asked.input ?? asked.key;
  const looker = look?.looker ?? {
    facts: asked.facts,
    collection: asked.collection,
    key: asked.key,
    input,
    run: records.lastRun(asked.collection, input, at),
  };
  const {run} = looker;
  return {question: 'why-not', records, reader, asked, expected, at, look, looker, run, change, exists, wave};
}

/** The clause that the newest version fails. */
export const failingClause = (c: VerdictFacts): Row | undefined =>
  c.look?.best?.tried.rows.find(
    row => row.matchesNew === false || (row.new === undefined && row.matchesOld === false),
  );

/** Earlier versions and runs that are tried. */
const MAX_VERSIONS = 50;

/** The change by which the expected object stopped matching a filter, as far back as the recording goes. */
export function lastMatchingChange(c: VerdictFacts, fetch: RecordedFetch): RecordedChange | undefined {
  // Without the engine a function is judged by what the fetch found, which is the same for every version.
  const opaque = fetch.clauses.some(clause => clause.kind === 'index' || clause.kind === 'generic');
  if (opaque && (!c.run || c.reader.rerun(c.run).faith.repeat !== 'same')) return undefined;
  let steps = 0;
  for (const change of c.records.changesOf(c.expected.collection, c.expected.key, c.at)) {
    if (change.event !== 'update' || change.old === undefined || ++steps > MAX_VERSIONS) return undefined;
    const tried = tryFetch(c.reader, c.looker, fetch, c.expected.key, change.old, change.new);
    if (tried.matchesOld) return tried.matchesNew ? undefined : change;
  }
  return undefined;
}

/** The run that began to ask for something else, and the fetch before it. */
export interface FilterChange {
  readonly run: RecordedRun;
  readonly before: RecordedFetch;
  /** The change of its input behind that. */
  readonly change: RecordedChange | undefined;
}

/** When the filter of the reading item changed so that it no longer finds the expected object. */
export function lastMatchingFilter(c: VerdictFacts, {fetch}: FilterTry): FilterChange | undefined {
  const at = c.run?.fetches.indexOf(fetch) ?? -1;
  let after = c.run;
  for (let steps = 0; after && steps < MAX_VERSIONS; steps++) {
    const before: RecordedRun | undefined = c.records.runBefore(after.id);
    const then = before?.fetches[at];
    if (!before || then?.collection !== fetch.collection) return undefined;
    if (then.keys.includes(c.expected.key)) {
      if (then.filter === fetch.filter || after.sequence < c.records.oldest()) return undefined;
      const parent = c.looker.facts.parents[0];
      const change =
        parent === undefined ? undefined : c.records.lastChange(parent, after.input, after.sequence);
      return {run: after, before: then, change: change?.sequence === after.sequence ? change : undefined};
    }
    after = before;
  }
  return undefined;
}
