// Collections that are built on others without a formula per input: maps, joins, groups, status rows.
// Their keys come from what they look at, so that their items need none.

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

  // Its items need not know their keys: whose item it is says the row.
  override keyOf(item: unknown): string {
    const claimed = this.claimedKey(item);
    if (claimed !== undefined && this.rows.get(claimed)?.value === item) return claimed;
    for (const row of this.rows.values()) if (row.value === item) return row.key;
    return claimed ?? super.keyOf(item);
  }

  /** The item's own idea of its key, if it has one. */
  protected claimedKey(item: unknown): string | undefined {
    return this.keyOption !== null
      ? requireTextKey(this.keyOption(item), item, this.name)
      : ownKey(item, this.name);
  }

  /** Subscribes; the view's turn comes after that of what it looks at. */
  protected watch(upstream: CollectionCore): void {
    if (upstream.stopped) return;
    upstream.views.push(this);
    this.raiseLevel(upstream.level + 1);
  }

  protected unwatch(upstream: CollectionCore): void {
    removeFromList(upstream.views, this);
  }

  /** Sets or removes a row; the identical item again is nothing. */
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

  rowState(key: string): RowState | undefined {
    const row = this.rows.get(key);
    if (row?.value === undefined) return undefined;
    return {key, stale: false, outcome: row.updated ? 'changed' : 'added'};
  }
}
