// What changed since views were last told, gathered over batches.
import type {Dirty} from '../../explain/records.ts';
import type {Batch} from '../../history/batch.ts';
import {isJournal} from '../../history/journal.ts';

interface Spot {
  keys: Set<string>;
  inputs: Set<string>;
}

export class Dirt {
  #spots = new Map<string, Spot>();

  get isClean(): boolean {
    return this.#spots.size === 0;
  }

  add(batch: Batch): void {
    for (const node of batch.changeNodes) {
      if (node !== undefined && !isJournal(node.published.collection))
        this.#spot(node.published.collection).keys.add(node.published.key);
    }
    for (const node of batch.runNodes) {
      if (node !== undefined) this.#spot(node.run.collection).inputs.add(node.run.input);
    }
  }

  /** Everything since the last call. */
  take(): Dirty {
    const spots = this.#spots;
    this.#spots = new Map();
    return spots;
  }

  #spot(collection: string): Spot {
    let spot = this.#spots.get(collection);
    if (spot === undefined) {
      spot = {keys: new Set(), inputs: new Set()};
      this.#spots.set(collection, spot);
    }
    return spot;
  }
}
