// How a session of each kind is made: its engine process, its feed, and where it keeps what somebody types. Which ones
// are open is the list's business.
import {mkdirSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {shippedSources} from '@krtscope/shared/sources.ts';
import type {Config} from '../config.ts';
import type {OpenedEngineHandle} from '../engine/link/engine-link.ts';
import {startEngine} from '../engine/supervisor/start-engine.ts';
import {listContexts} from '../kube/credentials/contexts.ts';
import type {Kubeconfig} from '../kube/credentials/kubeconfig.ts';
import {makeRedactor} from '../redact/redactor.ts';
import {UsageError} from '../usage-error.ts';
import {AttachedFeed} from './attached-feed.ts';
import {ClusterFeed} from './cluster-feed.ts';
import {startFormulaController} from './formulas/crd/cluster-formulas.ts';
import {log} from './log.ts';
import type {ProgramFeed} from './programs/program-feed.ts';
import {RecordingFeed} from './recording-feed.ts';
import {type ClusterFormulaFollower, Session} from './session.ts';
import type {SessionFeed} from './session-feed.ts';

export interface ClusterSessionOptions {
  /** The session's. */
  name: string;
  config: Kubeconfig;
  context: string;
  namespaces: string[];
  demo: boolean;
  /** `--graph` is the first session's; each of the others has a folder of its own. */
  first: boolean;
}

export class SessionFactory {
  readonly #config: Config;
  readonly #version: string;
  readonly #redact: (<T>(object: T, kind?: string) => T) | undefined;

  constructor(config: Config, version: string) {
    this.#config = config;
    this.#version = version;
    this.#redact = config.showSecrets ? undefined : makeRedactor();
  }

  fromRecording(name: string, engine: OpenedEngineHandle): Session {
    return new Session(engine, new RecordingFeed(engine.session), {
      name,
      version: this.#version,
      redacted: engine.redacted,
      limits: this.#limits(),
      readOnly: true,
    });
  }

  fromCluster({name, config, context, namespaces, demo, first}: ClusterSessionOptions): Session {
    const redacted = this.#redact !== undefined;
    const engine = startEngine({
      ...this.#engineOptions(name),
      redacted,
      sources: Object.entries(shippedSources).map(([collection, resource]) => ({collection, resource})),
    });
    const feed = new ClusterFeed({
      config,
      context,
      cluster: {
        kind: demo ? 'demo' : 'live',
        context,
        server: listContexts(config).find(one => one.name === context)?.server ?? '',
        version: '',
        kubeconfig: config.files.join(':'),
      },
      namespaces,
      wanted: this.#config.sources,
      redact: this.#redact,
      log: problem => log(`${context}: ${problem}`),
    });
    return new Session(engine, feed, {
      name,
      version: this.#version,
      redacted,
      limits: this.#limits(),
      formulaStorage: {
        ...this.#formulaStorage(name, first),
        ...this.#clusterFormulas(config, context, namespaces, demo),
      },
      readOnly: !this.#config.allowWrites,
    });
  }

  /** `label` is the document's own name, without what makes it one of a session. */
  fromKrtzDocument(name: string, label: string, url: URL): {session: Session; feed: AttachedFeed} {
    const feed = new AttachedFeed({name: label, url, redact: this.#redact});
    return {feed, session: this.#createReportedSession(name, feed, this.#redact !== undefined)};
  }

  /** Values of a program are redacted where they come from. */
  fromProgram(name: string, feed: ProgramFeed): Session {
    return this.#createReportedSession(name, feed, true);
  }

  #createReportedSession(name: string, feed: SessionFeed, redacted: boolean): Session {
    const engine = startEngine({
      ...this.#engineOptions(name),
      redacted,
      sources: [],
      told: true,
      // One more process for each program would be too much: it may take a second longer to come back.
      spareMs: 2 ** 31 - 1,
    });
    return new Session(engine, feed, {
      name,
      version: this.#version,
      readOnly: true,
      redacted,
      limits: this.#limits(),
    });
  }

  #engineOptions(name: string) {
    const {historyRuns, historyMb, engineMemory} = this.#config;
    return {
      name,
      memoryMb: engineMemory,
      historyRuns,
      historyMb,
      log: (sentence: string, fields: Record<string, unknown>) => {
        const told = Object.entries(fields).map(([field, value]) => `${field}: ${firstLine(value)}`);
        log(`${sentence} (${told.join(', ')})`);
      },
    };
  }

  #limits() {
    const {historyRuns, historyMb, engineMemory} = this.#config;
    return {runs: historyRuns, megabytes: historyMb, engineMegabytes: engineMemory};
  }

  #formulaStorage(name: string, first: boolean): {folder: string; quarantine: string} {
    const {graph, dataDir} = this.#config;
    // A context may be called "..".
    const file = encodeURIComponent(name).replace(/^\.+$/, dots => dots.replaceAll('.', '%2E'));
    const own = first ? graph : undefined;
    const folder = own === undefined ? join(dataDir, 'graph', file) : resolve(own);
    try {
      if (own !== undefined) mkdirSync(folder, {recursive: true});
    } catch (error) {
      throw new UsageError(`--graph ${own}: ${(error as Error).message}`);
    }
    return {
      folder,
      quarantine: join(dataDir, 'quarantine', `${file}.json`),
    };
  }

  /** Formulas of the cluster: the demo's always, another's where the flag says so. */
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
        follow: (...given) => startFormulaController({config, context, namespaces, mayWrite}, ...given),
      },
    };
  }
}

const firstLine = (value: unknown) => String(value).split('\n', 1)[0];
