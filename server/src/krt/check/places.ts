// Where the answers of a rehearsal are kept, by query. Runs of one formula ask the same but for its values (a namespace,
// what a label says), so these alone lead to a place; to write a text of the query each time is slower.

import type {Labels} from '../api/collection.ts';
import {type Filter, GENERIC, KEYS} from '../query/filter.ts';

export class Place<A> {
  answer: A | null = null;
  #next: Map<unknown, Place<A>> | null = null;

  step(part: unknown): Place<A> {
    this.#next ??= new Map();
    let next = this.#next.get(part);
    if (next === undefined) {
      next = new Place();
      this.#next.set(part, next);
    }
    return next;
  }
}

const END = Symbol('end');
/** More are told apart step by step: a cluster may have labels of any name. */
const MOST = 8;

/** Queries that differ in their values only: the same filters over the same indexes, labels of the same names. */
class Shape<A> {
  readonly #parts: readonly unknown[];
  readonly #root = new Place<A>();

  constructor(parts: readonly unknown[]) {
    this.#parts = parts;
  }

  /** Null: it is none of these. */
  place(filters: readonly Filter[]): Place<A> | null {
    const parts = this.#parts;
    let place = this.#root;
    let at = 0;
    for (let i = 0; i < filters.length; i++) {
      const {kind, value, index} = filters[i] as Filter;
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

export class Places<A> {
  readonly #shapes: Shape<A>[] = [];
  readonly #rest = new Place<A>();

  /** Null: it can be told from no other, because a function decides, or it is no query. */
  of(filters: readonly Filter[]): Place<A> | null {
    for (let i = 0; i < this.#shapes.length; i++) {
      const place = (this.#shapes[i] as Shape<A>).place(filters);
      if (place !== null) return place;
    }
    const parts = partsOf(filters);
    if (parts === null) return null;
    if (this.#shapes.length === MOST)
      return parts.values.reduce<Place<A>>((place, part) => place.step(part), this.#rest);
    const shape = new Shape<A>(parts.names);
    this.#shapes.push(shape);
    return shape.place(filters);
  }
}

/** Kinds are numbers and ends a symbol, all else is text: no query is written as another. In another order it is another. */
function partsOf(filters: readonly Filter[]): {names: unknown[]; values: unknown[]} | null {
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
