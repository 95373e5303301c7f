// One batch as the harness wrote it, and the results without each of its writes.
import {parsePath} from '@krtscope/shared/path.ts';
import {type Objects, type Rows, rowsOf, textOf} from './expected-rows.ts';

export interface Written {
  readonly collection: string;
  readonly key: string;
  readonly old: object | undefined;
  readonly new: object | undefined;
  /** The writers: several if the batch wrote the object twice. */
  readonly managers: readonly string[];
}

/** The part under test: a row, one field of it, or all rows of an input, each with its key. */
export type View = (rows: Rows) => readonly (readonly [key: string, row: unknown])[];

/** A row that exists on one side only outweighs any number of its fields. */
const WHOLE_ROW = 1000;

export class BatchTruth {
  readonly sequence: number;
  readonly writes: readonly Written[];
  readonly before: Objects;
  readonly #rows = new Map<string, Rows>();

  constructor(sequence: number, before: Objects, writes: readonly Written[]) {
    this.sequence = sequence;
    this.before = before;
    this.writes = writes;
  }

  get after(): Objects {
    return this.#objects(this.#all);
  }

  get rowsBefore(): Rows {
    return this.#state(0);
  }

  get rowsAfter(): Rows {
    return this.#state(this.#all);
  }

  changed(view: View): boolean {
    return differs(view, this.rowsBefore, this.rowsAfter);
  }

  /** Writes whose removal alone changes the view. Otherwise those that suffice alone. */
  right(view: View): Written[] {
    const needed = this.writes.filter(write => differs(view, this.#without(write), this.rowsAfter));
    if (needed.length > 0 || !this.changed(view)) return needed;
    return this.writes.filter((_, i) => !differs(view, this.#state(1 << i), this.rowsAfter));
  }

  /** How much of the view is otherwise without a write: whole rows first, then fields. */
  weight(view: View, write: Written): number {
    return extent(view, this.#without(write), this.rowsAfter);
  }

  /** The same without one path of a write; undefined where the path cannot be undone alone. */
  pathWeight(view: View, write: Written, path: string): number | undefined {
    if (write.old === undefined || write.new === undefined) return undefined;
    const undone = withPath(write.new, write.old, path);
    return undone && extent(view, this.#instead(write, undone), this.rowsAfter);
  }

  #without(write: Written): Rows {
    return this.#state(this.#all & ~(1 << this.writes.indexOf(write)));
  }

  /** Whether this path was decisive: its removal changes the view, or it suffices alone. */
  isRightPath(write: Written, path: string, view: View): boolean {
    if (write.old === undefined || write.new === undefined) return false;
    const undone = withPath(write.new, write.old, path);
    const alone = withPath(write.old, write.new, path);
    if (undone === undefined || alone === undefined) return false;
    if (differs(view, this.#instead(write, undone), this.rowsAfter)) return true;
    return !differs(view, this.#instead(write, alone), this.rowsAfter);
  }

  #instead(write: Written, object: object): Rows {
    const objects = new Map(this.after);
    objects.set(write.collection, new Map(objects.get(write.collection)).set(write.key, object));
    return rowsOf(objects);
  }

  get #all(): number {
    return (1 << this.writes.length) - 1;
  }

  #state(mask: number): Rows {
    let rows = this.#rows.get(String(mask));
    if (rows === undefined) {
      rows = rowsOf(this.#objects(mask));
      this.#rows.set(String(mask), rows);
    }
    return rows;
  }

  #objects(mask: number): Objects {
    const objects = new Map(this.before);
    for (const [i, {collection, key, new: now}] of this.writes.entries()) {
      if ((mask & (1 << i)) === 0) continue;
      const items = new Map(objects.get(collection));
      if (now === undefined) items.delete(key);
      else items.set(key, now);
      objects.set(collection, items);
    }
    return objects;
  }

  /** Frees values that can be computed again. */
  forget(): void {
    this.#rows.clear();
  }
}

/** `into` with the value that `from` has at a path; undefined if the path does not exist. */
function withPath(into: object, from: object, path: string): object | undefined {
  const segments = parsePath(path);
  const copy = structuredClone(into) as Record<string, unknown>;
  let target: unknown = copy;
  let source: unknown = from;
  for (const [i, segment] of segments.entries()) {
    if (typeof target !== 'object' || target === null) return undefined;
    const place = target as Record<string, unknown>;
    const theirs = (source as Record<string, unknown> | undefined)?.[segment];
    // Takes a list as a whole, because the positions of its elements differ.
    const isLast =
      i === segments.length - 1 || Array.isArray(place[segment]) || typeof place[segment] !== 'object';
    if (isLast) {
      if (theirs === undefined) delete place[segment];
      else place[segment] = structuredClone(theirs);
      return copy;
    }
    source = theirs;
    target = place[segment];
  }
  return undefined;
}

function differs(view: View, a: Rows, b: Rows): boolean {
  return textOf(view(a)) !== textOf(view(b));
}

function extent(view: View, a: Rows, b: Rows): number {
  const others = new Map(view(a));
  let sum = 0;
  for (const [key, row] of view(b)) {
    const other = others.get(key);
    others.delete(key);
    sum += other === undefined ? WHOLE_ROW : differingFields(other, row);
  }
  return sum + others.size * WHOLE_ROW;
}

function differingFields(a: unknown, b: unknown): number {
  const [one, other] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  return Object.keys({...one, ...other}).filter(field => textOf(one[field]) !== textOf(other[field])).length;
}

export function rowView(collection: string, key: string): View {
  return rows => {
    const row = rows.get(collection)?.get(key);
    return row === undefined ? [] : [[key, row]];
  };
}

export function fieldView(collection: string, key: string, field: string): View {
  return rows => {
    const row = rows.get(collection)?.get(key) as Record<string, unknown> | undefined;
    return row === undefined ? [] : [[key, {[field]: row[field]}]];
  };
}
