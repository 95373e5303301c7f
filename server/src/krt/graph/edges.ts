// The collections that the inputs of a derived collection fetch from, and by how many fetches.

import type {Derived} from '../kinds/derived.ts';
import type {Core} from './core.ts';
import {refuseCycle} from './dependencies.ts';

interface Edge {
  fetches: number;
}

/** Thrown by a fetch whose collection cannot settle now; not an error, and swallowing it changes nothing. */
export class Postponed extends Error {
  constructor(core: Core) {
    super(`"${core.name}" settles first`);
  }
}

export class Edges {
  readonly #derived: Derived;
  readonly #edges = new Map<Core, Edge>();

  constructor(derived: Derived) {
    this.#derived = derived;
  }

  /**
   * Counts one more fetch from `core`; the first one may settle it, or throw because it closes a cycle, or because
   * the reader has to come again: then the edge stays, so that `core` settles before it.
   */
  hold(core: Core): void {
    const edge = this.#edges.get(core);
    if (edge !== undefined) {
      edge.fetches++;
      return;
    }
    const derived = this.#derived;
    refuseCycle(derived, core);
    this.#edges.set(core, {fetches: 1});
    core.readers.add(derived);
    derived.raise(core.level + 1);
    if (!derived.engine.settleFirst(core)) throw new Postponed(core);
  }

  release(core: Core): void {
    const edge = this.#edges.get(core);
    if (edge === undefined || --edge.fetches > 0) return;
    this.#edges.delete(core);
    core.readers.delete(this.#derived);
    this.#derived.engine.edgeGone();
  }

  collections(): Iterable<Core> {
    return this.#edges.keys();
  }

  counts(): Iterable<[Core, Readonly<Edge>]> {
    return this.#edges.entries();
  }
}
