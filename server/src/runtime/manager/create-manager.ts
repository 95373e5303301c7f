// Creates a manager from its options. Wrong options fail here, before anything runs.

import {DynamicClient} from '../../kube/client/dynamic-client.ts';
import {type Clock, systemClock} from '../../kube/clock.ts';
import {ApiError} from '../../kube/error.ts';
import type {RequestOptions, Wire} from '../../kube/transport/transport.ts';
import {InformerCache} from '../cache/informer-cache.ts';
import {RuntimeClient} from '../client/runtime-client.ts';
import {LeaderElection} from '../leader/leader-election.ts';
import {jsonLogger, type Logger} from '../log/logger.ts';
import {Metrics} from '../metrics/metrics.ts';
import {UsedRights} from '../metrics/used-rights.ts';
import {Mapper} from '../scheme/mapper.ts';
import {Scheme} from '../scheme/scheme.ts';
import {clientHooks} from '../trace/client-hooks.ts';
import type {TracerSlot} from '../trace/tracer.ts';
import {HealthChecks} from './health-checks.ts';
import {HttpServer, notFound, parseAddress} from './http-server.ts';
import {Manager} from './manager.ts';
import {addressOf, checkManagerTimes, type ManagerOptions, type MetricsOptions} from './manager-options.ts';

/**
 * Returns a manager that has not started. Rejects when no cluster is configured, when the probe address cannot be
 * bound, or when the leader election options are inconsistent.
 */
export async function createManager(given: ManagerOptions = {}): Promise<Manager> {
  const options = {...given, now: given.now ?? wallClock(given)};
  const metricsAddress = addressOf(options.metrics?.bindAddress);
  if (metricsAddress !== undefined) parseAddress(metricsAddress, 'metrics');
  refuseOpenTokens(options.metrics);
  checkManagerTimes(options);
  const clock = options.clock ?? options.transport?.clock ?? systemClock;
  const log = options.log ?? jsonLogger();
  const metrics = new Metrics();
  const {wire: connection, close} = await wireOf(options, clock, metrics, log);
  const wire = new UsedRights(metrics).around(connection, kind => mapper.resource(kind));
  const election =
    options.leaderElection && new LeaderElection(options.leaderElection, {wire, clock, log, metrics});
  const client = new DynamicClient(election ? election.fence.around(wire) : wire);
  const mapper = new Mapper(wire);
  const onProblem = (problem: string) => log.warn(problem);
  const cache =
    options.newCache?.() ?? new InformerCache({onProblem, ...options.cache, client, mapper, clock});
  const tracer: TracerSlot = {current: undefined};
  const hooks = clientHooks(tracer, cache);
  const runtimeClient = new RuntimeClient({...options.client, client, mapper, cache, hooks});
  const liveness = new HealthChecks();
  const readiness = new HealthChecks();
  const probes = probesOf(options, liveness, readiness, log);
  await probes?.bind();
  return new Manager({
    options,
    clock,
    log,
    metrics,
    scheme: options.scheme ?? new Scheme(),
    mapper,
    cache,
    client: runtimeClient,
    tracer,
    election,
    liveness,
    readiness,
    probes,
    wire,
    close,
  });
}

/** Tokens must not cross a network in clear text. */
function refuseOpenTokens({bindAddress = ':8080', authentication, tls}: MetricsOptions = {}): void {
  if (authentication !== true || tls || addressOf(bindAddress) === undefined) return;
  const {host} = parseAddress(bindAddress, 'metrics');
  if (host !== undefined && /^(127\.|localhost$|::1$)/.test(host)) return;
  throw new Error(
    `metrics.authentication needs metrics.tls, or a bindAddress on this machine such as 127.0.0.1:8080; it is ${bindAddress}`,
  );
}

/** A connection in virtual time brings its own date. */
function wallClock({clock, transport}: ManagerOptions): (() => number) | undefined {
  const source = clock ?? transport?.clock;
  return source?.date ? () => source.date!() : undefined;
}

async function wireOf(
  options: ManagerOptions,
  clock: Clock,
  metrics: Metrics,
  log: Logger,
): Promise<{wire: Wire; close: () => Promise<void>}> {
  if (options.transport) return {wire: countRequests(options.transport, metrics), close: async () => {}};
  // Loaded on demand, because a program with its own transport does not need HTTP.
  const [{connect}, {chooseCluster}] = await Promise.all([
    import('../../kube/client/connect.ts'),
    import('../../kube/credentials/contexts.ts'),
  ]);
  const {kubeconfig, context} = options;
  const choice = chooseCluster({kubeconfig, context});
  if (!choice)
    throw new Error(
      'no cluster is configured: set KUBECONFIG or the kubeconfig option, run inside a Pod, or pass a transport',
    );
  let host = '';
  const {transport} = connect({
    config: choice.config,
    context: choice.context,
    clock,
    readOnly: false,
    onAnswer: ({method, code, ms}) => {
      metrics.count(metrics.requests, {code: String(code || '<error>'), method, host});
      metrics.requestDuration.labels({verb: method, host}).observe(ms / 1000);
    },
    onBody: ({method, direction, bytes}) => {
      const sizes = direction === 'sent' ? metrics.requestSize : metrics.responseSize;
      sizes.labels({verb: method, host}).observe(bytes);
    },
    onRetry: ({method, code}) => metrics.requestRetries.inc({code: code || '<error>', verb: method, host}),
    onWarning: warning => log.warn('warning from the API server', {warning}),
  });
  host = new URL(transport.server).host;
  return {wire: transport, close: () => transport.close()};
}

/** Counts the requests of a transport that the program brought, whose bodies and retries are not visible. */
function countRequests(wire: Wire, metrics: Metrics): Wire {
  const host = URL.parse(wire.server)?.host ?? wire.server;
  const counted = async <R extends {code: number}>(method: string, ask: () => Promise<R>): Promise<R> => {
    const start = wire.clock.now();
    let code: number | string = '<error>';
    try {
      const answer = await ask();
      code = answer.code;
      return answer;
    } catch (error) {
      if (error instanceof ApiError) code = error.code;
      throw error;
    } finally {
      metrics.count(metrics.requests, {code: String(code), method, host});
      metrics.requestDuration.labels({verb: method, host}).observe((wire.clock.now() - start) / 1000);
    }
  };
  return {
    server: wire.server,
    readOnly: wire.readOnly,
    clock: wire.clock,
    request: <T>(asked: RequestOptions) => counted(asked.method ?? 'GET', () => wire.request<T>(asked)),
    stream: asked => counted(asked.method ?? 'GET', () => wire.stream(asked)),
    close: () => wire.close(),
  };
}

/** An endpoint without checks does not exist, so that a probe of it cannot look healthy by mistake. */
function probesOf(
  options: ManagerOptions,
  liveness: HealthChecks,
  readiness: HealthChecks,
  log: Logger,
): HttpServer | undefined {
  const address = addressOf(options.healthProbeBindAddress);
  if (!address) return undefined;
  const endpoints: [string, HealthChecks][] = [
    [options.readinessEndpointName ?? '/readyz', readiness],
    [options.livenessEndpointName ?? '/healthz', liveness],
  ];
  return new HttpServer({
    address,
    name: 'health probe',
    handler: (request, response, url) => {
      for (const [path, checks] of endpoints) {
        if (url.pathname !== path && !url.pathname.startsWith(`${path}/`)) continue;
        if (checks.size === 0) break;
        const below = url.pathname.slice(path.length).replace(/^\//, '');
        return checks.answer(request, response, below, url.searchParams, log);
      }
      return notFound(response);
    },
  });
}
