// Runs servers, caches, controllers and other runnables in groups that start and stop in order. With leader election,
// the controllers run only while this process leads.

import type {Clock} from '../../kube/clock.ts';
import type {Wire} from '../../kube/transport/transport.ts';
import type {Cache, Reader} from '../cache/cache.ts';
import type {Client} from '../client/client.ts';
import {Controller} from '../controller/controller.ts';
import type {ControllerDefaults, ControllerHost} from '../controller/controller-builder.ts';
import type {ControllerDependencies} from '../controller/controller-options.ts';
import {ClientEventRecorder, type EventRecorder, type RecorderOptions} from '../events/event-recorder.ts';
import type {LeaderElection, LeaderView} from '../leader/leader-election.ts';
import type {Logger} from '../log/logger.ts';
import type {Metrics} from '../metrics/metrics.ts';
import {ControllersReport} from '../report/controllers-report.ts';
import {Program} from '../report/program.ts';
import {isTokenMissing} from '../report/report-target.ts';
import type {Mapper} from '../scheme/mapper.ts';
import type {Scheme} from '../scheme/scheme.ts';
import type {TracerSlot} from '../trace/tracer.ts';
import {WebhookServer} from '../webhook/webhook-server.ts';
import type {HealthCheck, HealthChecks} from './health-checks.ts';
import type {HttpHandler, HttpServer} from './http-server.ts';
import {addressOf, gracefulTimeout, type ManagerOptions, metricsPath} from './manager-options.ts';
import {MetricsAccess} from './metrics-access.ts';
import {metricsServer} from './metrics-server.ts';
import type {Runnable, RunnableFunction} from './runnable.ts';
import {waitForAbort} from './runnable-group.ts';
import {RunnableGroups} from './runnable-groups.ts';
import {shutdownSignal} from './shutdown-signal.ts';

/** The parts that create-manager.ts creates. */
export interface ManagerParts {
  options: ManagerOptions;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  scheme: Scheme;
  mapper: Mapper;
  cache: Cache;
  client: Client;
  tracer: TracerSlot;
  election: LeaderElection | undefined;
  liveness: HealthChecks;
  readiness: HealthChecks;
  probes: HttpServer | undefined;
  /** The connection without the fence of the lease. */
  wire: Wire;
  /** Closes connections that the manager opened. */
  close: () => Promise<void>;
}

/** Create it with `createManager`. It can start once. */
export class Manager implements ControllerHost {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly scheme: Scheme;
  readonly mapper: Mapper;
  readonly cache: Cache;
  /** Reads from the cache, writes to the server. */
  readonly client: Client;
  /** Reads from the server without the cache. */
  readonly apiReader: Reader;
  readonly tracer: TracerSlot;
  readonly #parts: ManagerParts;
  readonly #groups: RunnableGroups;
  readonly #names = new Set<string>();
  readonly #controllers: Controller[] = [];
  readonly #metricsHandlers: Map<string, HttpHandler>;
  readonly #elected = Promise.withResolvers<void>();
  readonly #stop = new AbortController();
  #failure: {error: unknown} | undefined;
  #webhooks: WebhookServer | undefined;
  #metricsServer: HttpServer | undefined;
  #started = false;
  #leading = false;
  #lost = false;
  #program: Program | undefined;

  constructor(parts: ManagerParts) {
    this.#parts = parts;
    this.clock = parts.clock;
    this.log = parts.log;
    this.metrics = parts.metrics;
    this.scheme = parts.scheme;
    this.mapper = parts.mapper;
    this.cache = parts.cache;
    this.client = parts.client;
    this.apiReader = parts.client.apiReader;
    this.tracer = parts.tracer;
    this.#groups = new RunnableGroups(error => this.#fail(error));
    this.#metricsHandlers = new Map();
    for (const [path, handler] of Object.entries(parts.options.metrics?.handlers ?? {}))
      this.addMetricsHandler(path, handler);
  }

  get controllerDefaults(): ControllerDefaults {
    return this.#parts.options.controller ?? {};
  }

  get surroundings(): ControllerDependencies {
    const {clock, log, metrics, tracer, cache} = this;
    return {clock, log, metrics, tracer, cache};
  }

  /** Resolves once this process leads and has started its controllers. Without election it resolves at the start. Rejects when the manager stops before. */
  get elected(): Promise<void> {
    return this.#elected.promise;
  }

  get leading(): boolean {
    return this.#leading;
  }

  get controllers(): readonly Controller[] {
    return this.#controllers;
  }

  /** The lease and its holder; undefined without election. */
  get leader(): LeaderView | undefined {
    return this.#parts.election?.view();
  }

  /** The listening ports; 0 for servers that do not listen. */
  get ports(): {metrics: number; probes: number; webhooks: number} {
    return {
      metrics: this.#metricsServer?.port ?? 0,
      probes: this.#parts.probes?.port ?? 0,
      webhooks: this.#webhooks?.port ?? 0,
    };
  }

