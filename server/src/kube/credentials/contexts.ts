// Chooses the cluster, lists the contexts of a kubeconfig, and probes whether each server answers.
// Probes send no credentials, because an exec plugin must only run for the chosen context.

import {existsSync, readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {delimiter, join} from 'node:path';
import {Agent, request} from 'undici';
import {type Clock, systemClock} from '../clock.ts';
import {type ConnectionFailure, failureOf, rootMessage} from '../error.ts';
import {userAgent} from '../transport/transport.ts';
import {type Endpoint, endpointOf} from './endpoint.ts';
import {type Kubeconfig, KubeconfigError, readKubeconfig} from './kubeconfig.ts';

export const inClusterContext = 'in-cluster';
const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface ChooseOptions {
  kubeconfig?: string | undefined;
  context?: string | undefined;
  env?: Record<string, string | undefined>;
  home?: string;
  /** The folder of the service account's token. Tests set it. */
  accountFolder?: string;
}

export interface Choice {
  config: Kubeconfig;
  context: string;
  /** The source of the choice, for the start lines: `--kubeconfig /path`, `KUBECONFIG`, `in-cluster`. */
  why: string;
}

/**
 * Chooses by flags, environment and files. Returns undefined when there is no kubeconfig: main then starts the
 * demo. Throws KubeconfigError for an unusable file and for an unknown context.
 */
export function chooseCluster(options: ChooseOptions = {}): Choice | undefined {
  const source = findConfig(options);
  if (!source) {
    if (options.context !== undefined)
      throw new KubeconfigError('--context', `unknown context "${options.context}": no kubeconfig was found`);
    return undefined;
  }
  const {config, why} = source;
  const files = config.files.join(delimiter);
  const context = options.context ?? config.currentContext ?? onlyContextName(config);
  const names = [...config.contexts.keys()];
  if (context === undefined) {
    const fix = names.length ? `choose one with --context: ${names.join(', ')}` : 'it has no contexts';
    throw new KubeconfigError(files, `no current-context is set; ${fix}`);
  }
  const entry = config.contexts.get(context);
  if (!entry)
    throw new KubeconfigError(files, `unknown context "${context}"; known: ${names.join(', ') || 'none'}`);
  if (!config.clusters.has(entry.cluster))
    throw new KubeconfigError(
      files,
      `context "${context}" names cluster "${entry.cluster}", which does not exist`,
    );
  if (entry.user && !config.users.has(entry.user))
    throw new KubeconfigError(files, `context "${context}" names user "${entry.user}", which does not exist`);
  return {config, context, why};
}

function onlyContextName(config: Kubeconfig): string | undefined {
  return config.contexts.size === 1 ? config.contexts.keys().next().value : undefined;
}

function findConfig(options: ChooseOptions): {config: Kubeconfig; why: string} | undefined {
  const env = options.env ?? process.env;
  if (options.kubeconfig !== undefined)
    return {config: readKubeconfig([options.kubeconfig]), why: `--kubeconfig ${options.kubeconfig}`};
  const fromEnv = env.KUBECONFIG?.split(delimiter).filter(Boolean) ?? [];
  if (fromEnv.length) {
    // kubectl skips missing files of the list. When all are missing, an error is better than the demo.
    const present = fromEnv.filter(file => existsSync(file));
    return {
      config: readKubeconfig(present.length ? present : fromEnv),
      why: `KUBECONFIG ${fromEnv.join(delimiter)}`,
    };
  }
  const standard = join(options.home ?? homedir(), '.kube', 'config');
  if (existsSync(standard)) {
    const config = readKubeconfig([standard]);
    if (config.contexts.size || options.context !== undefined) return {config, why: standard};
  }
  const config = inClusterConfig(env, options.accountFolder ?? accountFolder);
  return config && {config, why: inClusterContext};
}

function inClusterConfig(env: Record<string, string | undefined>, folder: string): Kubeconfig | undefined {
  const host = env.KUBERNETES_SERVICE_HOST;
  const port = env.KUBERNETES_SERVICE_PORT ?? '443';
  const tokenFile = join(folder, 'token');
  if (!host || !existsSync(tokenFile)) return undefined;
  const namespaceFile = join(folder, 'namespace');
  const name = inClusterContext;
  const namespace = existsSync(namespaceFile) ? readFileSync(namespaceFile, 'utf8').trim() : undefined;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    files: [tokenFile],
    currentContext: name,
    clusters: new Map([[name, {name, server, 'certificate-authority': join(folder, 'ca.crt')}]]),
    users: new Map([[name, {name, tokenFile}]]),
    contexts: new Map([[name, {name, cluster: name, user: name, namespace}]]),
  };
}

export interface ContextSummary {
  name: string;
  cluster: string;
  user: string;
  namespace?: string;
  server?: string;
  current: boolean;
}

export function listContexts(config: Kubeconfig): ContextSummary[] {
  return [...config.contexts.values()].map(({name, cluster, user, namespace}) => {
    const server = config.clusters.get(cluster)?.server;
    return {
      name,
      cluster,
      user,
      current: name === config.currentContext,
      namespace: namespace || undefined,
      server,
    };
  });
}

export type Reachability =
  | {reachable: true; version?: string; ms: number}
  | {reachable: false; error: ConnectionFailure; reason: string};

const probeLimit = 3000;

/** Sends GET /version without credentials. A 401 or 403 also proves that a server answers. Never throws. */
export async function probeContext(
  config: Kubeconfig,
  context: string,
  signal?: AbortSignal,
  clock: Clock = systemClock,
): Promise<Reachability> {
  let endpoint: Endpoint;
  try {
    endpoint = endpointOf(config, context);
  } catch (error) {
    return {reachable: false, error: 'other', reason: (error as Error).message};
  }
  return probe(endpoint, signal, clock);
}

async function probe(
  endpoint: Endpoint,
  signal: AbortSignal | undefined,
  clock: Clock,
): Promise<Reachability> {
  const agent = new Agent({connect: {...endpoint.tls, timeout: probeLimit}, allowH2: false});
  const limit = new AbortController();
  const cancel = clock.after(probeLimit, () => limit.abort());
  const started = clock.now();
  try {
    const answer = await request(`${endpoint.server}/version`, {
      dispatcher: agent,
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      headers: {accept: 'application/json', 'user-agent': userAgent},
    });
    const text = await answer.body.text();
    const ms = Math.round(clock.now() - started);
    if (answer.statusCode === 401 || answer.statusCode === 403) return {reachable: true, ms};
    if (answer.statusCode !== 200)
      return {reachable: false, error: 'other', reason: `${endpoint.server} answered ${answer.statusCode}`};
    const version = versionOf(text);
    return {reachable: true, version, ms};
  } catch (error) {
    if (limit.signal.aborted)
      return {
        reachable: false,
        error: 'timeout',
        reason: `${endpoint.server} did not answer within 3 seconds`,
      };
    return {reachable: false, error: failureOf(error), reason: rootMessage(error)};
  } finally {
    cancel();
    await agent.destroy();
  }
}

function versionOf(text: string): string | undefined {
  try {
    const {gitVersion} = JSON.parse(text) as {gitVersion?: unknown};
    return typeof gitVersion === 'string' ? gitVersion : undefined;
  } catch {
    // Another kind of server answers here. It is reachable all the same.
    return undefined;
  }
}
