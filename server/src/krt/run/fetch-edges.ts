// The collections that the inputs of a derived collection fetch from, and by how many fetches.

import type {CollectionCore} from '../graph/collection-core.ts';
import {refuseCycle} from './cycles.ts';

interface FetchEdge {
  fetches: number;
}

/** Thrown by a fetch whose collection cannot settle now; not an error, and swallowing it changes nothing. */
export class PostponedFetch extends Error {
  constructor(core: CollectionCore) {
    super(`"${core.name}" settles first`);
  }
}

export class FetchEdges {
  readonly #derived: CollectionCore;
  readonly #edges = new Map<CollectionCore, FetchEdge>();

  constructor(derived: CollectionCore) {
    this.#derived = derived;
  }

  /**
   * Counts one more fetch from `core`; the first one may settle it, or throw because it closes a cycle, or because
   * the reader has to come again: then the edge stays, so that `core` settles before it.
   */
  retain(core: CollectionCore): void {
    const edge = this.#edges.get(core);
    if (edge !== undefined) {
      edge.fetches++;
      return;
    }
    const derived = this.#derived;
    refuseCycle(derived, core);
    this.#edges.set(core, {fetches: 1});
    core.readers.add(derived);
    derived.raiseLevel(core.level + 1);
    if (!derived.engine.settleFirst(core)) throw new PostponedFetch(core);
  }

  release(core: CollectionCore): void {
    const edge = this.#edges.get(core);
    if (edge === undefined || --edge.fetches > 0) return;
    this.#edges.delete(core);
    core.readers.delete(this.#derived);
    this.#derived.engine.recheckCycles();
  }

  collections(): Iterable<CollectionCore> {
    return this.#edges.keys();
  }

  counts(): Iterable<[CollectionCore, Readonly<FetchEdge>]> {
    return this.#edges.entries();
  }
}
