// The sources of a cluster's session: the built-in ones, and those that users add.
// Each has an informer that feeds a collection. The collection's name is fixed when the source is added.

import type {Graph, WireResource} from '@krtscope/shared/graph.ts';
import type {WireWriter} from '@krtscope/shared/run.ts';
import {type AddedSource, type KindsAnswer, shippedSources, sourceName} from '@krtscope/shared/sources.ts';
import {type KindObjects, versionOf} from '../attach/lag/cluster-objects.ts';
import {EngineFailure, type EngineHandle} from '../engine/link/engine-link.ts';
import type {DynamicClient} from '../kube/client/dynamic-client.ts';
import {findResource} from '../kube/discovery/find-resource.ts';
import {printerColumns} from '../kube/discovery/printer-columns.ts';
import type {Informer} from '../kube/informer/informer.ts';
import type {Informers} from '../kube/informer/informer-factory.ts';
import type {ReflectorState} from '../kube/reflector/reflector-state.ts';
import {fromWireResource, type Resource, toWireResource} from '../kube/resource.ts';
import {CommandLineSources} from './command-line-sources.ts';
import {ServedKinds} from './served-kinds.ts';
import type {SessionSources} from './session-feed.ts';
import {feedSource, type SourceFeeder} from './source-feeder.ts';

interface ClusterSource {
  readonly name: string;
  resource: Resource;
  informer: Informer;
  feeder: SourceFeeder;
  columns: readonly string[] | undefined;
  /** Whether another version of it is being searched. */
  moving: boolean;
}

export interface ClusterSourcesOptions {
  engine: EngineHandle;
  client: DynamicClient;
  informers: Informers;
  namespaces: readonly string[];
  /** The kubectl command for the same cluster. */
  kubectl: string;
  wanted: readonly string[];
  /** Shipped collections that are not read. */
  without: readonly string[];
  log(problem: string): void;
  now(): number;
  onState(name: string, state: ReflectorState): void;
  onFed(name: string, informer: Informer): void;
  onDropped(name: string): void;
}

/** Each source takes memory and a watch. A graph with more sources is a mistake. */
const MAX_SOURCES = 200;

export class ClusterSources implements SessionSources {
  readonly #options: ClusterSourcesOptions;
  readonly #kinds: ServedKinds;
  readonly #sources = new Map<string, ClusterSource>();
  /** Resources that are being added, so that two clicks create one source. */
  readonly #adding = new Set<string>();
  readonly #commandLineSources: CommandLineSources;

  constructor(options: ClusterSourcesOptions) {
    this.#options = options;
    const {wanted, log, client, namespaces} = options;
    this.#commandLineSources = new CommandLineSources(wanted, {log, add: text => this.add(text)});
    this.#kinds = new ServedKinds(client.transport, namespaces, () => performance.now());
  }

