// One item of a collection at its place: its value now, its value before the batch, and who hangs on it.

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

// There are as many of these as there are items. A field that is declared here and set there would be set twice.
export class Row {
  declare readonly key: string;
  /** undefined while the item is absent; the row itself stays until the batch settles. */
  declare value: unknown;
  /** The settled value, kept while the row is dirty. */
  declare before: unknown;
  /** It changed in the batch that is under way, and was not announced yet. */
  declare dirty: boolean;
  /** Its last announced change was an update. */
  declare updated: boolean;
  /** The inputs of derived collections that this item is: a change finds them without a lookup. */
  declare attached: RowInput | RowInput[] | null;
  /** In a derived collection, the input that owns this row. */
  declare owner: RowInput | null;
  /** What filters have read of the settled value; null as long as none has. */
  declare attributes: RowAttributes | null;
  /** Where the trace of a batch tells of it. */
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

/** The item as everybody was told of it: what a batch that is under way does to it does not show. */
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

/** Takes one out of a list, in its place: of tens of thousands that go one after the other, none copies the rest. */
export function removeFromList<T>(from: T[], one: T): void {
  const at = from.indexOf(one);
  if (at >= 0) from.splice(at, 1);
}
