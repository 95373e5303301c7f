// One item of a collection at its place: its value now, its value before the batch, and who hangs on it.

import type {ItemAttributes} from '../query/item-attributes.ts';
import type {InputEntry} from '../run/input-entry.ts';
import type {TracePosition} from './trace-position.ts';

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
  declare attached: InputEntry | InputEntry[] | null;
  /** In a derived collection, the input that owns this row. */
  declare owner: InputEntry | null;
  /** What filters have read of the settled value; null as long as none has. */
  declare attributes: ItemAttributes | null;
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

export function attachInput(row: Row, entry: InputEntry): void {
  const held = row.attached;
  if (held === null) row.attached = entry;
  else if (Array.isArray(held)) held.push(entry);
  else row.attached = [held, entry];
}

export function detachInput(row: Row, entry: InputEntry): void {
  const held = row.attached;
  if (held === entry) row.attached = null;
  else if (Array.isArray(held)) {
    removeFromList(held, entry);
    if (held.length === 0) row.attached = null;
  }
}

/** Takes one out of a list, in its place: of tens of thousands that go one after the other, none copies the rest. */
export function removeFromList<T>(from: T[], one: T): void {
  const at = from.indexOf(one);
  if (at >= 0) from.splice(at, 1);
}
