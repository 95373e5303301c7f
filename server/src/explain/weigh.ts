// Which causes made the difference: the formula repeated over the state of its own batch with one change undone at a time.
import type {Weight} from '@krtscope/shared/origin.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {RunCause} from '@krtscope/shared/run.ts';
import type {PathChange} from '@krtscope/shared/why.ts';
import type {Repeated} from '../krt/index.ts';
import {changedPaths, same} from './diff.ts';
import {isRead, type Reader} from './reads.ts';
import type {RecordedCause, RecordedChange, RecordedRun, Records} from './records.ts';
import type {Faith, Instead} from './repeat.ts';
import {rootsOf} from './roots.ts';
import {ranked} from './sentence.ts';
import {withOld} from './undo.ts';

/** What is asked about, in what a run gives. */
export type Target =
  | {readonly kind: 'row'; readonly key: string; readonly matters?: Matters | undefined}
  | {
      readonly kind: 'field';
      readonly key: string;
      readonly path: string;
      readonly matters?: Matters | undefined;
    }
  /** Everything that comes out for the input. */
  | {readonly kind: 'input'}
  | {readonly kind: 'status'; readonly path?: string};

/** Whether what was asked about in the first place would be another if the row were so; undefined: not there. */
export type Matters = (row: unknown) => boolean;

export interface WeighedCause {
  readonly cause: RecordedCause;
  readonly change: RecordedChange | undefined;
  readonly weight: Weight;
}

export interface Weighed {
  readonly faith: Faith;
  /** Primary input first, then in the order of the fetches, then by key; what changed nothing (a sync) last. */
  readonly causes: readonly WeighedCause[];
  /** The one to follow; undefined if none made a difference. */
  readonly followed: WeighedCause | undefined;
}

/** So many are tried one by one; of more the one that counts is looked for by halves. */
const MOST = 64;
const PATHS = 48;
/** Needed causes whose write is looked for. */
const TRIED = 12;

/** What a formula that goes through a list makes nothing of. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

export function sameValue(a: unknown, b: unknown): boolean {
  return (isEmptyValue(a) && isEmptyValue(b)) || same(a, b);
}

/** The asked value in what came out; a run that fails or discards leaves what was there before. */
export function valueIn(records: Records, run: RecordedRun, repeated: Repeated, target: Target): unknown {
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
    return inRow(
      records.has(run.collection, target.key, before),
      records.value(run.collection, target.key, before),
      target,
    );
  }
  const found = repeated.items.find(one => one.key === target.key);
  return inRow(found !== undefined, found?.item, target);
}

function inRow(there: boolean, item: unknown, target: Target): unknown {
  if (target.kind === 'field') return there ? readPath(item, target.path) : undefined;
  return there ? {item} : undefined;
}

const order: readonly RunCause['kind'][] = ['input', 'fetch', 'trigger', 'synced', 'formula'];

function byPlace(a: RecordedCause, b: RecordedCause): number {
  return (
    order.indexOf(a.kind) - order.indexOf(b.kind) ||
    (a.fetch ?? -1) - (b.fetch ?? -1) ||
    ((a.key ?? '') < (b.key ?? '') ? -1 : (a.key ?? '') > (b.key ?? '') ? 1 : 0)
  );
}

/** One for each object that changed: an input that is fetched as well counts once. */
export function causesOf(
  records: Records,
  run: RecordedRun,
): {cause: RecordedCause; change: RecordedChange | undefined}[] {
  const batch = records.batch(run.sequence);
  const seen = new Set<string>();
  return [...run.causes].sort(byPlace).flatMap(cause => {
    const id =
      cause.key === undefined ? `${cause.kind} ${cause.collection}` : `${cause.collection}\n${cause.key}`;
    if (seen.has(id)) return [];
    seen.add(id);
    const change = batch && cause.published !== undefined ? batch.change(cause.published) : undefined;
    return [{cause, change}];
  });
}

const undone = (change: RecordedChange): Instead => ({
  collection: change.collection,
  key: change.key,
  value: change.old,
});

export function weigh(reader: Reader, run: RecordedRun, target: Target): Weighed {
  const {records} = reader;
  const repeat = reader.repeat(run);
  const all = causesOf(records, repeat.run);
  const {faith, base} = repeat;
  const known = all.filter(
    (one): one is {cause: RecordedCause; change: RecordedChange} => one.change !== undefined,
  );
  if (faith.repeat !== 'same' || base === undefined || known.length === 0) {
    const causes = all.map(one => ({...one, weight: 'unknown' as const}));
    return {faith, causes, followed: causes.find(one => one.change !== undefined) ?? causes[0]};
  }
  const weights = weightsOfKnown(
    reader,
    run,
    known.map(one => one.change),
    target,
  );
  const causes = all.map((one): WeighedCause => {
    const at = known.findIndex(other => other.cause === one.cause);
    return {...one, weight: at < 0 ? 'not-needed' : (weights[at] ?? 'unknown')};
  });
  const needed = causes.filter(one => one.weight === 'needed' || one.weight === 'also-needed');
  const followed =
    (needed.length > 1 ? withItsWrite(reader, run, needed, known, target) : undefined) ??
    needed[0] ??
    causes.find(one => one.weight === 'either');
  return {faith, causes, followed};
}

/**
 * One write may bring several of the causes, and some of them may make up for others: a Backend that goes and one that
 * comes. Of those that are needed the first whose write, with all that it brought, is needed, too.
 */