  /** The first access creates the server and adds it to the manager. */
  get webhookServer(): WebhookServer {
    if (!this.#webhooks) {
      const {clock, log, metrics} = this;
      this.#webhooks = new WebhookServer(this.#parts.options.webhookServer, {clock, log, metrics});
      this.add(this.#webhooks);
    }
    return this.#webhooks;
  }

  /** Returns a recorder of Events for a controller. */
  eventRecorder(component: string, options: Pick<RecorderOptions, 'api' | 'instance'> = {}): EventRecorder {
    const {client, clock, log} = this;
    return new ClientEventRecorder({...options, client, component, clock, log, now: this.#parts.options.now});
  }

  claimName(name: string): void {
    if (this.#names.has(name))
      throw new Error(
        `a controller named ${name} already exists, and both would share metrics; rename one with named(…), ` +
          'or set skipNameValidation',
      );
    this.#names.add(name);
  }

  /** Adds a runnable. It starts at once if its group has started. Throws while the manager stops. */
  add(runnable: Runnable | RunnableFunction): void {
    this.#groups.add(runnable);
    if (runnable instanceof Controller) this.#controllers.push(runnable);
  }

  addHealthzCheck(name: string, check: HealthCheck): void {
    this.#addCheck(this.#parts.liveness, name, check);
  }

  addReadyzCheck(name: string, check: HealthCheck): void {
    this.#addCheck(this.#parts.readiness, name, check);
  }

  /** Adds a path to the metrics server. */
  addMetricsHandler(path: string, handler: HttpHandler): void {
    if (this.#started) throw new Error('add metrics handlers before the manager starts');
    if (path === metricsPath) throw new Error(`${metricsPath} itself cannot be overridden`);
    if (this.#metricsHandlers.has(path)) throw new Error(`a metrics handler at ${path} already exists`);
    this.#metricsHandlers.set(path, handler);
  }

  /**
   * Runs until the signal aborts, by default at SIGINT or SIGTERM. Rejects when a runnable fails, when the lease is
   * lost, or when the shutdown takes too long. The program should then end too.
   */
  async start(signal: AbortSignal = shutdownSignal()): Promise<void> {
    if (this.#started) throw new Error('manager already started');
    this.#started = true;
    const stop = () => this.#stop.abort();
    signal.addEventListener('abort', stop, {once: true});
    if (signal.aborted) stop();
    this.log.info('manager started', {controllers: this.#controllers.length});
    this.#addOwn();
    this.#report();
    let electing: Promise<void> | undefined;
    await this.#groups.start(this.#stop.signal);
    if (!this.#stop.signal.aborted) electing = this.#lead();
    await waitForAbort(this.#stop.signal);
    signal.removeEventListener('abort', stop);
    await this.#end(electing);
  }

  #addOwn(): void {
    const {cache, options, probes} = this.#parts;
    this.add({cache, start: signal => cache.start(signal)} as Runnable);
    const address = addressOf(options.metrics?.bindAddress ?? ':8080');
    if (address) {
      const {tls, authentication} = options.metrics ?? {};
      const access = authentication ? new MetricsAccess(this.#parts.wire) : undefined;
      this.#metricsServer = metricsServer(this.metrics, address, this.#metricsHandlers, tls, access);
      this.add(this.#metricsServer);
    }
    if (probes) this.add(probes);
  }

  /** Takes part in the election, or starts at once. Resolves when the election is over. */
  async #lead(): Promise<void> {
    const begin = async () => {
      if (this.#stop.signal.aborted) return;
      this.#leading = true;
      this.#tellControllers();
      await this.#groups.startLeader(this.#stop.signal);
      this.#elected.resolve();
    };
    const {election} = this.#parts;
    if (!election) return begin();
    await election.run(
      () => void begin(),
      () => {
        this.#lost = true;
        this.log.error('lease lost, stopping');
        this.#fail(new Error('leader election lost'));
      },
      () => this.#tellControllers(),
    );
  }

  async #end(electing: Promise<void> | undefined): Promise<void> {
    const late = await this.#stopWithin(this.#lost ? 0 : gracefulTimeout(this.#parts.options));
    this.#parts.election?.stop();
    if (!this.#lost) await electing;
    this.#leading = false;
    await this.#parts.close();
    this.#program?.end();
    this.log.info('manager stopped');
    this.#elected.promise.catch(() => {});
    this.#elected.reject(new Error('the manager stopped before it was elected'));
    const errors = [...(this.#failure ? [this.#failure.error] : []), ...(late ? [late] : [])];
    if (errors.length > 1) throw new AggregateError(errors, errors.map(one => String(one)).join('; '));
    if (errors.length === 1) throw errors[0];
  }

  /** Returns an error if a runnable has not ended by then. */
  async #stopWithin(ms: number): Promise<Error | undefined> {
    if (ms === 0) {
      this.#groups.abandon();
      return undefined;
    }
    const ended = this.#groups.stop().then(() => 'ended' as const);
    if (ms < 0) {
      await ended;
      return undefined;
    }
    let cancel = () => {};
    const late = new Promise<'late'>(resolve => {
      cancel = this.clock.after(ms, () => resolve('late'));
    });
    const first = await Promise.race([ended, late]);
    cancel();
    if (first === 'ended') return undefined;
    this.#groups.abandon();
    return new Error(`failed waiting for all runnables to end within grace period of ${ms / 1000}s`);
  }

  #report(): void {
    const {report} = this.#parts.options;
    if (report === false) return;
    if (isTokenMissing())
      this.log.warn('KRTSCOPE_URL has no token, so krtscope refuses the report; set KRTSCOPE_TOKEN');
    const program = report instanceof Program ? report : new Program(report);
    // End only a Program that this manager created.
    if (program !== report) this.#program = program;
    program.add(new ControllersReport(this));
  }

  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) {
      if (!isAbort(error)) this.log.error('error received after stop sequence was engaged', {error});
      return;
    }
    this.#failure = {error};
    this.#stop.abort();
  }

  #addCheck(checks: HealthChecks, name: string, check: HealthCheck): void {
    if (this.#started) throw new Error('add health checks before the manager starts');
    checks.add(name, check);
  }

  #tellControllers(): void {
    for (const {name} of this.#controllers) this.tracer.current?.onState(name);
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
