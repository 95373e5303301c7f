// One open session: an engine process, its feed, and its formulas.

import type {Graph} from '@krtscope/shared/graph.ts';
import type {Incidents} from '@krtscope/shared/incidents.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {LagAnswer} from '@krtscope/shared/programs/lag.ts';
import type {ProgramWork} from '@krtscope/shared/programs/work.ts';
import type {StoredBookmark} from '@krtscope/shared/retention/bookmarks.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {AddedSource, KindsAnswer} from '@krtscope/shared/sources.ts';
import type {KindFields} from '@krtscope/shared/what-if/field-schema.ts';
import type {WhatIf, WhatIfRequest} from '@krtscope/shared/what-if/what-if.ts';
import {EngineFailure, type EngineHandle} from '../engine/link/engine-link.ts';
import type {OpenSession} from '../engine/link/session.ts';
import type {LabPool} from '../engine/supervisor/lab-pool.ts';
import type {LabRowSource} from '../engine/supervisor/lab-process.ts';
import type {Redact} from '../redact/redactor.ts';
import {EditorFiles} from './formulas/editor-files.ts';
import {FormulaHelpers} from './formulas/formula-helpers.ts';
import {GroupCollections} from './formulas/group-collections.ts';
import {MinuteClock} from './formulas/minute-clock.ts';
import {GraphModuleWatcher} from './formulas/modules/graph-module-watcher.ts';
import {Quarantine} from './formulas/quarantine.ts';
import {SavedFormulaService} from './formulas/saved-formula-service.ts';
import {type FormulaStorageParts, SessionFormulas} from './formulas/session-formulas.ts';
import {ClusterStore} from './formulas/stores/cluster-store.ts';
import {FileStore} from './formulas/stores/file-store.ts';
import {listedRowSource, liveRowSource} from './formulas/trial/row-sources.ts';
import {log} from './log.ts';
import {SessionBookmarks} from './session-bookmarks.ts';
import type {SessionFeed, SessionSources} from './session-feed.ts';
import {SessionHistory} from './session-history.ts';
import {declareScope} from './types/declarations.ts';
import {kindFieldsOf} from './what-if/kind-fields.ts';
import {WhatIfService} from './what-if/what-if-service.ts';

/** Where a session stores its formulas. */
interface FormulaStorage {
  folder: string;
  quarantine: string;
  cluster?: ClusterFormulaFollower;
}

export interface SessionOptions {
  name: string;
  version: string;
  redacted: boolean;
  limits: SessionAnswer['limits'];
  /** Absent if formulas cannot be saved. */
  formulaStorage?: FormulaStorage;
  readOnly: boolean;
  /** Hides the secrets of edited objects as those of the cluster are hidden. */
  redact?: Redact | undefined;
  /** Absent if the session has no history on disk. */
  history?: SessionHistory;
  /** Those of an opened file. */
  bookmarks?: readonly StoredBookmark[] | undefined;
}

/** Starts to watch the formulas of the cluster. The returned function stops it. */
export interface ClusterFormulaFollower {
  follow(
    service: SavedFormulaService,
    store: ClusterStore,
    rows: LabRowSource,
    log: (problem: string) => void,
  ): () => void;
}

/** What a person can do about an engine process that does not stay up. */
function engineHint(reason: string): string {
  return /memory|heap/i.test(reason) ? 'start krtscope with a larger --engine-memory' : 'restart krtscope';
}

/** History on disk belongs to a cluster. Programs and files have none. */
const MEMORY_ONLY = 'only sessions of clusters keep history on disk';

export class Session implements OpenSession {
  readonly name: string;
  readonly link: EngineHandle;
  readonly feed: SessionFeed;
  readonly formulas: SessionFormulas;
  readonly #options: SessionOptions;
  readonly #listeners = new Set<() => void>();
  readonly #ends = new Set<() => void>();
  readonly #editorFiles: EditorFiles | undefined;
  readonly #whatIf: WhatIfService;
  #helpers: FormulaHelpers | undefined;
  #groups: GroupCollections | undefined;
  readonly history: SessionHistory;
  readonly bookmarks: SessionBookmarks;

