// Collections written from outside: rows change at once for their own readers, and reach the graph when
// the batch settles.

import type {CollectionKind, Options, RowState} from './collection.ts';
import {Core} from './core.ts';
import type {EngineCore} from './engine.ts';
import type {SyncLatchCore} from './latch.ts';
import {Row} from './row.ts';

interface Metadata {
  name: string;
  namespace?: string;
}

/** The metadata that makes the key, or null if the key comes from elsewhere. */
function kubernetesMetadata(item: unknown): Metadata | null {
  if (typeof item !== 'object' || item === null) return null;
  const {metadata, resourceName, registerBatch} = item as {
    metadata?: Partial<Metadata>;
    resourceName?: unknown;
    registerBatch?: unknown;
  };
  if (resourceName !== undefined || registerBatch !== undefined) return null;
  if (typeof metadata !== 'object' || metadata === null || typeof metadata.name !== 'string') return null;
  return metadata as Metadata;
}

/** The parts of a Kubernetes key, for an item that came and went within one batch. */
function namesIn(key: string): Metadata {
  const slash = key.indexOf('/');
  return {namespace: slash < 0 ? '' : key.slice(0, slash), name: key.slice(slash + 1)};
}

export abstract class Source extends Core {
  override readonly root = true;
  abstract override readonly kind: CollectionKind;
  readonly #latch: SyncLatchCore | null;
  readonly #names = new Map<string, Map<string, Row>>();

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
      this.#file(row, item);
    }
    this.putAt(row, item);
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
    const metadata = kubernetesMetadata(item);
    if (metadata === null) return undefined;
    return this.#names.get(metadata.namespace ?? '')?.get(metadata.name);
  }

  #file(row: Row, item: unknown): void {
    const metadata = this.keyOption === null ? kubernetesMetadata(item) : null;
    if (metadata === null) return;
    const namespace = metadata.namespace ?? '';
    let names = this.#names.get(namespace);
    if (names === undefined) {
      names = new Map();
      this.#names.set(namespace, names);
    }
    names.set(metadata.name, row);
  }

  protected override forgetRow(row: Row, old: unknown): void {
    super.forgetRow(row, old);
    if (this.#names.size === 0) return;
    const {namespace = '', name} = kubernetesMetadata(old) ?? namesIn(row.key);
    const names = this.#names.get(namespace);
    if (names?.get(name) !== row) return;
    names.delete(name);
    if (names.size === 0) this.#names.delete(namespace);
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
