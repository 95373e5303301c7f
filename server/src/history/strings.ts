// The strings and queries of one block, each written once and then named by number.
import type {Clause} from '../krt/index.ts';

export class Words {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  /** The number of a string; -1 for none. */
  of(text: string | undefined): number {
    if (text === undefined) return -1;
    const held = this.#places.get(text);
    if (held !== undefined) return held;
    const place = this.list.length;
    this.#places.set(text, place);
    this.list.push(text);
    return place;
  }
}

/** Collection, filter text and clauses of a fetch: most runs of a batch make the same few. */
export type EncodedQuery = [collection: number, filter: number, clauses: readonly Clause[]];

export class Queries {
  readonly list: EncodedQuery[] = [];
  readonly #words: Words;
  readonly #places = new Map<string, Map<string, number>>();

  constructor(words: Words) {
    this.#words = words;
  }

  of(collection: string, filter: string, clauses: readonly Clause[]): number {
    let filters = this.#places.get(collection);
    if (filters === undefined) {
      filters = new Map();
      this.#places.set(collection, filters);
    }
    const held = filters.get(filter);
    if (held !== undefined) return held;
    const place = this.list.length;
    filters.set(filter, place);
    this.list.push([this.#words.of(collection), this.#words.of(filter), clauses]);
    return place;
  }
}
