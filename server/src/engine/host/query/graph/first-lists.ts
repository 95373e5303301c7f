// Which batches brought a source's first list (or a replay of it): they are history, not news, and count for no lag.
import type {BatchSummary, Records} from '../../../../explain/records.ts';

export class FirstLists {
  /** By collection, the batches in which it became synced: once, and again after each restart of the engine process. */
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

  /** Whether a write of that collection in that batch belongs to its first list. */
  includes(records: Records, collection: string, sequence: number): boolean {
    const synced = this.#synced.get(collection) ?? [];
    // A sync that changed nothing has no batch of its own; the records may know of it all the same.
    const since = records.syncedSince?.(collection) ?? synced[0];
    if (since === undefined) return records.collection(collection)?.synced === false;
    return sequence <= since || synced.includes(sequence);
  }

  /** A batch that brings nothing but first lists. */
  isOnlyFirstLists(records: Records, batch: BatchSummary): boolean {
    return (
      batch.roots.length > 0 && batch.roots.every(r => this.includes(records, r.collection, batch.sequence))
    );
  }
}
