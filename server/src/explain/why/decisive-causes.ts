// Finds the causes that made the difference: it repeats the formula with one change undone at a time.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {Weight} from '@krtscope/shared/origin.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {RunCause} from '@krtscope/shared/run.ts';
import type {Repeated} from '../../krt/index.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {CounterfactualObject, RerunFidelity} from '../evidence/rerun.ts';
import {rootWritesOf} from '../evidence/root-writes.ts';
import type {RecordedCause, RecordedChange, RecordedRun, Records} from '../records.ts';

/** The part of a run's result that the question is about. */
export type ExplainTarget =
  | {readonly kind: 'row'; readonly key: string; readonly matters?: RelevanceTest | undefined}
  | {
      readonly kind: 'field';
      readonly key: string;
      readonly path: string;
      readonly matters?: RelevanceTest | undefined;
    }
  /** All rows of the input. */
  | {readonly kind: 'input'}
  | {readonly kind: 'status'; readonly path?: string};

/** Whether the originally asked value would differ with this row; undefined: the row does not exist. */
export type RelevanceTest = (row: unknown) => boolean;

export interface WeightedCause {
  readonly cause: RecordedCause;
  readonly change: RecordedChange | undefined;
  readonly weight: Weight;
}

export interface DecisiveCauses {
  readonly faith: RerunFidelity;
  /** Primary input first, then in the order of the fetches, then by key; a sync last. */
  readonly causes: readonly WeightedCause[];
  /** The cause to follow; undefined if no cause made a difference. */
  readonly followed: WeightedCause | undefined;
}

/** Up to this many causes are tried one by one. More are searched by bisection. */
const MAX_SINGLE_TRIES = 64;
/** Needed causes whose write is searched. */
const MAX_NEEDED = 12;

/** A formula that goes through a list returns nothing for such a value. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

export function isSameOrEmpty(a: unknown, b: unknown): boolean {
  return (isEmptyValue(a) && isEmptyValue(b)) || deepEqual(a, b);
}

/** The asked value in a result. A run that fails or discards keeps the value before it. */
export function targetValue(
  records: Records,
  run: RecordedRun,
  repeated: Repeated,
  target: ExplainTarget,
): unknown {
  if (target.kind === 'status') {
    return target.path === undefined ? repeated.status : readPath({status: repeated.status}, target.path);
  }
  if (target.kind === 'input') {
    if (repeated.error !== undefined) return {error: true};
    if (repeated.discarded) return {discarded: true};
    return repeated.items.map(one => one.item);
  }
  if (repeated.error !== undefined || repeated.discarded) {
    const before = run.sequence - 1;
    if (before < records.oldest()) return undefined;
    return valueInRow(
      records.has(run.collection, target.key, before),
      records.value(run.collection, target.key, before),
      target,
    );
  }
  const found = repeated.items.find(one => one.key === target.key);
  return valueInRow(found !== undefined, found?.item, target);
}

function valueInRow(there: boolean, item: unknown, target: ExplainTarget): unknown {
  if (target.kind === 'field') return there ? readPath(item, target.path) : undefined;
  return there ? {item} : undefined;
}

const causeOrder: readonly RunCause['kind'][] = ['input', 'fetch', 'trigger', 'synced', 'formula'];

function compareCauses(a: RecordedCause, b: RecordedCause): number {
  return (
    causeOrder.indexOf(a.kind) - causeOrder.indexOf(b.kind) ||
    (a.fetch ?? -1) - (b.fetch ?? -1) ||
    ((a.key ?? '') < (b.key ?? '') ? -1 : (a.key ?? '') > (b.key ?? '') ? 1 : 0)
  );
}

/** One cause for each changed object: an input that is also fetched counts once. */
function uniqueCausesOf(
  records: Records,
  run: RecordedRun,
): {cause: RecordedCause; change: RecordedChange | undefined}[] {
  const batch = records.batch(run.sequence);
  const seen = new Set<string>();
  return [...run.causes].sort(compareCauses).flatMap(cause => {
    const id =
      cause.key === undefined ? `${cause.kind} ${cause.collection}` : `${cause.collection}\n${cause.key}`;
    if (seen.has(id)) return [];
    seen.add(id);
    const change = batch && cause.published !== undefined ? batch.change(cause.published) : undefined;
    return [{cause, change}];
  });
}

const withoutChange = (change: RecordedChange): CounterfactualObject => ({
  collection: change.collection,
  key: change.key,
  value: change.old,
});

export function findDecisiveCauses(
  reader: RerunReader,
  run: RecordedRun,
  target: ExplainTarget,
): DecisiveCauses {
  const {records} = reader;
  const repeat = reader.rerun(run);
  const all = uniqueCausesOf(records, repeat.run);
  const {faith, base} = repeat;
  const changed = all.filter(
    (one): one is {cause: RecordedCause; change: RecordedChange} => one.change !== undefined,
  );
  if (faith.repeat !== 'same' || base === undefined || changed.length === 0) {
    const causes = all.map(one => ({...one, weight: 'unknown' as const}));
    return {faith, causes, followed: causes.find(one => one.change !== undefined) ?? causes[0]};
  }
  const weights = weightsForTarget(
    reader,
    run,
    changed.map(one => one.change),
    target,
  );
  const causes = all.map((one): WeightedCause => {
    const at = changed.findIndex(other => other.cause === one.cause);
    return {...one, weight: at < 0 ? 'not-needed' : (weights[at] ?? 'unknown')};
  });
  const needed = causes.filter(one => one.weight === 'needed' || one.weight === 'also-needed');
  const followed =
    (needed.length > 1 ? causeWithNeededWrite(reader, run, needed, changed, target) : undefined) ??
    needed[0] ??
    causes.find(one => one.weight === 'either');
  return {faith, causes, followed};
}

