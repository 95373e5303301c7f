// Collects the changes of batches since the views were last updated.
import type {ViewChanges} from '../../../explain/records.ts';
import type {Batch} from '../../../history/batch.ts';
import {isJournal} from '../../../history/journal.ts';

interface CollectionChanges {
  keys: Set<string>;
  inputs: Set<string>;
  lastKey: string | undefined;
  lastInput: string | undefined;
}

export class PendingChanges {
  #byCollection = new Map<string, CollectionChanges>();

  get isEmpty(): boolean {
    return this.#byCollection.size === 0;
  }

  add(batch: Batch): void {
    for (const node of batch.changeNodes) {
      if (node === undefined || isJournal(node.published.collection)) continue;
      const spot = this.#spot(node.published.collection);
      spot.keys.add(node.published.key);
      spot.lastKey = node.published.key;
    }
    for (const node of batch.runNodes) {
      if (node === undefined) continue;
      const spot = this.#spot(node.run.collection);
      spot.inputs.add(node.run.input);
      spot.lastInput = node.run.input;
    }
  }

  /** Returns everything since the last call. */
  take(): ViewChanges {
    const spots = this.#byCollection;
    this.#byCollection = new Map();
    return spots;
  }

  #spot(collection: string): CollectionChanges {
    let spot = this.#byCollection.get(collection);
    if (spot === undefined) {
      spot = {keys: new Set(), inputs: new Set(), lastKey: undefined, lastInput: undefined};
      this.#byCollection.set(collection, spot);
    }
    return spot;
  }
}