function withItsWrite(
  reader: Reader,
  run: RecordedRun,
  needed: readonly WeighedCause[],
  known: readonly {readonly change: RecordedChange}[],
  target: Target,
): WeighedCause | undefined {
  const {records} = reader;
  const batch = records.batch(run.sequence);
  if (!batch || batch.rootPlaces.length < 2 || known.length > MOST) return undefined;
  const differs = comparison(reader, run, target);
  const roots = new Map(known.map(({change}) => [change, rootsOf(records, batch, change)]));
  return needed.slice(0, TRIED).find(({change}) => {
    const own = change && roots.get(change);
    if (own === undefined) return false;
    const brought = known.filter(one => roots.get(one.change)?.isSubsetOf(own));
    return differs(brought.map(one => undone(one.change)));
  });
}

/** By what they are worth to what was asked about first; where none is, by what they are worth to this row. */
function weightsOfKnown(
  reader: Reader,
  run: RecordedRun,
  changes: readonly RecordedChange[],
  target: Target,
): (Weight | undefined)[] {
  const by = (asked: Target) => {
    const differs = comparison(reader, run, asked);
    return weightsOf(changes, some => differs(some.map(undone)));
  };
  const weights = by(target);
  if (mattersOf(target) === undefined || weights.some(one => one === 'needed' || one === 'either'))
    return weights;
  return by(withoutMatters(target));
}

function mattersOf(target: Target): Matters | undefined {
  return target.kind === 'row' || target.kind === 'field' ? target.matters : undefined;
}

function withoutMatters(target: Target): Target {
  return target.kind === 'row' || target.kind === 'field' ? {...target, matters: undefined} : target;
}

/** Whether what is asked about comes out another with this instead. The run must be one that repeats itself. */
export function comparison(
  reader: Reader,
  run: RecordedRun,
  target: Target,
): (instead: readonly Instead[]) => boolean {
  const {records} = reader;
  const repeat = reader.repeat(run);
  const asked = repeat.base && valueIn(records, repeat.run, repeat.base, target);
  const matters = mattersOf(target);
  return instead => {
    const repeated = repeat.with(instead);
    if (sameValue(asked, valueIn(records, repeat.run, repeated, target))) return false;
    return matters === undefined || matters(rowIn(records, repeat.run, repeated, target));
  };
}

/** The whole row in what came out. */
function rowIn(records: Records, run: RecordedRun, repeated: Repeated, target: Target): unknown {
  if (target.kind !== 'row' && target.kind !== 'field') return undefined;
  const found = valueIn(records, run, repeated, {kind: 'row', key: target.key});
  return (found as {item: unknown} | undefined)?.item;
}

type Differs = (changes: readonly RecordedChange[]) => boolean;

export function weightsOf(changes: readonly RecordedChange[], differs: Differs): (Weight | undefined)[] {
  if (changes.length > MOST) return byHalves(changes, differs);
  const needed = changes.map(change => differs([change]));
  const first = needed.indexOf(true);
  if (first >= 0)
    return needed.map((yes, at) => (at === first ? 'needed' : yes ? 'also-needed' : 'not-needed'));
  if (changes.length < 2 || !differs(changes)) return changes.map(() => 'not-needed');
  // Each alone is enough to come out so: undone are all others.
  const suffices = changes.map((_, at) => !differs(changes.toSpliced(at, 1)));
  // Neither needed nor enough alone: some of them together.
  if (!suffices.includes(true)) return changes.map(() => 'either');
  return suffices.map(yes => (yes ? 'either' : 'not-needed'));
}

/** One that is needed by itself, found by undoing halves; the others stay unknown. */
function byHalves(changes: readonly RecordedChange[], differs: Differs): (Weight | undefined)[] {
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

/** The changed paths of a cause, those that made the difference first. Undefined: none of them alone did. */
export interface WeighedPaths {
  readonly changes: readonly PathChange[];
  readonly needed: PathChange | undefined;
}

export function weighPaths(
  reader: Reader,
  run: RecordedRun,
  change: RecordedChange,
  target: Target,
): WeighedPaths {
  const changes = marked(reader, run, change);
  const {base, faith} = reader.repeat(run);
  if (faith.repeat !== 'same' || base === undefined || change.event !== 'update')
    return {changes, needed: changes.find(one => one.read !== false)};
  const {collection, key} = change;
  const making = (asked: Target): PathChange | undefined => {
    const differs = comparison(reader, run, asked);
    return changes.slice(0, PATHS).find(one => differs([{collection, key, value: withOld(change.new, one)}]));
  };
  const needed =
    making(target) ??
    (mattersOf(target) && making(withoutMatters(target))) ??
    changes.find(one => one.read === true);
  if (needed === undefined) return {changes, needed: undefined};
  const first = {...needed, needed: true};
  return {changes: [first, ...changes.filter(one => one !== needed)], needed: first};
}

/** Changed paths with whether that run read them, the likeliest first. */
export function marked(reader: Reader, run: RecordedRun, change: RecordedChange): PathChange[] {
  const changes = change.event === 'update' ? changedPaths(change.old, change.new) : [];
  if (changes.length === 0) return [];
  const reads = reader.paths(run, change);
  return ranked(
    changes.map(one =>
      reads === undefined || one.path === '' ? one : {...one, read: isRead(one.path, reads)},
    ),
  );
}
