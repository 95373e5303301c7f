// Headers and client certificates of one context, read from the kubeconfig and again when its files change.
// rotating-credentials.ts holds the credentials that change without a file of the kubeconfig.

import {statSync} from 'node:fs';
import {describeExpiry} from './credential-expiry.ts';
import {dataOrFile, type Endpoint, endpointOf, type TlsMaterial} from './endpoint.ts';
import {type Kubeconfig, readKubeconfig, type UserEntry} from './kubeconfig.ts';
import {rotatingCredentials} from './rotating-credentials.ts';
import {tokenFileCredentials} from './token-file.ts';

export interface Authorization {
  headers: Record<string, string | string[]>;
  tls: TlsMaterial;
}

export interface Credentials {
  readonly endpoint: Endpoint;
  /** Returns what to send with the next request. May run an exec plugin or read a file. */
  authorize(): Promise<Authorization>;
  /** Drops cached credentials after the server refused them. True when a new request may succeed. */
  refresh(): boolean;
  /** Says why the server may have refused them and what to do. */
  why?(): string | undefined;
}

/** Throws KubeconfigError when the context, or a file that it names, does not exist. */
export function credentialsOf(config: Kubeconfig, context: string): Credentials {
  return new FileCredentials(config, context);
}

function userOf(config: Kubeconfig, context: string): UserEntry {
  return config.users.get(config.contexts.get(context)?.user ?? '') ?? {name: ''};
}

function readCredentials(config: Kubeconfig, context: string, endpoint: Endpoint): Credentials {
  const user = userOf(config, context);
  if (user.exec || user['auth-provider'])
    return rotatingCredentials(endpoint, user, impersonationHeaders(user));
  const tls = clientCertificate(user, config);
  if (!user.tokenFile) return fixedCredentials(endpoint, user, config, tls);
  return tokenFileCredentials(endpoint, user.tokenFile, {headers: impersonationHeaders(user), tls});
}

/** How often the files are checked for changes, in milliseconds. */
const checkEvery = 2000;

/** Reads the files again when they change or when the server refuses the credentials. */
class FileCredentials implements Credentials {
  readonly endpoint: Endpoint;
  readonly #context: string;
  readonly #files: string[];
  #config: Kubeconfig;
  #current: Credentials;
  #stamp: string;
  #checkedAt = performance.now();

  constructor(config: Kubeconfig, context: string) {
    this.endpoint = endpointOf(config, context);
    this.#config = config;
    this.#context = context;
    this.#files = config.files;
    this.#current = readCredentials(config, context, this.endpoint);
    this.#stamp = this.#stampNow();
  }

  authorize(): Promise<Authorization> {
    if (performance.now() - this.#checkedAt > checkEvery) this.#readIfChanged();
    return this.#current.authorize();
  }

  refresh(): boolean {
    return this.#readIfChanged() || this.#current.refresh();
  }

  why(): string | undefined {
    return this.#current.why?.();
  }

  /** Returns true when the files have changed. An unreadable file keeps the earlier credentials. */
  #readIfChanged(): boolean {
    this.#checkedAt = performance.now();
    const stamp = this.#stampNow();
    if (stamp === this.#stamp) return false;
    try {
      const config = readKubeconfig(this.#files);
      if (!config.contexts.has(this.#context)) return false;
      this.#current = readCredentials(config, this.#context, this.endpoint);
      this.#config = config;
      this.#stamp = stamp;
      return true;
    } catch {
      return false;
    }
  }

  #stampNow(): string {
    const user = userOf(this.#config, this.#context);
    const files = [...this.#files, user['client-certificate'], user['client-key']];
    return files.map(file => (file === undefined ? '' : stampOf(file))).join('|');
  }
}

function stampOf(file: string): string {
  try {
    const {mtimeMs, size, ino} = statSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}

/** Credentials without any file, for the embedded cluster and tests. */
export function tokenCredentials(
  server: string,
  token: string | undefined,
  ca?: string | Buffer,
): Credentials {
  const endpoint: Endpoint = {server: server.replace(/\/+$/, ''), tls: ca ? {ca} : {}};
  const headers: Record<string, string> = token ? {authorization: `Bearer ${token}`} : {};
  return {endpoint, authorize: async () => ({headers, tls: {}}), refresh: () => false};
}

function clientCertificate(user: UserEntry, config: Kubeconfig) {
  const cert = dataOrFile(user['client-certificate-data'], user['client-certificate'], config);
  const key = dataOrFile(user['client-key-data'], user['client-key'], config);
  return {cert, key};
}

function fixedCredentials(
  endpoint: Endpoint,
  user: UserEntry,
  config: Kubeconfig,
  tls: ReturnType<typeof clientCertificate>,
): Credentials {
  const headers = impersonationHeaders(user);
  if (user.token) headers.authorization = `Bearer ${user.token.trim()}`;
  else if (user.username !== undefined)
    headers.authorization = `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}`;
  const authorization: Authorization = {headers, tls};
  const file = config.files.join(':');
  const why = () =>
    describeExpiry({token: user.token, certificate: tls.cert, file}, Date.now()) ??
    `${describeRefusedUser(user)} in ${file}; fix it there, krtscope reads it again`;
  return {endpoint, authorize: async () => authorization, refresh: () => false, why};
}

function describeRefusedUser(user: UserEntry): string {
  if (user.token) return 'it rejects the token';
  if (user.username !== undefined) return 'it rejects the user name and password';
  if (user['client-certificate'] || user['client-certificate-data'])
    return 'it does not trust the signer of the client certificate';
  return `there are no credentials for the user "${user.name}"`;
}

function impersonationHeaders(user: UserEntry): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  if (user.as) headers['impersonate-user'] = user.as;
  if (user['as-groups']?.length) headers['impersonate-group'] = user['as-groups'];
  return headers;
}
