// Connects the embedded cluster to a recorded graph as main would, and keeps all writes.
import {Api} from '../../src/cluster/api.ts';
import {seedShop} from '../../src/cluster/shop/seed.ts';
import {DirectClient} from '../../src/cluster/simulation/direct-client.ts';
import {LocalWire} from '../../src/cluster/wire/local-wire.ts';
import {RbacAccess} from '../../src/cluster/wire/rbac-access.ts';
import {createTestGraphHost, type TestGraphHost} from '../../src/engine/host/query/testing-graph-host.ts';
import type {SourceChange} from '../../src/engine/link/engine-link.ts';
import {WriterSummary, writerOf, writtenPaths} from '../../src/kube/informer/field-writers.ts';
import type {KubeObject} from '../../src/kube/object.ts';
import {BatchTruth, type Written} from './batch-truth.ts';
import type {Objects} from './expected-rows.ts';
import {changeSomething} from './random-changes.ts';
import {TruthRandom} from './seeded-random.ts';
import {paths} from './sources.ts';

interface Pending {
  old: KubeObject | undefined;
  now: KubeObject | undefined;
  readonly managers: Set<string>;
}

export class TruthCluster {
  readonly rig: TestGraphHost = createTestGraphHost();
  readonly chance: TruthRandom;
  readonly #client: DirectClient;
  readonly #summary = new WriterSummary();
  readonly #collections = new Map<string, string>();
  #pending = new Map<string, Pending>();
  #objects: Objects = new Map();
  #manager = '';
  #clock = Date.parse('2026-11-16T12:00:00Z');
  #names = 0;
  /** A listener for the writes, batch by batch. */
  #heard: ((changes: readonly SourceChange[]) => void) | undefined;

  private constructor(seed: number) {
    this.chance = new TruthRandom(seed);
    this.#client = new DirectClient(new Api({seed, now: () => this.#clock}), 'seed');
  }

  /** A cluster with the shop, listed and synced. */
  static async start(
    seed: number,
    heard?: (changes: readonly SourceChange[]) => void,
  ): Promise<TruthCluster> {
    const cluster = new TruthCluster(seed);
    cluster.#heard = heard;
    const {api} = cluster.#client;
    const access = new RbacAccess(api, 'token', 'user');
    await seedShop(api, new LocalWire(api, access, {token: 'token', userAgent: 'kube-controller-manager'}));
    cluster.#list();
    return cluster;
  }

  #list(): void {
    const {api} = this.#client;
    for (const [collection, path] of Object.entries(paths))
      this.#collections.set(this.#client.resource(path).storeName, collection);
    for (const [collection, path] of Object.entries(paths))
      for (const object of this.#client.list(path))
        this.#note(collection, keyOf(object), undefined, object as unknown as KubeObject);
    this.#settle();
    this.rig.sync();
    // The engine measures its first runs by the clock: on a busy machine some are left.
    while (this.rig.live.runFirstSlice());
    api.storage.listeners.add((shelf, {key, type, object, previous}) => {
      const collection = this.#collections.get(shelf);
      if (collection === undefined) return;
      const now = type === 'DELETED' ? undefined : (object as unknown as KubeObject);
      this.#note(collection, key, previous as unknown as KubeObject | undefined, now);
    });
  }

  get objects(): Objects {
    return this.#objects;
  }

  /** One batch of `count` changes; undefined if none of them took effect. */
  change(count: number): BatchTruth | undefined {
    this.#clock += 1000;
    for (let i = 0; i < count; i++) {
      // The writer is known before the write.
      const before = new Set(this.#pending.keys());
      this.#manager = '';
      const manager = changeSomething(this.#client, this.chance, () => `made-${++this.#names}`);
      for (const [id, one] of this.#pending)
        if (!before.has(id) || one.managers.has('')) one.managers.add(manager);
    }
    return this.#settle();
  }

  #note(collection: string, key: string, old: KubeObject | undefined, now: KubeObject | undefined): void {
    const id = `${collection}\n${key}`;
    const pending = this.#pending.get(id);
    if (pending) {
      pending.now = now;
      pending.managers.add(this.#manager);
    } else this.#pending.set(id, {old, now, managers: new Set([this.#manager])});
  }

  #settle(): BatchTruth | undefined {
    const before = this.#objects;
    const after = new Map(before);
    const changes: SourceChange[] = [];
    const writes: Written[] = [];
    for (const [id, {old, now, managers}] of this.#pending) {
      const [collection, key] = id.split('\n') as [string, string];
      const stored = now && stripped(now);
      const items = new Map(after.get(collection));
      const had = items.get(key);
      if (stored === undefined) items.delete(key);
      else items.set(key, stored);
      after.set(collection, items);
      if (had === undefined && stored === undefined) continue;
      const writer = now && this.#writer(old, now);
      changes.push({
        collection,
        key,
        event: stored === undefined ? 'delete' : 'update',
        received: this.#clock,
        ...(stored === undefined ? {} : {new: structuredClone(stored)}),
        ...(writer
          ? {writer: {manager: writer.manager, operation: writer.operation, time: writer.time}}
          : {}),
      });
      writes.push({
        collection,
        key,
        old: had,
        new: stored,
        managers: [...managers].filter(one => one !== ''),
      });
    }
    this.#pending = new Map();
    if (changes.length === 0) return undefined;
    this.#heard?.(structuredClone(changes));
    const newest = this.rig.records.newest();
    const sequence = this.rig.apply(changes);
    this.#objects = after;
    return sequence === newest ? undefined : new BatchTruth(sequence, before, writes);
  }

  #writer(old: KubeObject | undefined, now: KubeObject) {
    const same = old?.metadata.uid === now.metadata.uid;
    const before = same && old ? this.#summary.summarise(old.metadata.managedFields) : undefined;
    const writers = this.#summary.summarise(now.metadata.managedFields);
    return writerOf(writers, before, () =>
      old ? writtenPaths(stripped(old) as KubeObject, stripped(now) as KubeObject) : [],
    );
  }
}

/** The object as main keeps it. */
function stripped(object: KubeObject): KubeObject {
  const {managedFields: _, ...metadata} = object.metadata as Record<string, unknown>;
  return structuredClone({...object, metadata}) as unknown as KubeObject;
}

function keyOf({metadata: {namespace, name}}: {metadata: {namespace?: string; name: string}}): string {
  return namespace ? `${namespace}/${name}` : name;
}
