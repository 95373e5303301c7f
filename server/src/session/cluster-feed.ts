// Feeds a cluster's objects to the engine through informers.
import type {WireResource} from '@krtscope/shared/graph.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {ClusterObjects} from '../attach/lag/cluster-objects.ts';
import type {EngineHandle} from '../engine/link/engine-link.ts';
import {connect} from '../kube/client/connect.ts';
import type {DynamicClient} from '../kube/client/dynamic-client.ts';
import type {Kubeconfig} from '../kube/credentials/kubeconfig.ts';
import {kubectlCommandFor} from '../kube/credentials/kubectl-command.ts';
import {Informers} from '../kube/informer/informer-factory.ts';
import type {ReflectorState} from '../kube/reflector/reflector-state.ts';
import {fromWireResource} from '../kube/resource.ts';
import type {Redact} from '../redact/redactor.ts';
import {readClusterIdentity} from './cluster-identity.ts';
import {ClusterSources} from './cluster-sources.ts';
import {ConnectionState, type SessionConnection} from './connection-state.ts';
import {FreshnessMonitor} from './freshness-monitor.ts';
import {endIfOutOfDescriptors} from './log.ts';
import {unreadyReasons} from './readiness.ts';
import type {SessionFeed} from './session-feed.ts';
import type {SessionHistory} from './session-history.ts';
import {clusterDocuments} from './types/openapi-documents.ts';

const READ_TIMEOUT_MS = 3000;

export interface ClusterFeedOptions {
  config: Kubeconfig;
  context: string;
  cluster: SessionAnswer['cluster'];
  namespaces: string[];
  /** Sources besides the built-in ones, in any form that kubectl accepts. */
  wanted: readonly string[];
  /** Shipped collections that are not read. */
  without?: readonly string[];
  /** Starts the cluster's own process again, if krtscope runs it. */
  restartCluster?: (() => void) | undefined;
  /** The redactor of a cluster, by its identity. Absent if secrets are shown. */
  redactorFor: ((owner: string) => Redact) | undefined;
  /** The name of the session. */
  session: string;
  history: SessionHistory;
  /** Known for the demo. Else the cluster is asked. */
  identity?: string | undefined;
  log(problem: string): void;
}

/** The time for the first answer of a cluster. After it the session begins without its history on disk. */
const IDENTITY_MS = 3000;

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
  #isStopped = false;
  #identity: string | undefined;
  #redact: Redact | undefined;

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

  /** Undefined until the sources exist. */
  get objects(): ClusterObjects | undefined {
    const sources = this.#sources;
    if (sources === undefined) return undefined;
    return {
      session: this.#options.session,
      namespaces: this.namespaces,
      kinds: () => sources.objects(name => this.#freshness?.isCurrent(name) === true),
    };
  }

  /** Lists and watches. An unreachable cluster is a state and never an exception. */
  start(engine: EngineHandle, changed: () => void): void {
    this.#engine = engine;
    this.#changed = changed;
    const {config, context, namespaces, redactorFor, wanted, without = [], log} = this.#options;
    this.#freshness?.stop();
    const freshness = new FreshnessMonitor(engine, changed, reason => this.#askAgain(engine, reason));
    this.#freshness = freshness;
    try {
      const client = connect({config, context});
      const informers: Informers = new Informers({
        client,
        namespaces,
        audits: true,
        transform: redactorFor && ((object, {kind}, last) => this.#redactor()(object, kind, last)),
        withhold: true,
        share: true,
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
        without,
        log,
        now: Date.now,
        onState: (name, state) => this.#recordSourceState(name, state),
        onFed: (name, informer) => freshness.add(name, informer),
        onDropped: name => {
          this.#connection.forget(name);
          freshness.drop(name);
        },
      });
      void this.#begin(this.#sources);
    } catch (error) {
      this.#connection.fail((error as Error).message);
      changed();
    }
  }

  /** The first objects wait until it is known which history they belong to. */
  async #begin(sources: ClusterSources): Promise<void> {
    await this.#identify(IDENTITY_MS);
    if (!this.#isStopped) sources.begin();
  }

  async #identify(timeout?: number): Promise<void> {
    const {history, session} = this.#options;
    const {context, server, version} = this.cluster;
    let identity: string | undefined;
    let reason: string | undefined;
    try {
      identity = this.#options.identity ?? (await this.#readIdentity(timeout));
    } catch (error) {
      reason = (error as Error).message;
    }
    this.#identity ??= identity;
    if (!this.#isStopped)
      await history.identified(identity, {name: session, context, server, version}, reason);
  }

  /** Hides secrets as in the objects of this cluster. */
  redact: Redact = (object, kind, last) => this.#redactor()(object, kind, last);

  /** Made with the first object, when the cluster is known. Without its identity its context has to do. */
  #redactor(): Redact {
    this.#redact ??= this.#options.redactorFor?.(this.#identity ?? `context ${this.#options.context}`);
    return this.#redact ?? (object => object);
  }

  async #readIdentity(timeout?: number): Promise<string | undefined> {
    if (this.#client === undefined) return undefined;
    const reading = readClusterIdentity(this.#client.transport);
    if (timeout === undefined) return reading;
    // A cluster that does not answer must not hold the session back.
    reading.catch(() => {});
    const late = new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), timeout).unref());
    return Promise.race([reading, late]);
  }

  async notReadyReasons(engine: EngineHandle, brief: boolean): Promise<string[]> {
    const {state, reason} = this.#connection.current;
    if (state !== 'connected') return [`the cluster is ${state}${reason && !brief ? `: ${reason}` : ''}`];
    return unreadyReasons(engine, brief);
  }

  async readObject(object: {
    resource: WireResource;
    namespace: string;
    name: string;
  }): Promise<object | undefined> {
    const {resource, namespace, name} = object;
    try {
      return await this.#client?.get(
        fromWireResource(resource),
        {name, ...(namespace === '' ? {} : {namespace})},
        {signal: AbortSignal.timeout(READ_TIMEOUT_MS)},
      );
    } catch {
      // It is gone, or the user may not read it, or the cluster is away. The caller has the watched object.
      return undefined;
    }
  }

  retry(): void {
    if (this.#connection.current.state !== 'connected') this.#options.restartCluster?.();
    if (this.#informers === undefined && this.#engine !== undefined) this.start(this.#engine, this.#changed);
    for (const informer of this.#informers?.all() ?? []) informer.wake();
    void this.#informers?.auditAll();
  }

  /** After a step of the clock or a pause the watches may be dead, so no source is current until it has asked again. */
  #askAgain(engine: EngineHandle, reason: string): void {
    this.#options.log(`${reason}; all sources ask the cluster again`);
    const now = Date.now();
    const text = `${reason[0]?.toUpperCase()}${reason.slice(1)}; all sources asked the cluster again.`;
    engine.gap({kind: 'watch', from: now, to: now, sequence: engine.sequence, text});
    for (const informer of this.#informers?.all() ?? []) informer.askAgain(reason);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
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
      void this.#identify();
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
