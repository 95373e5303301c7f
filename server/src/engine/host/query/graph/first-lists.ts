// Finds the batches with a source's first list or its replay. They are history, not news, and have no lag.
import type {BatchSummary, Records} from '../../../../explain/records.ts';

export class FirstLists {
  /** By collection, the batches in which it became synced: once, and again after each engine restart. */
  readonly #synced = new Map<string, number[]>();
  #seen = 0;

  catchUp(records: Records): void {
    const newest = records.newest();
    if (newest < this.#seen) {
      this.#synced.clear();
      this.#seen = 0;
    }
    if (newest === this.#seen) return;
    for (const batch of records.batches(this.#seen + 1, newest)) {
      for (const name of batch.synced ?? [])
        this.#synced.set(name, [...(this.#synced.get(name) ?? []), batch.sequence]);
    }
    this.#seen = newest;
  }

  /** Whether a write to that collection in that batch belongs to its first list. */
  includes(records: Records, collection: string, sequence: number): boolean {
    const synced = this.#synced.get(collection) ?? [];
    // A sync without changes has no batch of its own, but the records may still know it.
    const since = records.syncedSince?.(collection) ?? synced[0];
    if (since === undefined) return records.collection(collection)?.synced === false;
    return sequence <= since || synced.includes(sequence);
  }

  /** Whether a batch brings only first lists. */
  isOnlyFirstLists(records: Records, batch: BatchSummary): boolean {
    return (
      batch.roots.length > 0 && batch.roots.every(r => this.includes(records, r.collection, batch.sequence))
    );
  }
}
