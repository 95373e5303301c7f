// One item of a collection at its place: its value now, its value before the batch, and who hangs on it.

import type {Entry} from '../run/entry.ts';

const ROW_DIRTY = 1;
const ROW_UPDATED = 2;
/** How many bits a row's own facts take. */
export const ROW_FLAGS = 2;

export class Row {
  readonly key: string;
  /** undefined while the item is absent; the row itself stays until the batch settles. */
  value: unknown = undefined;
  /** The settled value, kept while the row is dirty. */
  before: unknown = undefined;
  /** The inputs of derived collections that this item is: a change finds them without a lookup. */
  attached: Entry | Entry[] | null = null;
  /** In a derived collection, the input that owns this row. */
  owner: Entry | null = null;
  /** Facts about it, a bit each; those above ROW_FLAGS are an entry's. */
  flags = 0;
  /** Where the trace of a batch tells of it; recorder.ts says how. */
  told = 0;

  constructor(key: string) {
    this.key = key;
  }

  /** It changed in the batch that is under way, and was not announced yet. */
  get dirty(): boolean {
    return (this.flags & ROW_DIRTY) !== 0;
  }

  set dirty(is: boolean) {
    this.flags = is ? this.flags | ROW_DIRTY : this.flags & ~ROW_DIRTY;
  }

  /** Its last announced change was an update. */
  get updated(): boolean {
    return (this.flags & ROW_UPDATED) !== 0;
  }

  set updated(is: boolean) {
    this.flags = is ? this.flags | ROW_UPDATED : this.flags & ~ROW_UPDATED;
  }
}

export function attach(row: Row, entry: Entry): void {
  const held = row.attached;
  if (held === null) row.attached = entry;
  else if (Array.isArray(held)) held.push(entry);
  else row.attached = [held, entry];
}

export function detach(row: Row, entry: Entry): void {
  const held = row.attached;
  if (held === entry) row.attached = null;
  else if (Array.isArray(held)) {
    const at = held.indexOf(entry);
    if (at >= 0) held.splice(at, 1);
    if (held.length === 0) row.attached = null;
  }
}
