// Collections written from outside. Their own readers see a write at once; the graph sees it when the batch
// settles.

import {Row} from '../containers/row.ts';
import {RowsByName} from '../containers/rows-by-name.ts';
import {CollectionCore} from '../graph/collection-core.ts';
import type {EngineCore} from '../graph/engine.ts';
import type {CollectionKind, Options, RowState} from '../values/collection.ts';
import type {SyncLatchCore} from './sync-latch.ts';

export abstract class SourceCore extends CollectionCore {
  override readonly root = true;
  abstract override readonly kind: CollectionKind;
  readonly #latch: SyncLatchCore | null;
  readonly #named = new RowsByName();

  constructor(engine: EngineCore, name: string, options: Options<unknown>, latch: SyncLatchCore | null) {
    super(engine, name, options);
    this.#latch = latch;
  }

  /** Joins the graph with these items. Of items with one key the last one counts. */
  begin(items: readonly unknown[]): this {
    // Throws for an item without a key before anything has changed.
    const rows = items.map(item => new Row(this.keyOf(item)));
    this.engine.runInBatch(() => {
      this.engine.addCollection(this);
      this.#latch?.add(this);
      this.#fill(rows, items);
      this.engine.enqueue(this);
    });
    return this;
  }

  // A first list may be long, so rows are not looked up one by one.
  #fill(made: readonly Row[], items: readonly unknown[]): void {
    const {rows} = this;
    made.forEach(row => {
      rows.set(row.key, row);
    });
    const distinct = rows.size === made.length;
    made.forEach((row, at) => {
      if (distinct) this.write(row, items[at]);
      else this.put(row.key, items[at]);
    });
  }

  /** Sets the item of a key; the identical item is no change. */
  protected put(key: string, item: unknown): void {
    let row = this.rows.get(key);
    if (row === undefined) {
      if (item === undefined || this.stopped) return;
      row = new Row(key);
      this.rows.set(key, row);
    }
    this.write(row, item);
  }

  /** Like put, with the own key of the item. */
  protected putByOwnKey(item: unknown): void {
    const named = this.keyOption === null ? this.#named.find(item) : undefined;
    if (named !== undefined) {
      this.write(named, item);
      return;
    }
    const key = this.keyOf(item);
    const row = this.rows.get(key);
    // Not for new rows: most items of a first list are never written again.
    if (row !== undefined && this.keyOption === null) this.#named.add(row, item);
    this.put(key, item);
  }

  protected write(row: Row, item: unknown): void {
    // The function for keys, or for items of a file, may have stopped it.
    if (this.stopped) return;
    const isOnly = !row.dirty && this.synced && this.engine.takeOnly(this);
    if (isOnly) this.markOnly(row);
    else this.markDirty(row);
    row.value = item;
    if (this.indexes.length > 0) for (const index of this.indexes) index.write(row, item);
    if (!isOnly && !this.queued) this.engine.enqueue(this);
  }

  protected remove(row: Row): void {
    if (row.value !== undefined) this.write(row, undefined);
  }

  protected override dropRow(row: Row): void {
    super.dropRow(row);
    this.#named.delete(row);
  }

  turn(): void {
    this.flush();
    if (!this.synced && (this.#latch === null || this.#latch.hasSynced())) this.becomeSynced();
  }

  latchMarked(): void {
    this.engine.enqueue(this);
  }

  upstreams(): Iterable<CollectionCore> {
    return [];
  }

  rowState(key: string): RowState | undefined {
    const row = this.rows.get(key);
    if (row?.value === undefined) return undefined;
    return {key, stale: false, outcome: row.updated ? 'changed' : 'added'};
  }

  protected withdraw(): void {
    this.#latch?.remove(this);
  }
}
