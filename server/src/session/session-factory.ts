// Creates sessions of each kind: with an engine process, a feed, and storage for formulas.
import {mkdirSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {shippedSources} from '@krtscope/shared/sources.ts';
import type {HistoryArchive} from '../archive/history-archive.ts';
import type {SavedProgram} from '../attach/files/saved-programs.ts';
import type {Config} from '../config.ts';
import type {OpenedEngineHandle} from '../engine/link/engine-link.ts';
import {startEngine} from '../engine/supervisor/start-engine.ts';
import {listContexts} from '../kube/credentials/contexts.ts';
import type {Kubeconfig} from '../kube/credentials/kubeconfig.ts';
import {readRedactionPolicy} from '../redact/policy-file.ts';
import type {RedactionPolicy} from '../redact/redaction-policy.ts';
import {makeRedactor, type Redact} from '../redact/redactor.ts';
import type {Telemetry} from '../telemetry/telemetry.ts';
import {UsageError} from '../usage-error.ts';
import {AttachedFeed, type AttachedFeedOptions} from './attached/attached-feed.ts';
import {SavedProgramFeed} from './attached/saved-program-feed.ts';
import {ClusterFeed} from './cluster-feed.ts';
import {startFormulaController} from './formulas/crd/cluster-formulas.ts';
import {log} from './log.ts';
import type {ProgramFeed} from './programs/program-feed.ts';
import {RecordingFeed} from './recording-feed.ts';
import type {RedactionKeys} from './redaction-keys.ts';
import {type ClusterFormulaFollower, Session} from './session.ts';
import type {SessionFeed} from './session-feed.ts';
import {SessionHistory} from './session-history.ts';

export interface ClusterSessionOptions {
  /** The name of the session. */
  name: string;
  config: Kubeconfig;
  context: string;
  namespaces: string[];
  /** The process of the demo's cluster; absent for a user's cluster. */
  demo: {restart(): void; readonly startId: string} | undefined;
  /** `--graph` belongs to the first session. Each other session has its own folder. */
  first: boolean;
}

export class SessionFactory {
  readonly #config: Config;
  readonly #version: string;
  readonly #keys: RedactionKeys;
  readonly #archive: HistoryArchive | undefined;
  readonly #policy: RedactionPolicy | undefined;
  readonly #telemetry: Telemetry | undefined;

  /** Throws UsageError if the file of --redact is wrong. */
  constructor(
    config: Config,
    version: string,
    keys: RedactionKeys,
    {archive, telemetry}: {archive?: HistoryArchive | undefined; telemetry?: Telemetry | undefined} = {},
  ) {
    this.#telemetry = telemetry;
    this.#config = config;
    this.#archive = archive;
    this.#version = version;
    this.#keys = keys;
    this.#policy = config.redact === undefined ? undefined : readRedactionPolicy(config.redact);
  }

  fromRecording(name: string, engine: OpenedEngineHandle): Session {
    return new Session(engine, new RecordingFeed(engine.session), {
      name,
      version: this.#version,
      redacted: engine.redacted,
      limits: this.#limits(),
      readOnly: true,
      redact: engine.redacted ? makeRedactor(undefined, this.#policy) : undefined,
      bookmarks: engine.session.bookmarks,
    });
  }

  /** A recording on disk whose cluster is not connected. */
  async fromStored(name: string, stored: string): Promise<Session> {
    if (this.#archive === undefined) throw new Error('no history is kept on disk');
    const {facts, earlier, archive} = await this.#archive.open(stored);
    if (earlier === undefined) throw new Error('nothing of this recording can be read');
    const {session, redacted, kind} = facts;
    const engine = startEngine({
      ...this.#engineOptions(name),
      redacted,
      awaitsArchive: true,
      sources: Object.entries(shippedSources).map(([collection, resource]) => ({collection, resource})),
      spareMs: 2 ** 31 - 1,
      session,
    });
    engine.attachArchive(archive, earlier);
    const options = {archive: this.#archive, kind, redacted, log};
    return new Session(engine, new RecordingFeed(session), {
      name,
      version: this.#version,
      redacted,
      limits: this.#limits(),
      readOnly: true,
      history: SessionHistory.ofRecording(engine, options, archive),
    });
  }

  fromCluster({name, config, context, namespaces, demo, first}: ClusterSessionOptions): Session {
    const redacted = !this.#config.showSecrets;
    const engine = startEngine({
      ...this.#engineOptions(name),
      redacted,
      awaitsArchive: this.#archive !== undefined,
      sources: Object.entries(shippedSources).map(([collection, resource]) => ({collection, resource})),
    });
    const history = new SessionHistory(engine, {
      archive: this.#archive,
      kind: demo === undefined ? 'live' : 'demo',
      redacted,
      log: line => log(`${name}: ${line}`),
    });
    const feed = new ClusterFeed({
      config,
      context,
      session: name,
      history,
      identity: demo?.startId,
      cluster: {
        kind: demo === undefined ? 'live' : 'demo',
        context,
        server: listContexts(config).find(one => one.name === context)?.server ?? '',
        version: '',
        kubeconfig: config.files.join(':'),
      },
      namespaces,
      wanted: this.#config.sources,
      without: this.#config.without,
      restartCluster: demo && (() => demo.restart()),
      redactorFor: redacted ? owner => this.#redactorOf('cluster', owner) : undefined,
      log: problem => log(`${context}: ${problem}`),
    });
    return new Session(engine, feed, {
      name,
      version: this.#version,
      redacted,
      limits: this.#limits(),
      formulaStorage: {
        ...this.#formulaStorage(name, first),
        ...this.#clusterFormulas(config, context, namespaces, demo !== undefined),
      },
      readOnly: !this.#config.allowWrites,
      redact: redacted ? feed.redact : undefined,
      history,
    });
  }

  /** `label` is the document's own name, without the session's prefix. */
  fromAttachedProgram(
    name: string,
    label: string,
    sources: Pick<AttachedFeedOptions, 'document' | 'log' | 'target' | 'clusters'>,
  ): {session: Session; feed: AttachedFeed} {
    const redacted = !this.#config.showSecrets;
    const redact = redacted ? this.#redactorOf('program', label) : undefined;
    const feed = new AttachedFeed({name: label, ...sources, redact});
    // Formulas over its collections run in the session's own engine process.
    const formulaStorage = this.#formulaStorage(name, false);
    return {feed, session: this.#createReportedSession(name, feed, redacted, formulaStorage)};
  }

  /** Documents and logs that were saved to files. Throws an error that says which file is not a document. */
  fromSavedProgram(name: string, program: SavedProgram): Session {
    const redacted = !this.#config.showSecrets;
    const redact = redacted ? this.#redactorOf('program', program.name) : undefined;
    const feed = new SavedProgramFeed(program, redact);
    return this.#createReportedSession(name, feed, redacted, this.#formulaStorage(name, false));
  }

  /** Programs redact values before they send them. */
  fromProgram(name: string, feed: ProgramFeed): Session {
    return this.#createReportedSession(name, feed, true);
  }

  #redactorOf(kind: 'cluster' | 'program', owner: string): Redact {
    return makeRedactor(this.#keys.keyOf(kind, owner), this.#policy);
  }

  #createReportedSession(
    name: string,
    feed: SessionFeed,
    redacted: boolean,
    formulaStorage?: {folder: string; quarantine: string},
  ): Session {
    const engine = startEngine({
      ...this.#engineOptions(name),
      redacted,
      sources: [],
      told: true,
      // No spare process for programs: each may take a second longer to restart.
      spareMs: 2 ** 31 - 1,
    });
    return new Session(engine, feed, {
      name,
      version: this.#version,
      readOnly: true,
      redacted,
      limits: this.#limits(),
      ...(formulaStorage && {formulaStorage}),
    });
  }

  #engineOptions(name: string) {
    const telemetry = this.#telemetry;
    const {historyRuns, historyMb, engineMemory} = this.#config;
    return {
      name,
      memoryMb: engineMemory,
      historyRuns,
      historyMb,
      onSpans: telemetry && ((batches: string) => telemetry.takeBatches(name, batches)),
      log: (sentence: string, fields: Record<string, unknown>) => {
        const details = Object.entries(fields).map(([field, value]) => `${field}: ${firstLine(value)}`);
        log(`${sentence} (${details.join(', ')})`);
      },
    };
  }

  #limits() {
    const {historyRuns, historyMb, engineMemory} = this.#config;
    return {runs: historyRuns, megabytes: historyMb, engineMegabytes: engineMemory};
  }

  #formulaStorage(name: string, first: boolean): {folder: string; quarantine: string} {
    const {graph, dataDir} = this.#config;
    // A context may be named "..".
    const file = encodeURIComponent(name).replace(/^\.+$/, dots => dots.replaceAll('.', '%2E'));
    const graphFolder = first ? graph : undefined;
    const folder = graphFolder === undefined ? join(dataDir, 'graph', file) : resolve(graphFolder);
    try {
      if (graphFolder !== undefined) mkdirSync(folder, {recursive: true});
    } catch (error) {
      throw new UsageError(`--graph ${graphFolder}: ${(error as Error).message}`);
    }
    return {
      folder,
      quarantine: join(dataDir, 'quarantine', `${file}.json`),
    };
  }

  /** Formulas of the cluster: always for the demo, else if the flag is set. */
  #clusterFormulas(
    config: Kubeconfig,
    context: string,
    namespaces: readonly string[],
    demo: boolean,
  ): {cluster?: ClusterFormulaFollower} {
    const {clusterFormulas, allowWrites} = this.#config;
    if (!demo && !clusterFormulas) return {};
    const mayWrite = demo || allowWrites;
    return {
      cluster: {
        follow: (...args) => startFormulaController({config, context, namespaces, mayWrite}, ...args),
      },
    };
  }
}

const firstLine = (value: unknown) => String(value).split('\n', 1)[0];
