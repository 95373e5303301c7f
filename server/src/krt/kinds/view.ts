// Collections that are built on others without a formula per input: maps, joins, groups, status rows.
// Their keys come from what they look at, so that their items need none.

import type {RowState} from '../api/collection.ts';
import {ownKey} from '../api/key.ts';
import {Core} from '../graph/core.ts';
import {Row} from '../graph/row.ts';

export abstract class View extends Core {
  /** Keys of items that do not know their own. */
  readonly #given = new Map<unknown, string>();

  /** A collection it is built on has announced this change. */
  abstract upstreamChanged(upstream: Core, row: Row, old: unknown, now: unknown): void;
  abstract upstreamSynced(upstream: Core): void;

  override keyOf(item: unknown): string {
    return this.#given.get(item) ?? super.keyOf(item);
  }

  /** The item's own idea of its key, if it has one. */
  protected claimedKey(item: unknown): string | undefined {
    return this.keyOption !== null ? this.keyOption(item) : ownKey(item);
  }

  /** Subscribes; the view's turn comes after that of what it looks at. */
  protected watch(upstream: Core): void {
    if (upstream.stopped) return;
    upstream.views.push(this);
    this.raise(upstream.level + 1);
  }

  protected unwatch(upstream: Core): void {
    const at = upstream.views.indexOf(this);
    if (at >= 0) upstream.views = upstream.views.filter((_, i) => i !== at);
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
    if (this.#given.size > 0) this.#given.delete(row.value);
    row.value = item;
    if (item !== undefined && ownKey(item) !== key) this.#given.set(item, key);
  }

  rowState(key: string): RowState | undefined {
    const row = this.rows.get(key);
    if (row?.value === undefined) return undefined;
    return {key, stale: false, outcome: row.updated ? 'changed' : 'added'};
  }
}
