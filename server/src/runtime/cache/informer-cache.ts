// A cache with one informer for each kind. The first read of a kind starts its informer.

import type {DynamicClient} from '../../kube/client/dynamic-client.ts';
import {type Clock, systemClock} from '../../kube/clock.ts';
import {AuditSchedule} from '../../kube/informer/audit-schedule.ts';
import {Informer as KubeInformer} from '../../kube/informer/informer.ts';
import type {KubeObject} from '../../kube/object.ts';
import type {ReflectorPhase, ReflectorState} from '../../kube/reflector/reflector-state.ts';
import {resourceName} from '../../kube/resource.ts';
import {type Kind, type KindRef, keyText, kindId, type ObjectKey} from '../scheme/kind.ts';
import type {Mapper} from '../scheme/mapper.ts';
import type {
  Cache,
  Extract,
  GetOptions,
  Informer,
  InformerRequest,
  ListOptions,
  ObjectList,
  WrittenVersion,
} from './cache.ts';
import {
  CacheNotStartedError,
  CacheSyncTimeoutError,
  OwnWriteNotSeenError,
  ResourceNotCachedError,
  UnknownNamespaceError,
} from './cache-errors.ts';
import {CachedKind} from './cached-kind.ts';
import {matchLabels} from './selector.ts';
import {type CacheWatchPlan, type Selections, watchPlanOf} from './watch-scopes.ts';

export interface CacheOptions extends Selections {
  client: DynamicClient;
  mapper: Mapper;
  clock?: Clock | undefined;
  /** Milliseconds between resyncs, with 10 % jitter. Default: 10 h. */
  syncPeriod?: number | undefined;
  /** How long a read waits for the first list of its kind. Default: 2 min. */
  syncTimeout?: number | undefined;
  /** How long a read or a reconcile waits for this program's own write, where that is turned on. Default: 10 s. */
  ownWritesTimeout?: number | undefined;
  /** Reads of an unwatched kind throw ResourceNotCachedError instead of starting a watch. */
  readerFailOnMissingInformer?: boolean | undefined;
  streaming?: boolean | undefined;
  /** Compares every kind with the server every ten minutes, to repair events that the watch has lost. Default: true. */
  audits?: boolean | undefined;
  onProblem?: ((problem: string) => void) | undefined;
}

interface CachedKindEntry {
  cachedKind: CachedKind;
  plan: CacheWatchPlan;
  endResync: () => void;
}

const tenHours = 36_000_000;

