// The options of a manager and their defaults.

import type {ServerOptions} from 'node:https';
import type {Clock} from '../../kube/clock.ts';
import type {Wire} from '../../kube/transport/transport.ts';
import type {Cache} from '../cache/cache.ts';
import type {CacheOptions} from '../cache/informer-cache.ts';
import type {ClientHooks} from '../client/client.ts';
import type {ClientOptions} from '../client/runtime-client.ts';
import type {ControllerDefaults} from '../controller/controller-builder.ts';
import {checkMilliseconds} from '../controller/controller-options.ts';
import type {LeaderElectionOptions} from '../leader/leader-election.ts';
import type {Logger} from '../log/logger.ts';
import type {Program, ProgramOptions} from '../report/program.ts';
import type {Scheme} from '../scheme/scheme.ts';
import type {WebhookServerOptions} from '../webhook/webhook-server.ts';
import type {HttpHandler} from './http-server.ts';

export interface ManagerOptions {
  /** The connection to the cluster. Default: kubectl's configuration, or the service account of this Pod. */
  transport?: Wire | undefined;
  kubeconfig?: string | undefined;
  context?: string | undefined;
  /** Default: the clock of the transport. */
  clock?: Clock | undefined;
  /** Milliseconds since 1970, for written timestamps. Default: the date of the clock. */
  now?: (() => number) | undefined;
  log?: Logger | undefined;
  /** Kinds of the program in addition to the built-in ones. */
  scheme?: Scheme | undefined;
  cache?: Omit<CacheOptions, 'client' | 'mapper' | 'clock'> | undefined;
  /** Creates another cache, for a program that already has the objects. */
  newCache?: (() => Cache & Pick<ClientHooks, 'peek'>) | undefined;
  client?:
    | Pick<ClientOptions, 'uncached' | 'readOwnWrites' | 'dryRun' | 'fieldOwner' | 'fieldValidation'>
    | undefined;
  controller?: ControllerDefaults | undefined;
  metrics?: MetricsOptions | undefined;
  /** `host:port` of the probes. Absent or `0`: no probes. */
  healthProbeBindAddress?: string | undefined;
  /** Default: `/readyz`. */
  readinessEndpointName?: string | undefined;
  /** Default: `/healthz`. */
  livenessEndpointName?: string | undefined;
  webhookServer?: WebhookServerOptions | undefined;
  /** Only one of several processes runs the controllers. Default: no election. */
  leaderElection?: LeaderElectionOptions | undefined;
  /** Milliseconds for the shutdown. 0 does not wait, a negative number waits without limit. Default: 30 s. */
  gracefulShutdownTimeout?: number | undefined;
  /**
   * The name under which to report to krtscope, or an existing Program. The target is KRTSCOPE_URL, or the newest
   * krtscope on this machine. False: no report. Default: the name of the script.
   */
  report?: false | ProgramOptions | Program | undefined;
}

export interface MetricsOptions {
  /** Default: `:8080`. `0`: no metrics server. */
  bindAddress?: string | undefined;
  /** Serves over TLS. */
  tls?: Pick<ServerOptions, 'cert' | 'key'> | undefined;
  /**
   * True: a request needs the bearer token of a user who may `get` the path (a `nonResourceURLs` rule of RBAC). The
   * operator needs `create` for tokenreviews and subjectaccessreviews. Needs `tls`, or an address on this machine.
   */
  authentication?: boolean | undefined;
  /** More paths on the same address. */
  handlers?: Readonly<Record<string, HttpHandler>> | undefined;
}

export const metricsPath = '/metrics';
const graceful = 30_000;

export function gracefulTimeout(options: ManagerOptions): number {
  return options.gracefulShutdownTimeout ?? graceful;
}

/** Throws for times that are not numbers, which would never pass or pass at once. */
export function checkManagerTimes({gracefulShutdownTimeout, cache = {}}: ManagerOptions): void {
  // A negative number waits without limit.
  checkMilliseconds('gracefulShutdownTimeout', gracefulShutdownTimeout && Math.abs(gracefulShutdownTimeout));
  for (const name of ['syncPeriod', 'syncTimeout', 'ownWritesTimeout'] as const)
    checkMilliseconds(`cache.${name}`, cache[name]);
}

/** Returns undefined for `0` and for an empty address. */
export function addressOf(address: string | undefined): string | undefined {
  return address === undefined || address === '' || address === '0' ? undefined : address;
}