  /** Feeds the built-in sources, whose collections exist from the start. */
  begin(): void {
    for (const [name, resource] of Object.entries(shippedSources)) {
      if (this.#options.without.includes(name)) this.#leaveOut(name, resource);
      else this.#feed(name, fromWireResource(resource));
    }
    if (!this.#commandLineSources.areAllAdded) this.#options.informers.watchDefinitions();
  }

  /** Readers find it empty, and its state says why. */
  #leaveOut(name: string, resource: WireResource): void {
    this.#options.engine.sourceState(name, {
      state: 'left out',
      listed: 0,
      synced: true,
      resource,
      reason: `krtscope was started with --without ${resource.resource}, so ${name} stays empty`,
    });
  }

  /** Tries the sources of --source that were missing so far. */
  retryCommandLineSources(): void {
    this.#commandLineSources.retry();
  }

  async kinds(): Promise<KindsAnswer> {
    this.#options.informers.watchDefinitions();
    const {kinds, failed} = await this.#kinds.list(
      resource => this.#sourceOf(resource)?.informer.hasSynced() === true,
    );
    const names = await this.#names();
    const all = kinds.map(({resource}) => resource);
    return {
      kinds: kinds.map(({resource, allowed}) => {
        const source = this.#sourceOf(resource)?.name;
        return {
          ...toWireResource(resource),
          allowed,
          name: source ?? sourceName(toWireResource(resource), all, name => names.has(name)),
          shortNames: [...resource.shortNames],
          source,
        };
      }),
      failed: [...failed],
    };
  }

  /** The watched kinds with their objects. `isCurrent` takes the name of a source. */
  objects(isCurrent: (name: string) => boolean): KindObjects[] {
    return [...this.#sources.values()].map(({name, resource, informer}) => ({
      resource: toWireResource(resource),
      current: informer.hasSynced() && isCurrent(name),
      keys: () => informer.cache.keys(),
      version: key => versionOf(informer.cache.get(key)),
      writers: key => informer.cache.writers(key) as WireWriter[],
    }));
  }

  async add(text: string): Promise<AddedSource> {
    this.#options.informers.watchDefinitions();
    const {resource, all} = await this.#kinds.find(text);
    const id = `${resource.group}/${resource.plural}`;
    const existing = this.#sourceOf(resource);
    if (existing !== undefined || this.#adding.has(id)) {
      throw new EngineFailure({
        code: 'taken',
        message: `${text} is a source already${existing === undefined ? '' : `: ${existing.name}`}`,
        hint: 'versions of a resource share one source',
        taken: existing?.name,
      });
    }
    if (this.#sources.size >= MAX_SOURCES) {
      throw new EngineFailure({
        code: 'too-many',
        message: `${MAX_SOURCES} sources are the limit`,
        hint: 'remove an unused one: DELETE /api/v1/sources/{name}',
      });
    }
    this.#adding.add(id);
    try {
      const names = await this.#names();
      const name = sourceName(toWireResource(resource), all, one => names.has(one));
      const source = {collection: name, resource: toWireResource(resource)};
      await this.#options.engine.command({command: 'add-source', source});
      this.#feed(name, pickResource(resource));
      return {name, ...toWireResource(resource)};
    } finally {
      this.#adding.delete(id);
    }
  }

  async drop(name: string): Promise<void> {
    this.#find(name);
    await this.#refuseIfRead(name);
    // Another request may have dropped it meanwhile, or it may have moved to another version.
    const source = this.#find(name);
    const {engine, informers, onDropped} = this.#options;
    // End the feed first: no change may follow the command.
    source.feeder.end();
    const rows = new Set(source.informer.cache.keys());
    this.#sources.delete(name);
    try {
      await engine.command({command: 'drop-source', name});
    } catch (error) {
      // The collection got a reader meanwhile. Feed it again, and remove the rows that are gone.
      await informers.remove(source.informer);
      this.#feed(name, source.resource, rows);
      throw error;
    }
    await informers.remove(source.informer);
    onDropped(name);
  }

  /** Handles new, changed or removed CRDs. */
  definitionsChanged(): void {
    this.#kinds.forget();
    this.retryCommandLineSources();
    for (const source of this.#sources.values()) {
      if (!source.resource.group.includes('.') || isShipped(source.name)) continue;
      void this.#learnColumns(source);
      if (source.informer.state.phase === 'not installed') void this.#moveVersion(source);
    }
  }

  /**
   * Whether the server has the kind in another version. The source then moves there and keeps its rows
   * meanwhile.
   * A server that lists the version and answers 404 is still starting.
   */
  async isServedInOtherVersion(resource: Resource): Promise<boolean> {
    const source = this.#sourceOf(resource);
    if (source === undefined || resource.group === '') return false;
    try {
      const resources = await this.#kinds.inGroup(resource.group);
      const found = findResource(resources, `${resource.plural}.${resource.group}`);
      if (found === undefined) return false;
      // Do not wait: the move ends the caller. It fails when the session closes, which is harmless.
      if (found.version !== source.resource.version) this.#move(source, pickResource(found)).catch(() => {});
      return true;
    } catch {
      // Discovery failed. The next try asks again.
      return false;
    }
  }

  /** Moves a source to another version of its kind. */
  async #moveVersion(source: ClusterSource): Promise<void> {
    await this.isServedInOtherVersion(source.resource);
  }

  async #move(source: ClusterSource, to: Resource): Promise<void> {
    if (source.moving || this.#sources.get(source.name) !== source) return;
    source.moving = true;
    source.feeder.end();
    const rows = new Set(source.informer.cache.keys());
    await this.#options.informers.remove(source.informer);
    if (this.#sources.get(source.name) === source) this.#feed(source.name, to, rows);
  }

  /** `rows` are the keys that the engine already has. */
  #feed(name: string, resource: Resource, rows?: ReadonlySet<string>): void {
    const {engine, informers, kubectl, namespaces, now, onState, onFed} = this.#options;
    const informer = informers.get(resource);
    const source: ClusterSource = {
      name,
      resource,
      informer,
      feeder: {report: () => {}, end: () => {}},
      columns: undefined,
      moving: false,
    };
    this.#sources.set(name, source);
    onFed(name, informer);
    source.feeder = feedSource({
      collection: name,
      informer,
      engine,
      kubectl,
      namespace: namespaces[0],
      rows,
      now,
      columns: () => source.columns,
      onState: (collection, state) => {
        onState(collection, state);
        // An older or newer server may have the kind in another version.
        if (state.phase === 'not installed' && source.resource.group !== '') void this.#moveVersion(source);
        if (state.phase === 'synced' && source.columns === undefined && !isShipped(name))
          void this.#learnColumns(source);
      },
    });
  }

  async #learnColumns(source: ClusterSource): Promise<void> {
    const previous = source.columns;
    // Ask once. A change of a CRD asks again.
    source.columns ??= [];
    const {transport} = this.#options.client;
    const columns = (await printerColumns(transport, source.resource)) ?? [];
    source.columns = columns;
    if (String(previous ?? []) !== String(columns)) source.feeder.report();
  }

  #find(name: string): ClusterSource {
    const source = this.#sources.get(name);
    if (source !== undefined) return source;
    throw new EngineFailure({
      code: 'unknown-collection',
      message: `there is no source "${name}"`,
      hint: 'GET /api/v1/graph lists the collections; those of kind "source" can be dropped',
    });
  }

  #sourceOf({group, plural}: Resource): ClusterSource | undefined {
    for (const source of this.#sources.values())
      if (source.resource.group === group && source.resource.plural === plural) return source;
    return undefined;
  }

  async #names(): Promise<Set<string>> {
    const {collections} = (await this.#options.engine.ask({ask: 'graph'})) as Graph;
    return new Set([...collections.map(({name}) => name), ...Object.keys(shippedSources)]);
  }

  async #refuseIfRead(name: string): Promise<void> {
    const {edges} = (await this.#options.engine.ask({ask: 'graph'})) as Graph;
    const readers = [...new Set(edges.filter(({from}) => from === name).map(({to}) => to))].sort();
    if (readers.length === 0 && !isShipped(name)) return;
    const readersText = readers.length === 0 ? 'the built-in graph' : readers.join(', ');
    throw new EngineFailure({
      code: 'in-use',
      message: `${name} is read by ${readersText}`,
      hint: isShipped(name) ? 'built-in sources cannot be removed' : 'delete those first',
      readers,
    });
  }
}

function isShipped(name: string): boolean {
  return Object.hasOwn(shippedSources, name);
}

function pickResource({group, version, plural, kind, namespaced}: Resource): Resource {
  return {group, version, plural, kind, namespaced};
}
