// Collections written from outside: rows change at once for their own readers, and reach the graph when
// the batch settles.

import type {CollectionKind, Options, RowState} from './collection.ts';
import {Core} from './core.ts';
import type {EngineCore} from './engine.ts';
import type {SyncLatchCore} from './latch.ts';
import {Row} from './row.ts';

export abstract class Source extends Core {
  override readonly root = true;
  abstract override readonly kind: CollectionKind;
  readonly #latch: SyncLatchCore | null;

  constructor(engine: EngineCore, name: string, options: Options<unknown>, latch: SyncLatchCore | null) {
    super(engine, name, options);
    this.#latch = latch;
  }

  begin(initial: Iterable<readonly [string, unknown]>): this {
    this.engine.hold(() => {
      this.engine.adopt(this);
      this.#latch?.add(this);
      for (const [key, item] of initial) this.put(key, item);
      this.engine.enqueue(this);
    });
    return this;
  }

  protected put(key: string, item: unknown): void {
    let row = this.rows.get(key);
    if (row === undefined) {
      row = new Row(key);
      this.rows.set(key, row);
    }
    if (this.indexes.length > 0) for (const index of this.indexes) index.changed(row, row.value, item);
    this.touch(row);
    row.value = item;
    if (!this.queued) this.engine.enqueue(this);
  }

  protected remove(row: Row): void {
    if (row.value === undefined) return;
    if (this.indexes.length > 0) for (const index of this.indexes) index.changed(row, row.value, undefined);
    this.touch(row);
    row.value = undefined;
    if (!this.queued) this.engine.enqueue(this);
  }

  turn(): void {
    this.flush();
    if (!this.synced && (this.#latch === null || this.#latch.hasSynced())) this.becomeSynced();
  }

  latchMarked(): void {
    this.engine.enqueue(this);
  }

  upstreams(): Iterable<Core> {
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
