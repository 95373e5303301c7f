// Collections written from outside: rows change at once for their own readers, and reach the graph when
// the batch settles.

import type {CollectionKind, Options, RowState} from '../api/collection.ts';
import {Core} from '../graph/core.ts';
import type {EngineCore} from '../graph/engine.ts';
import {Row} from '../graph/row.ts';
import {NamedRows, namesOf} from '../run/named-rows.ts';
import type {SyncLatchCore} from './latch.ts';

export abstract class Source extends Core {
  override readonly root = true;
  abstract override readonly kind: CollectionKind;
  readonly #latch: SyncLatchCore | null;
  override readonly rows = new NamedRows();

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

  /** As begin, for items that make their own keys. Among items of one key the last counts. */
  beginWith(items: readonly unknown[]): this {
    const {engine} = this;
    // An item without a key throws here, before there is anything to take back.
    const keys = items.map(item => this.keyOf(item));
    const alone = engine.idle && !engine.heard;
    engine.hold(() => {
      engine.adopt(this);
      this.#latch?.add(this);
      for (let i = 0; i < items.length; i++) {
        const item = items[i];
        const row = this.rowOf(keys[i] as string, item);
        // Nobody can have seen the collection yet: its first rows need not be told as changes.
        if (alone && item !== undefined) row.value = item;
        else this.putAt(row, item);
      }
      if (items.length > 0) engine.changed = true;
      engine.enqueue(this);
    });
    return this;
  }

  protected put(key: string, item: unknown): void {
    this.putAt(this.rowOf(key, item), item);
  }

  /** The row of this key, made if there is none. */
  protected rowOf(key: string, item: unknown): Row {
    const {rows} = this;
    const names = this.keyOption === null ? namesOf(item) : null;
    const placed = names === null ? null : rows.place(names, key);
    if (placed !== null) return placed;
    let row = rows.get(key);
    if (row === undefined) {
      row = new Row(key);
      rows.set(key, row);
    }
    return row;
  }

  protected putAt(row: Row, item: unknown): void {
    if (this.indexes.length > 0) for (const index of this.indexes) index.changed(row, row.value, item);
    this.touch(row);
    row.value = item;
    if (!this.queued) this.engine.enqueue(this);
  }

  /** The row of a Kubernetes object without joining its key, which costs more than the rest of a small batch. */
  protected rowFor(item: unknown): Row | undefined {
    if (this.keyOption !== null) return this.rows.get(this.keyOption(item));
    const names = namesOf(item);
    return names === null ? undefined : this.rows.named(names);
  }

  override forgetRow(row: Row, old: unknown): void {
    this.rows.remove(row, old);
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
