// The numbers that stand for words in an encoded block, and the names of one block, each written once.
import type {Clause, Outcome} from '../krt/index.ts';

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

/** Few and often repeated: names of collections, filters, ways of answering. Keys are not: they are written where they are. */
export class Names {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  /** The number of a name; -1 for none. */
  of(text: string | undefined): number {
    if (text === undefined) return -1;
    let place = this.#places.get(text);
    if (place === undefined) {
      place = this.list.length;
      this.#places.set(text, place);
      this.list.push(text);
    }
    return place;
  }
}

/** Collection, filter text and clauses of a fetch: most runs of a batch make the same few. */
export type EncodedQuery = [collection: number, filter: string, clauses: readonly Clause[]];

export class Queries {
  readonly list: EncodedQuery[] = [];
  readonly #names: Names;
  readonly #places = new Map<number, Map<string, number>>();

  constructor(names: Names) {
    this.#names = names;
  }

  of(collection: string, filter: string, clauses: readonly Clause[]): number {
    const name = this.#names.of(collection);
    let filters = this.#places.get(name);
    if (filters === undefined) {
      filters = new Map();
      this.#places.set(name, filters);
    }
    let place = filters.get(filter);
    if (place === undefined) {
      place = this.list.length;
      filters.set(filter, place);
      this.list.push([name, filter, clauses]);
    }
    return place;
  }
}
