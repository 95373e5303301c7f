// The part of a result that a question is about, and its value in a run that was repeated.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {Repeated} from '../../krt/index.ts';
import type {RecordedRun, Records} from '../records.ts';

/** The part of a run's result that the question is about. */
export type ExplainTarget =
  | ({readonly kind: 'row'; readonly key: string} & TargetContext)
  | ({readonly kind: 'field'; readonly key: string; readonly path: string} & TargetContext)
  /** All rows of the input. */
  | {readonly kind: 'input'}
  | {readonly kind: 'status'; readonly path?: string};

/** Whether the originally asked value would differ with this row; undefined: the row does not exist. */
export type RelevanceTest = (row: unknown) => boolean;

/** What the hops above say of a row further down. */
export interface TargetContext {
  readonly matters?: RelevanceTest | undefined;
  /** The write that is followed where several made a difference. */
  readonly write?: WritePlace | undefined;
}

/** A write from outside, by its place in its batch. */
export interface WritePlace {
  readonly sequence: number;
  readonly place: number;
}

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
