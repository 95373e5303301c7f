// An index as a collection with one row per bucket, for formulas that group.

import type {Row} from '../containers/row.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import type {IndexCore} from '../query/index-core.ts';
import type {Collection, CollectionKind, Options} from '../values/collection.ts';
import {refusePromise} from '../values/thenable.ts';
import {FunctionView} from './function-view.ts';

export interface IndexRow<T, K = string> {
  key: K;
  objects: readonly T[];
}

export class GroupView extends FunctionView {
  readonly kind: CollectionKind = 'index';
  readonly index: IndexCore;
  readonly #source: CollectionCore;
  readonly #fromString: ((key: string) => unknown) | undefined;
  readonly #pending = new Set<string>();
  #started = false;

  constructor(source: CollectionCore, index: IndexCore, options: Options<unknown>) {
    super(source.engine, `index/${index.name}`, options);
    this.#source = source;
    this.index = index;
    this.#fromString = options.fromString;
    this.engine.runInBatch(() => {
      this.engine.addCollection(this);
      this.watch(source);
      this.engine.enqueue(this);
    });
  }

  upstreamChanged(_: CollectionCore, row: Row): void {
    if (!this.#started) return;
    const {from, to} = this.index.moved;
    for (const key of new Set([...from, ...to])) {
      this.#pending.add(key);
      this.engine.recorder?.leadsTo(this, key, row);
    }
    this.engine.enqueue(this);
  }

  upstreamSynced(): void {
    this.engine.enqueue(this);
  }

  turn(): void {
    if (!this.#source.synced) return;
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
    if (objects.length === 0) {
      this.run.forget(key);
      this.assign(key, undefined);
      return;
    }
    const made = this.run.call(key, [this.#source], () => this.#parsed(key));
    if (made !== null) this.assign(key, {key: made.value, objects: Object.freeze(objects)});
  }

  #parsed(key: string): unknown {
    if (this.#fromString !== undefined) return refusePromise(this.#fromString(key), this.run);
    const missing = this.index.needsParser(key);
    if (missing !== undefined) throw missing;
    return key;
  }

  override groups(index: IndexCore): boolean {
    return index === this.index;
  }

  upstreams(): Iterable<CollectionCore> {
    return [this.#source];
  }

  protected withdraw(): void {
    this.unwatch(this.#source);
  }
}

export function newGroupBy(
  source: CollectionCore,
  index: IndexCore,
  options: Options<IndexRow<unknown, unknown>>,
): Collection<IndexRow<unknown, unknown>> {
  const missing = options.fromString === undefined ? index.needsParser() : undefined;
  if (missing !== undefined) throw missing;
  return new GroupView(source, index, options as Options<unknown>) as never;
}