export class InformerCache implements Cache {
  readonly #options: CacheOptions;
  readonly #clock: Clock;
  readonly #making = new Map<string, Promise<CachedKindEntry>>();
  readonly #kinds = new Map<string, CachedKindEntry>();
  #running: AbortSignal | undefined;
  #audits: AuditSchedule | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options: GetOptions = {}): Promise<T> {
    const entry = this.#synced(kind) ?? (await this.#read(kind, options.signal));
    if (entry.cachedKind.resource.namespaced) this.#allow(entry, key.namespace);
    return entry.cachedKind.get<T>(key);
  }

  async list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    const entry = this.#synced(kind) ?? (await this.#read(kind, options.signal));
    if (entry.cachedKind.resource.namespaced && options.namespace) this.#allow(entry, options.namespace);
    return entry.cachedKind.list<T>(options);
  }

  /** Returns the cached object itself, if any. Callers must not keep or change it. */
  peek(kind: KindRef, key: ObjectKey): KubeObject | undefined {
    const followed = this.#kinds.get(idOf(kind))?.cachedKind;
    const place = followed?.resource.namespaced ? key : {name: key.name};
    return followed?.informer.cache.get(keyText(place));
  }

  async informer<T extends KubeObject>(kind: Kind<T>, request: InformerRequest = {}): Promise<Informer<T>> {
    const one = await this.#kind(kind);
    if (this.#running && request.blockUntilSynced !== false) await this.#wait(one, request.signal);
    return one.cachedKind as unknown as Informer<T>;
  }

  async removeInformer(kind: KindRef): Promise<void> {
    const id = idOf(kind);
    const making = this.#making.get(id);
    this.#making.delete(id);
    this.#kinds.delete(id);
    if (!making) return;
    const one = await making.catch(() => undefined);
    one?.endResync();
    await one?.cachedKind.stop();
  }

  async indexField<T extends KubeObject>(kind: Kind<T>, field: string, extract: Extract<T>): Promise<void> {
    const {cachedKind: followed} = await this.#kind(kind);
    followed.index(field, extract as Extract<KubeObject>);
  }

  async start(signal: AbortSignal): Promise<void> {
    if (this.#running) throw new Error('the cache has already started');
    this.#running = signal;
    for (const one of this.#kinds.values()) this.#begin(one);
    if (this.#options.audits !== false) this.#audits = new AuditSchedule(this.#clock, this.#informers);
    if (!signal.aborted)
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), {once: true}));
    this.#audits?.stop();
    const kinds = [...this.#kinds.values()];
    for (const {endResync} of kinds) endResync();
    await Promise.all(kinds.map(({cachedKind: followed}) => followed.stop()));
  }

  /** Compares every kind with the server now, one after the other, and repairs lost events. */
  async auditAll(): Promise<void> {
    await this.#audits?.auditAll();
  }

  async waitForSync(signal?: AbortSignal): Promise<boolean> {
    for (const making of [...this.#making.values()]) {
      try {
        await (await making).cachedKind.waitForSync(signal);
      } catch {
        return false;
      }
    }
    return true;
  }

  hasWrite(kind: KindRef, write: WrittenVersion): boolean {
    const entry = this.#kinds.get(idOf(kind));
    if (!entry || entry.plan.namespaces?.has(write.namespace) === false) return true;
    return entry.cachedKind.hasSynced() && entry.cachedKind.hasWrite(write);
  }

  selects(kind: KindRef, object: KubeObject): boolean {
    const {name = '', namespace, labels} = object.metadata;
    const scopes = this.#kinds.get(idOf(kind))?.plan.scopes ?? [];
    const scope = scopes.find(one => one.namespace === namespace) ?? scopes.find(one => !one.namespace);
    if (scope?.labelSelector === undefined || matchLabels(scope.labelSelector)(labels)) return true;
    return this.peek(kind, {namespace, name}) !== undefined;
  }

  async waitForWrite(kind: KindRef, write: WrittenVersion, signal?: AbortSignal): Promise<void> {
    if (this.hasWrite(kind, write)) return;
    const {cachedKind} = this.#kinds.get(idOf(kind))!;
    const timeout = this.#options.ownWritesTimeout ?? 10_000;
    const limit = new AbortController();
    const cancel = this.#clock.after(timeout, () => limit.abort());
    const signals = [limit.signal, signal, this.#running].filter(one => one !== undefined);
    try {
      const met = await cachedKind.informer.waitUntil(
        () => this.hasWrite(kind, write),
        AbortSignal.any(signals),
      );
      if (met) return;
      signal?.throwIfAborted();
      const {phase, reason} = cachedKind.state;
      throw new OwnWriteNotSeenError(kind, `waited ${timeout / 1000} s, the watch is ${phase}: ${reason}`);
    } finally {
      cancel();
    }
  }

  readonly #informers = () => [...this.#kinds.values()].map(({cachedKind}) => cachedKind.informer);

  /** Returns the entry of a synced kind. Every read except the first takes this fast path. */
  #synced(kind: KindRef): CachedKindEntry | undefined {
    const one = this.#kinds.get(idOf(kind));
    return this.#running && one?.cachedKind.hasSynced() ? one : undefined;
  }

  async #read(kind: Kind, signal: AbortSignal | undefined): Promise<CachedKindEntry> {
    if (!this.#running) throw new CacheNotStartedError();
    if (this.#options.readerFailOnMissingInformer && !this.#making.has(idOf(kind)))
      throw new ResourceNotCachedError(kind);
    const one = await this.#kind(kind);
    await this.#wait(one, signal);
    return one;
  }

  #kind(kind: Kind): Promise<CachedKindEntry> {
    const id = idOf(kind);
    const there = this.#making.get(id);
    if (there) return there;
    const making = this.#make(kind, id);
    this.#making.set(id, making);
    // The next read looks for a missing kind again.
    making.catch(() => {
      if (this.#making.get(id) === making) this.#making.delete(id);
    });
    return making;
  }

  async #make(kind: Kind, id: string): Promise<CachedKindEntry> {
    const {client, mapper, streaming, onProblem, byKind = []} = this.#options;
    const resource = await mapper.resource(kind);
    const own = byKind.find(one => kindId(one.kind) === kindId(kind));
    const plan = watchPlanOf(resource, own, this.#options);
    const informer = new KubeInformer({
      client,
      resource,
      clock: this.#clock,
      scopes: plan.scopes,
      transform: plan.transform,
      as: kind.metadataOnly ? 'metadata' : 'object',
      streaming,
      onProblem,
    });
    informer.addHandler({
      onState: makeProblemReporter(resourceName(resource), onProblem),
      onGap: ({missed}) => {
        if (missed) onProblem?.(`${resourceName(resource)}: ${lostEventsText(missed)}`);
      },
    });
    const one: CachedKindEntry = {
      cachedKind: new CachedKind(kind, resource, informer),
      plan,
      endResync: () => {},
    };
    this.#kinds.set(id, one);
    if (this.#running) this.#begin(one);
    return one;
  }

  #begin(one: CachedKindEntry): void {
    if (this.#running?.aborted) return;
    one.cachedKind.informer.start();
    const period = this.#options.syncPeriod ?? tenHours;
    if (period <= 0) return;
    const wait = period * (0.9 + 0.2 * this.#clock.random());
    const next = () => {
      one.endResync = this.#clock.after(wait, () => {
        one.cachedKind.informer.resync();
        next();
      });
    };
    next();
  }

  async #wait({cachedKind: followed}: CachedKindEntry, signal: AbortSignal | undefined): Promise<void> {
    if (followed.hasSynced()) return;
    const limit = new AbortController();
    const cancel = this.#clock.after(this.#options.syncTimeout ?? 120_000, () => limit.abort());
    const signals = [limit.signal, signal, this.#running].filter(one => one !== undefined);
    try {
      await followed.waitForSync(AbortSignal.any(signals));
    } catch (cause) {
      const {phase, reason} = followed.state;
      throw new CacheSyncTimeoutError(followed.kind, `${phase}: ${reason}`, {cause});
    } finally {
      cancel();
    }
  }

  #allow({plan}: CachedKindEntry, namespace = ''): void {
    if (plan.namespaces && !plan.namespaces.has(namespace)) throw new UnknownNamespaceError(namespace);
  }
}

const problemPhases: readonly ReflectorPhase[] = [
  'reconnecting',
  'forbidden',
  'unauthorized',
  'unreachable',
  'not installed',
];

/** Reports why a kind cannot be followed, once for each phase, and when it is synced again. */
function makeProblemReporter(
  name: string,
  report: (problem: string) => void = () => {},
): (state: ReflectorState) => void {
  let last = '';
  return ({phase, reason}) => {
    if (phase === 'synced') {
      if (last !== '') report(`${name}: synced again`);
      last = '';
    }
    if (phase === last || !problemPhases.includes(phase)) return;
    last = phase;
    // The reason of an unreachable kind says what failed, which may also be an index or a transform of the program.
    report(phase === 'unreachable' ? `${name}: ${reason}` : `${name}: ${phase}: ${reason}`);
  };
}

function lostEventsText(missed: number): string {
  return `the watch missed ${missed === 1 ? '1 event' : `${missed} events`}; repaired`;
}

/** Whole objects and metadata-only objects have separate watches and caches. */
function idOf(kind: KindRef): string {
  return (kind as Kind).metadataOnly ? `${kindId(kind)}#metadata` : kindId(kind);
}
