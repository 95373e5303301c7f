// Who we are to the server: headers and client certificates of one context. What a kubeconfig and its files say is
// read here, and again when they change; rotating-credentials.ts has what moves by itself.

import {statSync} from 'node:fs';
import {describeExpiry} from './credential-expiry.ts';
import {dataOrFile, type Endpoint, endpointOf, type TlsMaterial} from './endpoint.ts';
import {type Kubeconfig, readKubeconfig, type UserEntry} from './kubeconfig.ts';
import {rotatingCredentials} from './rotating-credentials.ts';

export interface Authorization {
  headers: Record<string, string | string[]>;
  tls: TlsMaterial;
}

export interface Credentials {
  readonly endpoint: Endpoint;
  /** What to send with the next request. May run an exec plugin or read a file. */
  authorize(): Promise<Authorization>;
  /** Forgets what was remembered, after the server refused it. True when asking again may help. */
  refresh(): boolean;
  /** Why they may have been refused and what to do, where that can be seen in them. */
  why?(): string | undefined;
}

/** Throws KubeconfigError when the context or a file it names is not there. */
export function credentialsOf(config: Kubeconfig, context: string): Credentials {
  return new FileCredentials(config, context);
}

function userOf(config: Kubeconfig, context: string): UserEntry {
  return config.users.get(config.contexts.get(context)?.user ?? '') ?? {name: ''};
}

function readCredentials(config: Kubeconfig, context: string, endpoint: Endpoint): Credentials {
  const user = userOf(config, context);
  if (user.exec || user['auth-provider'] || user.tokenFile)
    return rotatingCredentials(endpoint, user, impersonationHeaders(user));
  return fixedCredentials(endpoint, user, config);
}

/** How often the files behind credentials are looked at. */
const lookEvery = 2000;

/** The credentials of a kubeconfig, read again when its files change or the server refuses them. */
class FileCredentials implements Credentials {
  readonly endpoint: Endpoint;
  readonly #context: string;
  readonly #files: string[];
  #config: Kubeconfig;
  #current: Credentials;
  #stamp: string;
  #looked = performance.now();

  constructor(config: Kubeconfig, context: string) {
    this.endpoint = endpointOf(config, context);
    this.#config = config;
    this.#context = context;
    this.#files = config.files;
    this.#current = readCredentials(config, context, this.endpoint);
    this.#stamp = this.#stampNow();
  }

  authorize(): Promise<Authorization> {
    if (performance.now() - this.#looked > lookEvery) this.#look();
    return this.#current.authorize();
  }

  refresh(): boolean {
    return this.#look() || this.#current.refresh();
  }

  why(): string | undefined {
    return this.#current.why?.();
  }

  /** True when the files say something else than before. A file that cannot be read now keeps what was read. */
  #look(): boolean {
    this.#looked = performance.now();
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

/** A server and a bearer token, without any file: the embedded cluster, and tests. */
export function tokenCredentials(
  server: string,
  token: string | undefined,
  ca?: string | Buffer,
): Credentials {
  const endpoint: Endpoint = {server: server.replace(/\/+$/, ''), tls: ca ? {ca} : {}};
  const headers: Record<string, string> = token ? {authorization: `Bearer ${token}`} : {};
  return {endpoint, authorize: async () => ({headers, tls: {}}), refresh: () => false};
}

function fixedCredentials(endpoint: Endpoint, user: UserEntry, config: Kubeconfig): Credentials {
  const headers = impersonationHeaders(user);
  if (user.token) headers.authorization = `Bearer ${user.token.trim()}`;
  else if (user.username !== undefined)
    headers.authorization = `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}`;
  const cert = dataOrFile(user['client-certificate-data'], user['client-certificate'], config);
  const key = dataOrFile(user['client-key-data'], user['client-key'], config);
  const authorization: Authorization = {headers, tls: {...(cert ? {cert} : {}), ...(key ? {key} : {})}};
  const file = config.files.join(':');
  const why = () =>
    describeExpiry({token: user.token, certificate: cert, file}, Date.now()) ??
    `${describeRefusedUser(user)} in ${file}; mend it there, it is read again by itself`;
  return {endpoint, authorize: async () => authorization, refresh: () => false, why};
}

function describeRefusedUser(user: UserEntry): string {
  if (user.token) return 'it does not know the token';
  if (user.username !== undefined) return 'it does not know the name and password';
  if (user['client-certificate'] || user['client-certificate-data'])
    return 'it does not know who signed the client certificate';
  return `there are no credentials for the user "${user.name}"`;
}

function impersonationHeaders(user: UserEntry): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  if (user.as) headers['impersonate-user'] = user.as;
  if (user['as-groups']?.length) headers['impersonate-group'] = user['as-groups'];
  return headers;
}