/**
 * One write may bring several causes, and some may cancel others: a Backend is deleted and another is added.
 * Finds the first needed cause whose write, with all its effects, is needed, too.
 */
function causeWithNeededWrite(
  reader: RerunReader,
  run: RecordedRun,
  needed: readonly WeightedCause[],
  changed: readonly {readonly change: RecordedChange}[],
  target: ExplainTarget,
): WeightedCause | undefined {
  const {records} = reader;
  const batch = records.batch(run.sequence);
  if (!batch || batch.rootPlaces.length < 2 || changed.length > MAX_SINGLE_TRIES) return undefined;
  const differs = counterfactualTest(reader, run, target);
  const roots = new Map(changed.map(({change}) => [change, rootWritesOf(records, batch, change)]));
  return needed.slice(0, MAX_NEEDED).find(({change}) => {
    const own = change && roots.get(change);
    if (own === undefined) return false;
    const brought = changed.filter(one => roots.get(one.change)?.isSubsetOf(own));
    return differs(brought.map(one => withoutChange(one.change)));
  });
}

/** Weights for the originally asked value; where no cause matters to it, weights for this row. */
function weightsForTarget(
  reader: RerunReader,
  run: RecordedRun,
  changes: readonly RecordedChange[],
  target: ExplainTarget,
): (Weight | undefined)[] {
  const by = (asked: ExplainTarget) => {
    const differs = counterfactualTest(reader, run, asked);
    return weightsOf(changes, some => differs(some.map(withoutChange)));
  };
  const weights = by(target);
  if (relevanceOf(target) === undefined || weights.some(one => one === 'needed' || one === 'either'))
    return weights;
  return by(withoutRelevance(target));
}

export function relevanceOf(target: ExplainTarget): RelevanceTest | undefined {
  return target.kind === 'row' || target.kind === 'field' ? target.matters : undefined;
}

export function withoutRelevance(target: ExplainTarget): ExplainTarget {
  return target.kind === 'row' || target.kind === 'field' ? {...target, matters: undefined} : target;
}

/** Whether the asked value differs with these objects instead. The run must be repeatable. */
export function counterfactualTest(
  reader: RerunReader,
  run: RecordedRun,
  target: ExplainTarget,
): (instead: readonly CounterfactualObject[]) => boolean {
  const {records} = reader;
  const repeat = reader.rerun(run);
  const asked = repeat.base && targetValue(records, repeat.run, repeat.base, target);
  const matters = relevanceOf(target);
  return instead => {
    const repeated = repeat.runWith(instead);
    if (isSameOrEmpty(asked, targetValue(records, repeat.run, repeated, target))) return false;
    return matters === undefined || matters(targetRow(records, repeat.run, repeated, target));
  };
}

/** The whole row in a result. */
function targetRow(records: Records, run: RecordedRun, repeated: Repeated, target: ExplainTarget): unknown {
  if (target.kind !== 'row' && target.kind !== 'field') return undefined;
  const found = targetValue(records, run, repeated, {kind: 'row', key: target.key});
  return (found as {item: unknown} | undefined)?.item;
}

type DiffersWithout = (changes: readonly RecordedChange[]) => boolean;

export function weightsOf(
  changes: readonly RecordedChange[],
  differs: DiffersWithout,
): (Weight | undefined)[] {
  if (changes.length > MAX_SINGLE_TRIES) return weightsByBisection(changes, differs);
  const needed = changes.map(change => differs([change]));
  const first = needed.indexOf(true);
  if (first >= 0)
    return needed.map((yes, at) => (at === first ? 'needed' : yes ? 'also-needed' : 'not-needed'));
  if (changes.length < 2 || !differs(changes)) return changes.map(() => 'not-needed');
  // A change suffices if undoing all others makes no difference.
  const suffices = changes.map((_, at) => !differs(changes.toSpliced(at, 1)));
  // No change is needed or suffices alone: some of them act together.
  if (!suffices.includes(true)) return changes.map(() => 'either');
  return suffices.map(yes => (yes ? 'either' : 'not-needed'));
}

/** Finds one needed change by undoing halves; the others stay unknown. */
function weightsByBisection(
  changes: readonly RecordedChange[],
  differs: DiffersWithout,
): (Weight | undefined)[] {
  let from = 0;
  let to = changes.length;
  if (!differs(changes)) return changes.map(() => 'not-needed');
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (differs(changes.slice(from, middle))) to = middle;
    else if (differs(changes.slice(middle, to))) from = middle;
    else return changes.map((_, at) => (at >= from && at < to ? 'either' : undefined));
  }
  return changes.map((_, at) => (at === from ? 'needed' : undefined));
}