  constructor(engine: EngineHandle, feed: SessionFeed, options: SessionOptions) {
    this.name = options.name;
    this.link = engine;
    this.feed = feed;
    const {kind} = feed.cluster;
    this.#options = options;
    this.history =
      options.history ??
      new SessionHistory(engine, {
        archive: undefined,
        offReason: MEMORY_ONLY,
        kind: 'live',
        redacted: true,
        log,
      });
    this.history.onChange(() => this.#changed());
    this.bookmarks = new SessionBookmarks(engine, this.history, options.bookmarks);
    engine.onState(() => this.#changed());
    feed.start(engine, () => this.#changed());
    this.formulas = new SessionFormulas(
      engine,
      kind === 'recording' || kind === 'program' || kind === 'attached'
        ? listedRowSource(engine)
        : liveRowSource(engine),
      options.formulaStorage &&
        (lab => this.#openFormulaStorage(lab, options.formulaStorage as FormulaStorage)),
    );
    this.#editorFiles =
      options.formulaStorage &&
      new EditorFiles({
        folder: options.formulaStorage.folder,
        link: engine,
        types: collections => this.types(collections),
      });
    this.#editorFiles?.start();
    this.#whatIf = new WhatIfService({
      name: this.name,
      helpers: () => this.#helpers?.text,
      engine,
      feed,
      redact: options.redact,
      memoryMb: options.limits.engineMegabytes,
      log: message => log(`${this.name}: ${message}`),
    });
  }

  describe(): SessionAnswer {
    const {name, version, redacted, limits, readOnly} = this.#options;
    const {recording: id, state: engine, trouble} = this.link;
    const {cluster, connection, namespaces, attached} = this.feed;
    return {
      name,
      id,
      cluster,
      version,
      readOnly,
      redacted,
      limits,
      kept: this.history.kept(),
      namespaces: [...namespaces],
      engine,
      ...(trouble && {engineTrouble: {...trouble, hint: engineHint(trouble.reason)}}),
      connection,
      ...this.feed.freshness,
      attached,
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

  async ready(brief = false): Promise<{ready: boolean; reasons: string[]}> {
    const {state} = this.link;
    const reasons =
      state === 'ready'
        ? await this.feed.notReadyReasons(this.link, brief)
        : [
            `the engine process is ${state}${this.link.trouble && !brief ? `: ${this.link.trouble.reason}` : ''}`,
          ];
    return {ready: reasons.length === 0, reasons};
  }

  retry(): void {
    this.link.restartNow();
    this.feed.retry();
  }

  async record({from, to}: {from?: number | undefined; to?: number | undefined} = {}): Promise<Uint8Array> {
    const {context, server, version} = this.feed.cluster;
    const bookmarks = await this.bookmarks.list();
    if (from === undefined && to === undefined)
      return this.link.export({name: this.name, context, server, version, bookmarks});
    return this.history.fileBetween(from, to);
  }

  types(collections: readonly string[]): Promise<string> {
    return declareScope(this.link, this.feed.documents, collections, this.#helpers?.text);
  }

  async kindFields(collection: string): Promise<KindFields> {
    const graph = (await this.link.ask({ask: 'graph'})) as Graph;
    const fields = await kindFieldsOf(graph, collection, this.feed.documents);
    this.#whatIf.warmUp();
    return fields;
  }

  async kinds(): Promise<KindsAnswer> {
    return (await this.feed.sources?.kinds()) ?? {kinds: [], failed: []};
  }

  async addSource(resource: string): Promise<AddedSource> {
    return this.#requireSources().add(resource);
  }

  async dropSource(name: string): Promise<void> {
    const sources = this.#requireSources();
    await this.#groups?.release(name);
    return sources.drop(name);
  }

  lag(): LagAnswer {
    const {lag} = this.feed;
    if (lag !== undefined) return lag;
    throw this.#notAttached('those with "attached" have informers to compare');
  }

  work(): ProgramWork {
    const {work} = this.feed;
    if (work !== undefined) return work;
    throw this.#notAttached('those with "attached" have a log to count');
  }

  #notAttached(which: string): EngineFailure {
    return new EngineFailure({
      code: 'bad-query',
      message: `${this.name} is not an attached program`,
      hint: `GET /api/v1/sessions lists them: ${which}`,
    });
  }

  whatIf(request: WhatIfRequest, signal?: AbortSignal): Promise<WhatIf> {
    return this.#whatIf.answer(request, signal);
  }

  tryIncidentFixes(answer: Incidents, at?: number, signal?: AbortSignal): Promise<Incidents> {
    return this.#whatIf.fixes(at, signal).ofIncidents(answer);
  }

  tryOriginFix(answer: Origin, at?: number, signal?: AbortSignal): Promise<Origin> {
    return this.#whatIf.fixes(at, signal).ofOrigin(answer);
  }

  /** The process of the copy for What if, for tests. */
  get copyPid(): number | undefined {
    return this.#whatIf.copyPid;
  }

  async stop(): Promise<void> {
    this.#listeners.clear();
    this.#editorFiles?.close();
    for (const end of [...this.#ends]) end();
    await Promise.all([this.feed.stop(), this.#whatIf.stop(), this.link.stop(), this.formulas.stop()]);
  }

  #openFormulaStorage(
    lab: LabPool,
    {folder, quarantine: file, cluster}: FormulaStorage,
  ): FormulaStorageParts {
    const logProblem = (problem: string) => log(`${this.name}: ${problem}`);
    const context = {engine: this.link, lab, quarantine: new Quarantine(file, logProblem), log: logProblem};
    const addSource = (resource: string) => this.#ensureSource(resource);
    const files = new FileStore(folder, logProblem);
    const store = cluster && new ClusterStore();
    const clock = new MinuteClock(this.link);
    this.#ends.add(() => clock.stop());
    const groups = new GroupCollections(this.link);
    this.#ends.add(() => groups.stop());
    const prepare = {
      addSource: async (resource: string) => void (await addSource(resource)),
      startClock: () => clock.start(),
      groups,
      helpers: new FormulaHelpers(folder, logProblem),
    };
    this.#helpers = prepare.helpers;
    this.#groups = groups;
    const service = new SavedFormulaService({...context, ...prepare}, store ? [files, store] : [files]);
    if (cluster && store)
      this.#ends.add(cluster.follow(service, store, liveRowSource(this.link), logProblem));
    return {service, modules: new GraphModuleWatcher(folder, {...context, addSource}), prepare};
  }

  /** The collection's name. The source may already exist. */
  async #ensureSource(resource: string): Promise<string> {
    try {
      return (await this.addSource(resource)).name;
    } catch (error) {
      const {code, taken} = error as EngineFailure;
      if (code === 'taken' && taken !== undefined) return taken;
      throw error;
    }
  }

  #requireSources(): SessionSources {
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
