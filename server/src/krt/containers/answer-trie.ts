// The answers of a rehearsal, found by their query. Runs of one formula differ only in values, such as a
// namespace or a label. The trie follows those values, because a text of every query takes longer to build.

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
/** Further shapes share one trie: a cluster may have labels of any name. */
const MAX_SHAPES = 8;

/** Queries that differ only in values: the same filters over the same indexes, with the same label names. */
class FilterShape<A> {
  readonly #parts: readonly unknown[];
  readonly #root = new AnswerNode<A>();

  constructor(parts: readonly unknown[]) {
    this.#parts = parts;
  }

  /** Null if the filters have another shape. */
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

  /** Null if a function decides, or a filter is malformed: such queries cannot be compared. */
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

/**
 * Kinds are numbers, the end is a symbol and the rest is text, so no query reads as another. The order of
 * filters counts.
 */
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
        // The query itself reports a label that is not a text.
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
