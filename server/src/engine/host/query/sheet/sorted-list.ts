// Compares values, and keeps a list of keys sorted while a few of them change.

/** The sort key of a value, computed once for each entry, so that a comparison is cheap. */
export type SortKey = number | boolean | string | undefined;

/**
 * Numbers inside a text compare by value, `web-2` before `web-10`, unless `plain`. Lists and objects sort by their
 * content.
 */
export function sortKey(value: unknown, plain = false): SortKey {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (plain) return sortText(value);
  return sortText(value).replace(/\d+/g, digits => digits.padStart(12, '0'));
}

function sortText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(sortText).join(',');
  return JSON.stringify(value) ?? '';
}

function sortRank(value: SortKey): number {
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return 1;
  return value === undefined ? 3 : 2;
}

/** Numbers, then booleans, then texts. Missing values come last in both directions. */
export function compareSortKeys(a: SortKey, b: SortKey, descending = false): number {
  const byRank = sortRank(a) - sortRank(b);
  if (byRank !== 0 || a === undefined || b === undefined) return byRank;
  const compared = a < b ? -1 : a > b ? 1 : 0;
  return descending ? -compared : compared;
}

export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export interface SortBy {
  readonly path: string;
  readonly descending: boolean;
}

export function parseSort(sort: string | undefined): SortBy | undefined {
  if (sort === undefined || sort === '') return undefined;
  return sort.startsWith('-') ? {path: sort.slice(1), descending: true} : {path: sort, descending: false};
}

/** Entries that one step sorts, places or merges: well under a millisecond. */
const STEP = 256;

/** Sorts pieces and then merges them in pairs. */
function* sortSteps<E>(list: readonly E[], compare: (a: E, b: E) => number): Generator<undefined, E[]> {
  let pieces: E[][] = [];
  for (let at = 0; at < list.length; at += STEP) {
    pieces.push(list.slice(at, at + STEP).sort(compare));
    yield;
  }
  while (pieces.length > 1) {
    const merged: E[][] = [];
    for (let at = 0; at < pieces.length; at += 2) {
      const [one, other] = [pieces[at]!, pieces[at + 1]];
      merged.push(other === undefined ? one : yield* mergeSteps(one, other, compare));
    }
    pieces = merged;
  }
  return pieces[0] ?? [];
}

function* mergeSteps<E>(one: readonly E[], other: readonly E[], compare: (a: E, b: E) => number) {
  const merged: E[] = [];
  let left = 0;
  let right = 0;
  while (left < one.length || right < other.length) {
    const first = right >= other.length || (left < one.length && compare(one[left]!, other[right]!) <= 0);
    merged.push(first ? one[left++]! : other[right++]!);
    if (merged.length % STEP === 0) yield;
  }
  return merged;
}

/**
 * Entries in order, at most one for each key. Changes are placed by bisection, and the list is rebuilt from the
 * pieces in between. So a frame with a thousand changes in 100,000 rows costs one copy.
 */
export class SortedList<E extends {readonly key: string}> {
  readonly #compare: (a: E, b: E) => number;
  readonly #byKey = new Map<string, E>();
  #list: E[] = [];

  constructor(compare: (a: E, b: E) => number) {
    this.#compare = (a, b) => compare(a, b) || compareKeys(a.key, b.key);
  }

  get size(): number {
    return this.#list.length;
  }

  list(): readonly E[] {
    return this.#list;
  }

  get(key: string): E | undefined {
    return this.#byKey.get(key);
  }

  /** Replaces everything in steps: sorting a hundred thousand entries at once would block other answers. */
  *fill(entries: readonly E[]): Generator<undefined, void> {
    this.#byKey.clear();
    for (const [at, entry] of entries.entries()) {
      this.#byKey.set(entry.key, entry);
      if (at % STEP === STEP - 1) yield;
    }
    this.#list = yield* sortSteps([...this.#byKey.values()], this.#compare);
  }

  /** Sets the entry of each key, or removes it with null. Returns true if anything changed its place. */
  update(changes: ReadonlyMap<string, E | null>): boolean {
    const removed: number[] = [];
    const added: {at: number; entry: E}[] = [];
    for (const [key, entry] of changes) {
      const old = this.#byKey.get(key);
      if (old === undefined && entry === null) continue;
      // Mostly a row stays where it is. Then nothing is copied.
      if (old !== undefined && entry !== null && this.#compare(old, entry) === 0) {
        this.#list[this.#place(old)] = entry;
        continue;
      }
      if (old !== undefined) removed.push(this.#place(old));
      if (entry) added.push({at: this.#place(entry), entry});
    }
    for (const [key, entry] of changes) {
      if (entry) this.#byKey.set(key, entry);
      else this.#byKey.delete(key);
    }
    if (removed.length === 0 && added.length === 0) return false;
    this.#splice(removed, added);
    return true;
  }

  #place(entry: E): number {
    let low = 0;
    let high = this.#list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(this.#list[middle]!, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Moves everything between two places as one piece, without comparing it. */
  #splice(removed: number[], added: {at: number; entry: E}[]): void {
    removed.sort((a, b) => a - b);
    added.sort((a, b) => a.at - b.at || this.#compare(a.entry, b.entry));
    const pieces: E[][] = [];
    let from = 0;
    let leaving = 0;
    let coming = 0;
    while (leaving < removed.length || coming < added.length) {
      const next = added[coming];
      // A new entry stands before the current one at its place.
      if (next && (leaving >= removed.length || next.at <= removed[leaving]!)) {
        if (next.at > from) pieces.push(this.#list.slice(from, next.at));
        from = Math.max(from, next.at);
        pieces.push([next.entry]);
        coming++;
      } else {
        const place = removed[leaving]!;
        if (place > from) pieces.push(this.#list.slice(from, place));
        from = place + 1;
        leaving++;
      }
    }
    pieces.push(this.#list.slice(from));
    this.#list = ([] as E[]).concat(...pieces);
  }
}
