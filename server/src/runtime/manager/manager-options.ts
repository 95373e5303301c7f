// What a manager can be told, and what it does when it is not.

import type {ServerOptions} from 'node:https';
import type {Clock} from '../../kube/clock.ts';
import type {Wire} from '../../kube/transport/transport.ts';
import type {Cache} from '../cache/cache.ts';
import type {CacheOptions} from '../cache/informer-cache.ts';
import type {ClientHooks} from '../client/client.ts';
import type {ClientOptions} from '../client/runtime-client.ts';
import type {ControllerDefaults} from '../controller/controller-builder.ts';
import type {LeaderElectionOptions} from '../leader/leader-election.ts';
import type {Logger} from '../log/logger.ts';
import type {Program, ProgramOptions} from '../report/program.ts';
import type {Scheme} from '../scheme/scheme.ts';
import type {WebhookServerOptions} from '../webhook/webhook-server.ts';
import type {HttpHandler} from './http-server.ts';

export interface ManagerOptions {
  /** How to reach the cluster; otherwise as kubectl finds it, or the service account of the Pod this runs in. */
  transport?: Wire | undefined;
  kubeconfig?: string | undefined;
  context?: string | undefined;
  clock?: Clock | undefined;
  /** Milliseconds since 1970, for what is written with a time. Date.now. */
  now?: (() => number) | undefined;
  log?: Logger | undefined;
  /** The kinds the program works with, beside the built-in ones. */
  scheme?: Scheme | undefined;
  cache?: Omit<CacheOptions, 'client' | 'mapper' | 'clock'> | undefined;
  /** Makes the cache instead: for a program that holds the objects already. */
  newCache?: (() => Cache & Pick<ClientHooks, 'peek'>) | undefined;
  client?: Pick<ClientOptions, 'uncached' | 'dryRun' | 'fieldOwner' | 'fieldValidation'> | undefined;
  controller?: ControllerDefaults | undefined;
  metrics?: MetricsOptions | undefined;
  /** `host:port` of the probes; absent or `0`: none. */
  healthProbeBindAddress?: string | undefined;
  /** `/readyz`. */
  readinessEndpointName?: string | undefined;
  /** `/healthz`. */
  livenessEndpointName?: string | undefined;
  webhookServer?: WebhookServerOptions | undefined;
  /** Only one of several processes runs the controllers. Off. */
  leaderElection?: LeaderElectionOptions | undefined;
  /** Milliseconds that everything has to end: 0 does not wait, a negative number waits for ever. 30 s. */
  gracefulShutdownTimeout?: number | undefined;
  /**
   * Under which name to report to krtscope, where one listens: the one KRTSCOPE_URL names, or the newest on this
   * machine; or a program that reports already. False: to nobody. Otherwise under the name of the script.
   */
  report?: false | ProgramOptions | Program | undefined;
}

export interface MetricsOptions {
  /** `:8080`; `0`: none. */
  bindAddress?: string | undefined;
  /** Served over TLS. */
  tls?: Pick<ServerOptions, 'cert' | 'key'> | undefined;
  /** More paths on the same address. */
  handlers?: Readonly<Record<string, HttpHandler>> | undefined;
}

export const metricsPath = '/metrics';
const graceful = 30_000;

export function gracefulTimeout(options: ManagerOptions): number {
  return options.gracefulShutdownTimeout ?? graceful;
}

/** `0` and nothing are no address. */
export function addressOf(address: string | undefined): string | undefined {
  return address === undefined || address === '' || address === '0' ? undefined : address;
}
