// Where the answers of a rehearsal are kept, by query. Runs of one formula ask the same but for its values (a namespace,
// what a label says), so these alone lead to a place; to write a text of the query each time is slower.

import {GENERIC, KEYS} from '../values/filter-kinds.ts';
import type {Labels} from '../values/labels.ts';

/** A filter as far as a trie tells filters apart. */
interface FilterParts {
  readonly kind: number;
  readonly value: unknown;
  readonly index: unknown;
}

export class AnswerNode<A> {
  answer: A | null = null;
  #next: Map<unknown, AnswerNode<A>> | null = null;

  step(part: unknown): AnswerNode<A> {
    this.#next ??= new Map();
    let next = this.#next.get(part);
    if (next === undefined) {
      next = new AnswerNode();
      this.#next.set(part, next);
    }
    return next;
  }
}

const END = Symbol('end');
/** More are told apart step by step: a cluster may have labels of any name. */
const MAX_SHAPES = 8;

/** Queries that differ in their values only: the same filters over the same indexes, labels of the same names. */
class FilterShape<A> {
  readonly #parts: readonly unknown[];
  readonly #root = new AnswerNode<A>();

  constructor(parts: readonly unknown[]) {
    this.#parts = parts;
  }

  /** Null: it is none of these. */
  place(filters: readonly FilterParts[]): AnswerNode<A> | null {
    const parts = this.#parts;
    let place = this.#root;
    let at = 0;
    for (let i = 0; i < filters.length; i++) {
      const {kind, value, index} = filters[i] as FilterParts;
      if (parts[at++] !== kind || parts[at++] !== index) return null;
      if (typeof value === 'string') place = place.step(value);
      else if (kind === KEYS) place = place.step(JSON.stringify(value));
      else {
        const labels = value as Labels;
        for (const name in labels) {
          if (parts[at++] !== name) return null;
          place = place.step(labels[name]);
        }
        if (parts[at++] !== END) return null;
      }
    }
    return at === parts.length ? place : null;
  }
}

export class AnswerTrie<A> {
  readonly #shapes: FilterShape<A>[] = [];
  readonly #rest = new AnswerNode<A>();

  /** Null: it can be told from no other, because a function decides, or it is no query. */
  of(filters: readonly FilterParts[]): AnswerNode<A> | null {
    for (let i = 0; i < this.#shapes.length; i++) {
      const place = (this.#shapes[i] as FilterShape<A>).place(filters);
      if (place !== null) return place;
    }
    const parts = partsOf(filters);
    if (parts === null) return null;
    if (this.#shapes.length === MAX_SHAPES)
      return parts.values.reduce<AnswerNode<A>>((place, part) => place.step(part), this.#rest);
    const shape = new FilterShape<A>(parts.names);
    this.#shapes.push(shape);
    return shape.place(filters);
  }
}

/** Kinds are numbers and ends a symbol, all else is text: no query is written as another. In another order it is another. */
function partsOf(filters: readonly FilterParts[]): {names: unknown[]; values: unknown[]} | null {
  const names: unknown[] = [];
  const values: unknown[] = [];
  for (const {kind, value, index} of filters) {
    if (kind === GENERIC) return null;
    names.push(kind, index);
    values.push(kind, index);
    if (typeof value === 'string') values.push(value);
    else if (kind === KEYS) values.push(JSON.stringify(value));
    else {
      for (const [name, own] of Object.entries(value as Labels)) {
        // What is no text is told by whoever makes a query of it.
        if (typeof own !== 'string') return null;
        names.push(name);
        values.push(name, own);
      }
      names.push(END);
      values.push(END);
    }
  }
  return {names, values};
}
