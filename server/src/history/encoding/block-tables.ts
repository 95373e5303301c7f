// The tables of one encoded block: names, queries and answers. Each is written once, where it is first used, and has a
// number from then on.
import type {Clause, Outcome, Via} from '../../krt/index.ts';
import type {ByteReader, ByteWriter} from './bytes.ts';

export const outcomeWords: readonly Outcome[] = [
  'added',
  'changed',
  'deleted',
  'equal',
  'empty',
  'discarded',
  'failed',
  'suspended',
];
export const eventWords = ['add', 'update', 'delete'] as const;
export const causeWords = ['input', 'fetch', 'trigger', 'synced', 'formula'] as const;
export const matchWords = ['old', 'new', 'both'] as const;
export const outputWords = ['added', 'changed', 'deleted', 'equal'] as const;

export const outcomeNumbers = numbersOf(outcomeWords);
export const eventNumbers = numbersOf(eventWords);
export const causeNumbers = numbersOf(causeWords);
export const matchNumbers = numbersOf(matchWords);
export const outputNumbers = numbersOf(outputWords);

function numbersOf<W extends string>(words: readonly W[]): Readonly<Record<W, number>> {
  return Object.fromEntries(words.map((word, i) => [word, i])) as Record<W, number>;
}

/** For a few entries a list is faster than a Map. */
const FEW = 16;

/** The values of this block, by their number. */
class NumberedEntries<T> {
  /** Filled up to `#count` and never shortened, because blocks are written many times a second. */
  readonly #list: T[] = [];
  #count = 0;
  #map: Map<T, number> | null = null;

  get size(): number {
    return this.#count;
  }

  /** The number of a value; -1 if it is new, and then it gets one. */
  find(thing: T): number {
    const list = this.#list;
    const count = this.#count;
    this.#count = count + 1;
    if (this.#map !== null) {
      const at = this.#map.get(thing);
      if (at === undefined) this.#map.set(thing, count);
      else this.#count = count;
      return at ?? -1;
    }
    for (let at = 0; at < count; at++) {
      if (list[at] !== thing) continue;
      this.#count = count;
      return at;
    }
    list[count] = thing;
    if (count === FEW) this.#map = new Map(list.map((held, at) => [held, at]));
    return -1;
  }

  clear(): void {
    this.#count = 0;
    this.#map = null;
  }
}

/** Names of collections, filters and ways of answering; questions; and lists of keys that answered them. */
export class BlockTableWriter {
  readonly #writer: ByteWriter;
  readonly #names = new NumberedEntries<string>();
  readonly #queries = new NumberedEntries<readonly Clause[]>();
  readonly #answers = new NumberedEntries<readonly string[]>();

  constructor(writer: ByteWriter) {
    this.#writer = writer;
  }

  clear(): void {
    this.#names.clear();
    this.#queries.clear();
    this.#answers.clear();
  }

  name(name: string): void {
    const at = this.#names.find(name);
    if (at >= 0) this.#writer.uint(at);
    else {
      this.#writer.uint(this.#names.size - 1);
      this.#writer.text(name);
    }
  }

  via({kind, name}: Via): void {
    this.#writer.uint((kind === 'index' ? 1 : 0) | (name === undefined ? 0 : 2));
    if (name !== undefined) this.name(name);
  }

  query(collection: string, filter: string, clauses: readonly Clause[]): void {
    // The fetches of one query share its clauses, and no other query has them.
    const at = this.#queries.find(clauses);
    this.#writer.uint(at >= 0 ? at : this.#queries.size - 1);
    if (at >= 0) return;
    this.name(collection);
    this.#writer.text(filter);
    this.#writer.text(JSON.stringify(clauses));
  }

  /** At most `limit` of them. */
  answer(keys: readonly string[], limit: number): void {
    const at = this.#answers.find(keys);
    this.#writer.uint(at >= 0 ? at : this.#answers.size - 1);
    if (at >= 0) return;
    const count = Math.min(limit, keys.length);
    this.#writer.uint(count);
    for (let i = 0; i < count; i++) this.#writer.text(keys[i] as string);
  }
}

export interface EncodedQuery {
  collection: string;
  filter: string;
  clauses: readonly Clause[];
}

/** The same tables, as the block is read. */
export class BlockTableReader {
  readonly #reader: ByteReader;
  readonly #names: string[] = [];
  readonly #queries: EncodedQuery[] = [];
  readonly #answers: (readonly string[])[] = [];

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  name(): string {
    return this.#at(this.#names, () => this.#reader.text());
  }

  via(): Via {
    const bits = this.#reader.uint();
    const kind = bits & 1 ? 'index' : 'scan';
    return bits & 2 ? {kind, name: this.name()} : {kind};
  }

  query(): EncodedQuery {
    return this.#at(this.#queries, () => {
      const collection = this.name();
      const filter = this.#reader.text();
      return {collection, filter, clauses: JSON.parse(this.#reader.json()) as Clause[]};
    });
  }

  answer(): readonly string[] {
    return this.#at(this.#answers, () => {
      const keys: string[] = [];
      for (let count = this.#reader.uint(); count > 0; count--) keys.push(this.#reader.text());
      return keys;
    });
  }

  #at<T>(list: T[], read: () => T): T {
    const at = this.#reader.uint();
    if (at > list.length)
      throw new RangeError(`a block names entry ${at} of a table that has ${list.length}`);
    if (at === list.length) list.push(read());
    return list[at] as T;
  }
}
