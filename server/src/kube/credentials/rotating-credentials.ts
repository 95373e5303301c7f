// Credentials of exec plugins and auth providers, by @kubernetes/client-node.
// That library takes 0.7 s to load, so it loads only for such a user.

import {ConnectionError, rootMessage} from '../error.ts';
import type {Authorization, Credentials} from './credentials.ts';
import type {Endpoint, TlsMaterial} from './endpoint.ts';
import type {UserEntry} from './kubeconfig.ts';

type ClientNode = typeof import('@kubernetes/client-node');
type KubeConfig = InstanceType<ClientNode['KubeConfig']>;

/** After this time the request fails with a message. The plugin keeps running, and a later request may use it. */
const slow = 20_000;

export function rotatingCredentials(
  endpoint: Endpoint,
  user: UserEntry,
  impersonation: Authorization['headers'],
): Credentials {
  let library: Promise<ClientNode> | undefined;
  let config: KubeConfig | undefined;
  let asking: Promise<Authorization> | undefined;
  const ask = async (): Promise<Authorization> => {
    library ??= import('@kubernetes/client-node');
    const {KubeConfig} = await library;
    config ??= clientNodeConfig(new KubeConfig(), endpoint, user);
    const options: {headers?: Record<string, unknown>; cert?: unknown; key?: unknown} = {headers: {}};
    try {
      await config.applyToHTTPSOptions(options as Parameters<KubeConfig['applyToHTTPSOptions']>[0]);
    } catch (error) {
      throw new ConnectionError('credentials', 'connect', describeFailure(user, error), {cause: error});
    }
    return authorizationOf(options, impersonation);
  };
  return {
    endpoint,
    authorize() {
      // Requests at the same time share one run of the plugin, because it may open a browser.
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return user.exec
        ? withTimeout(asking, `${pluginOf(user)} has not answered for ${slow / 1000} s`)
        : asking;
    },
    refresh() {
      // A new KubeConfig has empty caches. client-node itself caches a refused token until it expires.
      if (asking === undefined) config = undefined;
      return true;
    },
    why: () => describeRefusal(user),
  };
}

function pluginOf({exec}: UserEntry): string {
  return `the exec plugin ${String(exec?.command)}`;
}

function describeFailure(user: UserEntry, error: unknown): string {
  const message = rootMessage(error).trim();
  if (!user.exec) return `the credentials failed: ${message}`;
  const hint = typeof user.exec.installHint === 'string' ? `: ${user.exec.installHint.trim()}` : '';
  if ((error as {code?: unknown}).code === 'ENOENT') return `${pluginOf(user)} is not installed${hint}`;
  return `${pluginOf(user)} failed: ${message || 'no output'}; run kubectl to see what it needs, krtscope retries it`;
}

function describeRefusal(user: UserEntry): string | undefined {
  if (user.exec) return `the server rejects the credentials of ${pluginOf(user)}; krtscope runs it again`;
  return undefined;
}

function authorizationOf(
  options: {headers?: Record<string, unknown>; cert?: unknown; key?: unknown},
  impersonation: Authorization['headers'],
): Authorization {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {}))
    headers[name.toLowerCase()] = String(value).trim();
  const tls: TlsMaterial = {};
  if (options.cert) tls.cert = options.cert as Buffer | string;
  if (options.key) tls.key = options.key as Buffer | string;
  return {headers: {...impersonation, ...headers}, tls};
}

/** Rejects after the timeout. The promise itself continues. */
async function withTimeout<T>(promise: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError('credentials', 'connect', message)), slow);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function clientNodeConfig(config: KubeConfig, endpoint: Endpoint, user: UserEntry): KubeConfig {
  config.loadFromOptions({
    // Only the authentication of client-node is used. Our own agent makes the TLS checks.
    clusters: [{name: 'cluster', server: endpoint.server, skipTLSVerify: true}],
    users: [
      {
        name: 'user',
        exec: user.exec,
        authProvider: user['auth-provider'],
        certFile: user['client-certificate'],
        certData: user['client-certificate-data'],
        keyFile: user['client-key'],
        keyData: user['client-key-data'],
      },
    ],
    contexts: [{name: 'context', cluster: 'cluster', user: 'user'}],
    currentContext: 'context',
  });
  return config;
}
