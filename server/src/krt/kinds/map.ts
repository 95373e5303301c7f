// A collection mapped by a function, item by item with the same keys. Every change is announced, without an
// equality check.

import type {Row} from '../containers/row.ts';
import type {CollectionCore} from '../graph/collection-core.ts';
import {coreOf} from '../graph/core-of.ts';
import type {Collection, CollectionKind, Options} from '../values/collection.ts';
import type {Metadata} from '../values/labels.ts';
import {refusePromise} from '../values/thenable.ts';
import {FunctionView} from './function-view.ts';

type MapFunction = (item: unknown) => unknown;

export class MapView extends FunctionView {
  readonly kind: CollectionKind = 'map';
  readonly #below: CollectionCore;
  readonly project: MapFunction;
  #pending: Row[] = [];
  #started = false;

  constructor(below: CollectionCore, project: MapFunction, options: Options<unknown>) {
    super(below.engine, 'Map[T]', options);
    this.#below = below;
    this.project = project;
    this.engine.runInBatch(() => {
      this.engine.addCollection(this);
      this.watch(below);
      this.engine.enqueue(this);
    });
  }

  upstreamChanged(_: CollectionCore, row: Row): void {
    if (!this.#started) return;
    this.#pending.push(row);
    this.engine.recorder?.leadsTo(this, row.key, row);
    this.engine.enqueue(this);
  }

  upstreamSynced(): void {
    this.engine.enqueue(this);
  }

  turn(): void {
    if (!this.#below.synced) return;
    let pending: Iterable<Row> = this.#pending;
    this.#pending = [];
    if (!this.#started) {
      pending = [...this.#below.rows.values()];
      for (const row of pending) this.engine.recorder?.leadsTo(this, row.key, row);
    }
    this.#started = true;
    for (const row of pending) this.#refresh(row);
    this.flush();
    this.becomeSynced();
  }

  #refresh(row: Row): void {
    const {key, value} = row;
    if (value === undefined) {
      this.engine.violationStore.clear('map-key', this, key);
      this.run.forget(key);
      this.assign(key, undefined);
      return;
    }
    const made = this.run.call(key, [this.#below], () => this.#mapped(key, value));
    if (made !== null) this.assign(key, made.value ?? undefined);
  }

  #mapped(key: string, item: unknown): unknown {
    // Check for a promise before asking for the key, which may throw.
    const mapped = refusePromise(this.project(item), this.run);
    const claimed = mapped === undefined || mapped === null ? undefined : this.claimedKey(mapped);
    if (claimed === undefined || claimed === key) this.engine.violationStore.clear('map-key', this, key);
    else {
      this.engine.report(
        'map-key',
        this,
        [key, claimed],
        `"${this.name}" maps "${key}" to an item whose key is "${claimed}"; a map must keep keys, use newCollection to change them`,
      );
    }
    return mapped;
  }

  override metadata(): Metadata | undefined {
    return super.metadata() ?? this.#below.metadata();
  }

  upstreams(): Iterable<CollectionCore> {
    return [this.#below];
  }

  protected withdraw(): void {
    this.unwatch(this.#below);
  }
}

/** The items of a collection through `project`, which must keep keys and cannot fetch. */
export function mapCollection<T, U>(
  collection: Collection<T>,
  project: (item: T) => U,
  options: Options<U> = {},
): Collection<U> {
  return new MapView(coreOf(collection), project as MapFunction, options as Options<unknown>) as never;
}
