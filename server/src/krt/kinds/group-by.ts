// An index as a collection: one row per bucket, for formulas that group. Add, update and delete of a
// bucket are true to what was announced before.

import type {Collection, CollectionKind, Options} from '../api/collection.ts';
import {EngineError} from '../api/error.ts';
import type {Core} from '../graph/core.ts';
import type {Row} from '../graph/row.ts';
import type {IndexCore, IndexRow} from '../query/indexes.ts';
import {View} from './view.ts';

export class GroupView extends View {
  readonly kind: CollectionKind = 'index';
  readonly index: IndexCore;
  readonly #fromString: ((key: string) => unknown) | undefined;
  readonly #pending = new Set<string>();
  #started = false;

  constructor(index: IndexCore, options: Options<unknown>) {
    super(index.core.engine, `index/${index.name}`, options);
    this.index = index;
    this.#fromString = options.fromString;
    this.engine.hold(() => {
      this.engine.adopt(this);
      this.watch(index.core);
      this.engine.enqueue(this);
    });
  }

  override keyOf(item: unknown): string {
    return String((item as IndexRow<unknown, unknown>).key);
  }

  upstreamChanged(_: Core, row: Row, old: unknown, now: unknown): void {
    if (!this.#started) return;
    const keys = old === undefined ? [] : [...this.index.keysOf(old)];
    if (now !== undefined) keys.push(...this.index.keysOf(now));
    for (const key of new Set(keys)) {
      this.#pending.add(key);
      this.engine.recorder?.leadsTo(this, key, row);
    }
    this.engine.enqueue(this);
  }

  upstreamSynced(): void {
    this.engine.enqueue(this);
  }

  turn(): void {
    if (!this.index.core.synced) return;
    if (!this.#started) {
      this.#started = true;
      for (const key of this.index.buckets.keys()) this.#pending.add(key);
    }
    for (const key of this.#pending) this.#refresh(key);
    this.#pending.clear();
    this.flush();
    this.becomeSynced();
  }

  #refresh(key: string): void {
    const objects = this.index.sortedItemsOf(key);
    if (objects.length === 0) this.assign(key, undefined);
    else
      this.assign(key, {
        key: this.#fromString ? this.#fromString(key) : key,
        objects: Object.freeze(objects),
      });
  }

  upstreams(): Iterable<Core> {
    return [this.index.core];
  }

  protected withdraw(): void {
    this.unwatch(this.index.core);
  }
}

export function newGroupBy(
  index: IndexCore,
  options: Options<IndexRow<unknown, unknown>>,
): Collection<IndexRow<unknown, unknown>> {
  if (index.typed && options.fromString === undefined) {
    throw new EngineError(
      'from-string',
      `index "${index.name}" has keys that are not texts; give asCollection the option fromString`,
    );
  }
  return new GroupView(index, options as Options<unknown>) as never;
}
