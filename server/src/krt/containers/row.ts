// One item of a collection: its value now, its value before the batch, and the inputs that use it.

import type {Labels} from '../values/labels.ts';
import type {TracePosition} from './trace-position.ts';

/** What filters have read of an item. */
export interface RowAttributes {
  readonly view: unknown;
  readonly labels: Labels;
  readonly namespace: string;
  readonly selector: Labels;
  readonly hasBrokenSelector: boolean;
}

/** An input of a derived collection: the row that it is, and the collection that runs it. */
export interface RowInput {
  readonly row: Row;
  readonly collection: {
    readonly name: string;
    inputChanged(input: RowInput, now: unknown): void;
    /** The collection that the input waited for has synced. */
    resume(input: RowInput, awaited: {readonly name: string}): void;
  };
}

// Every item has a row. `declare` avoids that each field is set twice.
export class Row {
  declare readonly key: string;
  /** undefined while the item is absent; the row itself stays until the batch settles. */
  declare value: unknown;
  /** The settled value, kept while the row is dirty. */
  declare before: unknown;
  /** Changed in this batch and not announced yet. */
  declare dirty: boolean;
  /** Its last announced change was an update. */
  declare updated: boolean;
  /** The inputs of derived collections that this row feeds. A change finds them without a lookup. */
  declare attached: RowInput | RowInput[] | null;
  /** In a derived collection, the input that owns this row. */
  declare owner: RowInput | null;
  /** Attributes of the settled value, read on demand. */
  declare attributes: RowAttributes | null;
  /** The place in the trace of the last batch that named this row. */
  declare tracePosition: TracePosition | null;

  constructor(key: string) {
    this.key = key;
    this.value = undefined;
    this.before = undefined;
    this.dirty = false;
    this.updated = false;
    this.attached = null;
    this.owner = null;
    this.attributes = null;
    this.tracePosition = null;
  }
}

/** The item as announced last, without the changes of an open batch. */
export function settledValue(row: Row): unknown {
  return row.dirty ? row.before : row.value;
}

export function attachInput(row: Row, input: RowInput): void {
  const {attached} = row;
  if (attached === null) row.attached = input;
  else if (Array.isArray(attached)) attached.push(input);
  else row.attached = [attached, input];
}

export function detachInput(row: Row, input: RowInput): void {
  const {attached} = row;
  if (attached === input) row.attached = null;
  else if (Array.isArray(attached)) {
    removeFromList(attached, input);
    if (attached.length === 0) row.attached = null;
  }
}

/** Removes in place, because copying a list of tens of thousands for each removal is slow. */
export function removeFromList<T>(from: T[], one: T): void {
  const at = from.indexOf(one);
  if (at >= 0) from.splice(at, 1);
}
