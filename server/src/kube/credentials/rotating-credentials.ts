// Credentials that move by themselves: exec plugins, token files and auth providers. They are
// @kubernetes/client-node's, which takes 0.7 s to load and is therefore loaded only when such a user is chosen.

import {readFileSync} from 'node:fs';
import {ConnectionError, rootMessage} from '../error.ts';
import {describeExpiry} from './credential-expiry.ts';
import type {Authorization, Credentials} from './credentials.ts';
import type {Endpoint, TlsMaterial} from './endpoint.ts';
import type {UserEntry} from './kubeconfig.ts';

type ClientNode = typeof import('@kubernetes/client-node');
type KubeConfig = InstanceType<ClientNode['KubeConfig']>;

/** A plugin that says nothing for so long is said to be slow; it is waited for all the same. */
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
      // Ten sources that ask at once are one run of the plugin: it may open a browser.
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return user.exec
        ? withTimeout(asking, `${pluginOf(user)} has said nothing for ${slow / 1000} s`)
        : asking;
    },
    refresh() {
      // A new KubeConfig has empty caches: client-node itself keeps a refused token until it expires.
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
  const said = rootMessage(error).trim();
  if (user.tokenFile) return `the token file cannot be read: ${said}`;
  if (!user.exec) return `the credentials failed: ${said}`;
  const hint = typeof user.exec.installHint === 'string' ? `: ${user.exec.installHint.trim()}` : '';
  if ((error as {code?: unknown}).code === 'ENOENT') return `${pluginOf(user)} is not installed${hint}`;
  return `${pluginOf(user)} failed: ${said || 'it said nothing'}; run kubectl to see what it wants, it is tried again by itself`;
}

function describeRefusal(user: UserEntry): string | undefined {
  if (user.exec) return `${pluginOf(user)} gave what the server does not take; it is run again by itself`;
  if (user.tokenFile === undefined) return undefined;
  const again = `it does not know the token in ${user.tokenFile}; renew it there, it is read again by itself`;
  try {
    const token = readFileSync(user.tokenFile, 'utf8').trim();
    return describeExpiry({token, file: user.tokenFile}, Date.now()) ?? again;
  } catch {
    return again;
  }
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

/** What is asked goes on after this has given up. */
async function withTimeout<T>(asked: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError('credentials', 'connect', otherwise)), slow);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

function clientNodeConfig(config: KubeConfig, endpoint: Endpoint, user: UserEntry): KubeConfig {
  const provider = user.tokenFile
    ? {name: 'tokenFile', config: {tokenFile: user.tokenFile}}
    : user['auth-provider'];
  config.loadFromOptions({
    // Only its authentication is used, so TLS checks are switched off here: they are made by our own agent.
    clusters: [{name: 'cluster', server: endpoint.server, skipTLSVerify: true}],
    users: [
      {
        name: 'user',
        exec: user.exec,
        authProvider: provider,
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
