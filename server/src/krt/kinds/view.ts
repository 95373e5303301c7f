// Collections that are built on others without a formula per input: maps, joins, groups, status rows.
// Their keys come from what they look at, so that their items need none.

import type {RowState} from '../api/collection.ts';
import {ownKey, textKey} from '../api/key.ts';
import {Core} from '../graph/core.ts';
import {Row, remove} from '../graph/row.ts';
import type {IndexCore} from '../query/indexes.ts';

export abstract class View extends Core {
  /** A collection it is built on has announced this change. */
  abstract upstreamChanged(upstream: Core, row: Row, old: unknown, now: unknown): void;
  abstract upstreamSynced(upstream: Core): void;

  /** Whether it makes rows of the buckets of this index. */
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
    return this.keyOption !== null ? textKey(this.keyOption(item), item, this.name) : ownKey(item, this.name);
  }

  /** Subscribes; the view's turn comes after that of what it looks at. */
  protected watch(upstream: Core): void {
    if (upstream.stopped) return;
    upstream.views.push(this);
    this.raise(upstream.level + 1);
  }

  protected unwatch(upstream: Core): void {
    remove(upstream.views, this);
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
    this.touch(row);
    row.value = item;
  }

  rowState(key: string): RowState | undefined {
    const row = this.rows.get(key);
    if (row?.value === undefined) return undefined;
    return {key, stale: false, outcome: row.updated ? 'changed' : 'added'};
  }
}
