// One open session: an engine process, what feeds it, and what somebody keeps in it. Where its data comes from is its
// feed's business.

import type {Session as SessionAnswer} from '@krtscope/shared/session.ts';
import type {AddedSource, Kinds} from '@krtscope/shared/sources.ts';
import {type Engine, EngineFailure} from '../engine/link/link.ts';
import type {OpenSession} from '../engine/link/session.ts';
import type {Lab, RowSource} from '../engine/supervisor/lab.ts';
import type {Feed, Sources} from './feed.ts';
import {ClusterStore} from './formulas/cluster-store.ts';
import {EditorFiles} from './formulas/editor-files.ts';
import {FileStore} from './formulas/file-store.ts';
import {SessionFormulas} from './formulas/formulas.ts';
import {Keeper} from './formulas/keeper.ts';
import {Modules} from './formulas/modules.ts';
import {Quarantine} from './formulas/quarantine.ts';
import {listedRows, liveRows} from './formulas/rows.ts';
import {log} from './log.ts';
import {declareScope} from './types/declarations.ts';

/** Where a session keeps what somebody types. */
interface Keeps {
  folder: string;
  quarantine: string;
  cluster?: InCluster;
}

export interface SessionOptions {
  name: string;
  version: string;
  redacted: boolean;
  limits: SessionAnswer['limits'];
  /** Where formulas are kept; absent: they are not. */
  keeps?: Keeps;
  readOnly: boolean;
}

/** How formulas of the cluster are followed; what it returns ends it. */
export interface InCluster {
  follow(keeper: Keeper, store: ClusterStore, rows: RowSource, log: (problem: string) => void): () => void;
}

export class Session implements OpenSession {
  readonly name: string;
  readonly link: Engine;
  readonly feed: Feed;
  readonly formulas: SessionFormulas;
  readonly #options: SessionOptions;
  readonly #listeners = new Set<() => void>();
  readonly #ends = new Set<() => void>();
  readonly #editorFiles: EditorFiles | undefined;

  constructor(engine: Engine, feed: Feed, options: SessionOptions) {
    this.name = options.name;
    this.link = engine;
    this.feed = feed;
    const {kind} = feed.cluster;
    this.#options = options;
    engine.onState(() => this.#changed());
    feed.start(engine, () => this.#changed());
    this.formulas = new SessionFormulas(
      engine,
      kind === 'recording' || kind === 'program' || kind === 'attached'
        ? listedRows(engine)
        : liveRows(engine),
      options.keeps && (lab => this.#keep(lab, options.keeps as Keeps)),
    );
    this.#editorFiles =
      options.keeps &&
      new EditorFiles({
        folder: options.keeps.folder,
        link: engine,
        types: collections => this.types(collections),
      });
    this.#editorFiles?.start();
  }

  describe(): SessionAnswer {
    const {name, version, redacted, limits, readOnly} = this.#options;
    const {recording: id, kept, state: engine} = this.link;
    const {cluster, connection, namespaces} = this.feed;
    return {
      name,
      id,
      cluster,
      version,
      readOnly,
      redacted,
      limits,
      kept,
      namespaces: [...namespaces],
      engine,
      connection,
      ...this.feed.freshness,
    };
  }

  onChange(f: () => void): () => void {
    this.#listeners.add(f);
    return () => this.#listeners.delete(f);
  }

  onEnd(f: () => void): () => void {
    this.#ends.add(f);
    return () => this.#ends.delete(f);
  }

  async ready(): Promise<{ready: boolean; reasons: string[]}> {
    const {state} = this.link;
    const reasons =
      state === 'ready' ? await this.feed.unsettled(this.link) : [`the engine process is ${state}`];
    return {ready: reasons.length === 0, reasons};
  }

  retry(): void {
    this.feed.retry();
  }

  record(): Promise<Uint8Array> {
    const {context, server, version} = this.feed.cluster;
    return this.link.export({name: this.name, context, server, version});
  }

  types(collections: readonly string[]): Promise<string> {
    return declareScope(this.link, this.feed.documents, collections);
  }

  async kinds(): Promise<Kinds> {
    return (await this.feed.sources?.kinds()) ?? {kinds: [], failed: []};
  }

  async addSource(resource: string): Promise<AddedSource> {
    return this.#sources().add(resource);
  }

  async dropSource(name: string): Promise<void> {
    return this.#sources().drop(name);
  }

  async stop(): Promise<void> {
    this.#listeners.clear();
    this.#editorFiles?.close();
    for (const end of [...this.#ends]) end();
    await Promise.all([this.feed.stop(), this.link.stop(), this.formulas.stop()]);
  }

  #keep(lab: Lab, {folder, quarantine: file, cluster}: Keeps): {keeper: Keeper; modules: Modules} {
    const tell = (problem: string) => log(`${this.name}: ${problem}`);
    const ground = {engine: this.link, lab, quarantine: new Quarantine(file, tell), log: tell};
    const addSource = (resource: string) => this.#sourceOf(resource);
    const files = new FileStore(folder, tell);
    const store = cluster && new ClusterStore();
    const keeper = new Keeper(
      {...ground, addSource: async resource => void (await addSource(resource))},
      store ? [files, store] : [files],
    );
    if (cluster && store) this.#ends.add(cluster.follow(keeper, store, liveRows(this.link), tell));
    return {keeper, modules: new Modules(folder, {...ground, addSource})};
  }

  /** The name of its collection; it need not be new. */
  async #sourceOf(resource: string): Promise<string> {
    try {
      return (await this.addSource(resource)).name;
    } catch (error) {
      const {code, taken} = error as EngineFailure;
      if (code === 'taken' && taken !== undefined) return taken;
      throw error;
    }
  }

  #sources(): Sources {
    const {sources} = this.feed;
    if (sources !== undefined) return sources;
    throw new EngineFailure({
      code: 'read-only',
      message: `${this.name} has no cluster to read more kinds from`,
      hint: 'open a cluster or the demo for that',
    });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
