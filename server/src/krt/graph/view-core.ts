// Collections built on others without a formula per input: maps, joins, groups, status rows. Keys come from
// upstream, so items need none.

import {Row, removeFromList} from '../containers/row.ts';
import type {IndexCore} from '../query/index-core.ts';
import type {RowState} from '../values/collection.ts';
import {ownKey, requireTextKey} from '../values/key.ts';
import {CollectionCore, type CollectionView} from './collection-core.ts';

export abstract class ViewCore extends CollectionCore implements CollectionView {
  abstract upstreamChanged(upstream: CollectionCore, row: Row, old: unknown, now: unknown): void;
  abstract upstreamSynced(upstream: CollectionCore): void;

  groups(_: IndexCore): boolean {
    return false;
  }

  // Items need not know their keys, so search the rows.
  override keyOf(item: unknown): string {
    const claimed = this.claimedKey(item);
    if (claimed !== undefined && this.rows.get(claimed)?.value === item) return claimed;
    for (const row of this.rows.values()) if (row.value === item) return row.key;
    return claimed ?? super.keyOf(item);
  }

  /** The key that the item itself has, if any. */
  protected claimedKey(item: unknown): string | undefined {
    return this.keyOption !== null
      ? requireTextKey(this.keyOption(item), item, this.name)
      : ownKey(item, this.name);
  }

  /** Subscribes, and puts the view behind the upstream in the order of turns. */
  protected watch(upstream: CollectionCore): void {
    if (upstream.stopped) return;
    upstream.views.push(this);
    this.raiseLevel(upstream.level + 1);
  }

  protected unwatch(upstream: CollectionCore): void {
    removeFromList(upstream.views, this);
  }

  /** Sets or removes a row; ignores the identical item. */
  protected assign(key: string, item: unknown): void {
    let row = this.rows.get(key);
    if (row === undefined) {
      if (item === undefined) return;
      row = new Row(key);
      this.rows.set(key, row);
    }
    if (row.value === item) return;
    this.markDirty(row);
    row.value = item;
  }

  /** Removes all rows in a batch, before the view is stopped, so that the recording has their end. */
  clear(): void {
    if (this.stopped) return;
    // A later change of an input would add rows again.
    this.withdraw();
    this.engine.runInBatch(() => {
      for (const {key} of [...this.rows.values()]) this.assign(key, undefined);
      this.engine.enqueue(this);
    });
  }

  rowState(key: string): RowState | undefined {
    const row = this.rows.get(key);
    if (row?.value === undefined) return undefined;
    return {key, stale: false, outcome: row.updated ? 'changed' : 'added'};
  }
}
