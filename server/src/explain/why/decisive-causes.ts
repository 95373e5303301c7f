// Finds the causes that made the difference: it repeats the formula with one change undone at a time.
import type {Weight} from '@krtscope/shared/origin.ts';
import type {RunCause} from '@krtscope/shared/run.ts';
import type {Repeated} from '../../krt/index.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {CounterfactualObject, RerunFidelity} from '../evidence/rerun.ts';
import type {RecordedCause, RecordedChange, RecordedRun, Records} from '../records.ts';
import {
  type ExplainTarget,
  isSameOrEmpty,
  type RelevanceTest,
  targetValue,
  type WritePlace,
} from './explain-target.ts';
import {followedWrite, heaviestWrite, isBroughtBy} from './heaviest-write.ts';

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
  /** The write that it leads to, where several made a difference. */
  readonly write?: WritePlace | undefined;
}

/** Up to this many causes are tried one by one. More are searched by bisection. */
const MAX_SINGLE_TRIES = 64;

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
  const heaviest = causeOfHeaviestWrite(reader, run, causes, target);
  const followed =
    heaviest?.followed ??
    causes.find(one => isNeeded(one.weight)) ??
    causes.find(one => one.weight === 'either');
  return {faith, causes, followed, write: heaviest?.write};
}

/** Of several writes the one without which the asked value differs most, and the first cause that it brought. */
function causeOfHeaviestWrite(
  reader: RerunReader,
  run: RecordedRun,
  causes: readonly WeightedCause[],
  target: ExplainTarget,
): Pick<DecisiveCauses, 'followed' | 'write'> | undefined {
  const changes = causes.flatMap(({change}) => change ?? []);
  const write = followedWrite(target, run.sequence) ?? heaviestWrite(reader, run, target, changes);
  const brought = causes.filter(({change}) => change && isBroughtBy(reader.records, change, write));
  const followed = brought.find(({weight}) => isNeeded(weight)) ?? brought[0];
  return followed && {followed, write};
}

function isNeeded(weight: Weight): boolean {
  return weight === 'needed' || weight === 'also-needed';
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
