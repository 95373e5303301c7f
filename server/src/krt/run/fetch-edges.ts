// The collections that a derived collection fetches from, with the number of fetches.

import type {CollectionCore} from '../graph/collection-core.ts';
import {refuseCycle} from './cycles.ts';

interface FetchEdge {
  fetches: number;
}

/**
 * Thrown by a fetch whose collection cannot settle now. It is not an error, and the run is rolled back even
 * if the formula catches it.
 */
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
   * Counts a fetch from `core`. The first fetch may settle `core`. It throws if it closes a cycle, or if the
   * reader has to run again. In that case the edge stays, so that `core` settles first.
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
