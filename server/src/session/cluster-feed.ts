// Feeds a cluster's objects to the engine through informers.
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {EngineHandle} from '../engine/link/engine-link.ts';
import {connect} from '../kube/client/connect.ts';
import type {DynamicClient} from '../kube/client/dynamic-client.ts';
import type {Kubeconfig} from '../kube/credentials/kubeconfig.ts';
import {kubectlCommandFor} from '../kube/credentials/kubectl-command.ts';
import {Informers} from '../kube/informer/informer-factory.ts';
import type {ReflectorState} from '../kube/reflector/reflector-state.ts';
import {ClusterSources} from './cluster-sources.ts';
import {ConnectionState, type SessionConnection} from './connection-state.ts';
import {describeClockStep, FreshnessMonitor} from './freshness-monitor.ts';
import {endIfOutOfDescriptors} from './log.ts';
import {unreadyReasons} from './readiness.ts';
import type {SessionFeed} from './session-feed.ts';
import {clusterDocuments} from './types/openapi-documents.ts';

export interface ClusterFeedOptions {
  config: Kubeconfig;
  context: string;
  cluster: SessionAnswer['cluster'];
  namespaces: string[];
  /** Sources besides the built-in ones, in any form that kubectl accepts. */
  wanted: readonly string[];
  redact: (<T>(object: T, kind?: string) => T) | undefined;
  log(problem: string): void;
}

export class ClusterFeed implements SessionFeed {
  readonly namespaces: readonly string[];
  readonly documents = clusterDocuments(
    () => this.#client?.transport,
    () => performance.now(),
  );
  cluster: SessionAnswer['cluster'];
  readonly #options: ClusterFeedOptions;
  readonly #connection: ConnectionState;
  #changed: () => void = () => {};
  #engine: EngineHandle | undefined;
  #informers: Informers | undefined;
  #client: DynamicClient | undefined;
  #sources: ClusterSources | undefined;
  #freshness: FreshnessMonitor | undefined;

  constructor(options: ClusterFeedOptions) {
    this.#options = options;
    this.cluster = options.cluster;
    this.namespaces = options.namespaces;
    this.#connection = new ConnectionState(kubectlCommandFor(options.config, options.context), Date.now);
  }

  get connection(): SessionConnection {
    return this.#connection.current;
  }

  get freshness(): {asOf: number; current: boolean} | undefined {
    return this.#freshness?.worst;
  }

  get sources(): ClusterSources | undefined {
    return this.#sources;
  }

  /** Lists and watches. An unreachable cluster is a state and never an exception. */
  start(engine: EngineHandle, changed: () => void): void {
    this.#engine = engine;
    this.#changed = changed;
    const {config, context, namespaces, redact, wanted, log} = this.#options;
    this.#freshness?.stop();
    const freshness = new FreshnessMonitor(engine, changed, ms => this.#askAgain(engine, ms));
    this.#freshness = freshness;
    try {
      const client = connect({config, context});
      const informers: Informers = new Informers({
        client,
        namespaces,
        audits: true,
        transform: redact && ((object, {kind}) => redact(object, kind)),
        withhold: true,
        onProblem: log,
        onDefinitions: () => this.#sources?.definitionsChanged(),
        elsewhere: async resource => (await this.#sources?.isServedInOtherVersion(resource)) === true,
      });
      this.#informers = informers;
      this.#client = client;
      this.#sources = new ClusterSources({
        engine,
        client,
        informers,
        namespaces,
        kubectl: kubectlCommandFor(config, context),
        wanted,
        log,
        now: Date.now,
        onState: (name, state) => this.#recordSourceState(name, state),
        onFed: (name, informer) => freshness.add(name, informer),
        onDropped: name => {
          this.#connection.forget(name);
          freshness.drop(name);
        },
      });
      this.#sources.begin();
    } catch (error) {
      this.#connection.fail((error as Error).message);
      changed();
    }
  }

  async notReadyReasons(engine: EngineHandle): Promise<string[]> {
    const {state, reason} = this.#connection.current;
    if (state !== 'connected') return [`the cluster is ${state}${reason ? `: ${reason}` : ''}`];
    return unreadyReasons(engine);
  }

  retry(): void {
    if (this.#informers === undefined && this.#engine !== undefined) this.start(this.#engine, this.#changed);
    for (const informer of this.#informers?.all() ?? []) informer.wake();
    void this.#informers?.auditAll();
  }

  /** After a step of the clock the machine may have slept, so no source is current until it has asked again. */
  #askAgain(engine: EngineHandle, step: number): void {
    const reason = describeClockStep(step);
    this.#options.log(`${reason}; all sources ask the cluster again`);
    const now = Date.now();
    const text = `${reason[0]?.toUpperCase()}${reason.slice(1)}; all sources asked the cluster again.`;
    engine.gap({kind: 'watch', from: now, to: now, sequence: engine.sequence, text});
    for (const informer of this.#informers?.all() ?? []) informer.askAgain(reason);
  }

  async stop(): Promise<void> {
    this.#freshness?.stop();
    await this.#informers?.stop();
    await this.#client?.transport.close();
  }

  #recordSourceState(name: string, state: ReflectorState): void {
    endIfOutOfDescriptors(state.reason);
    if (!this.#connection.record(name, state)) return;
    // The cluster was away. It may not have told its version yet, or may have a new one.
    if (this.#connection.current.state === 'connected') {
      void this.#learnVersion();
      this.#sources?.retryCommandLineSources();
    }
    this.#changed();
  }

  // Do not wait for the version: a server that refuses /version can still list.
  async #learnVersion(): Promise<void> {
    try {
      const answer = await this.#client?.transport.request<{gitVersion?: string}>({path: '/version'});
      this.cluster = {...this.cluster, version: answer?.body.gitVersion ?? ''};
      this.#changed();
    } catch {
      // The informers report the problem in better words.
    }
  }
}
