// The address of a context's server and how its certificate is checked. Holds no credentials.

import {readFileSync} from 'node:fs';
import {type Kubeconfig, KubeconfigError} from './kubeconfig.ts';

export interface TlsMaterial {
  ca?: Buffer | string;
  cert?: Buffer | string;
  key?: Buffer | string;
  servername?: string;
  rejectUnauthorized?: boolean;
}

export interface Endpoint {
  /** Without a trailing slash; may have a path (a proxy in front of many clusters). */
  server: string;
  tls: TlsMaterial;
  proxy?: string;
}

export function endpointOf(config: Kubeconfig, context: string): Endpoint {
  const file = config.files.join(':');
  const entry = config.contexts.get(context);
  if (!entry) {
    const names = [...config.contexts.keys()].join(', ') || 'none';
    throw new KubeconfigError(file, `unknown context "${context}"; known: ${names}`);
  }
  const cluster = config.clusters.get(entry.cluster);
  if (!cluster)
    throw new KubeconfigError(
      file,
      `context "${context}" names cluster "${entry.cluster}", which does not exist`,
    );
  const ca = dataOrFile(cluster['certificate-authority-data'], cluster['certificate-authority'], config);
  const endpoint: Endpoint = {server: cluster.server.replace(/\/+$/, ''), tls: {}};
  if (ca) endpoint.tls.ca = ca;
  if (cluster['tls-server-name']) endpoint.tls.servername = cluster['tls-server-name'];
  if (cluster['insecure-skip-tls-verify']) endpoint.tls.rejectUnauthorized = false;
  if (cluster['proxy-url']) endpoint.proxy = cluster['proxy-url'];
  return endpoint;
}

/** Decodes Base64 data from the kubeconfig, or else reads the file that it names. */
export function dataOrFile(
  data: string | undefined,
  path: string | undefined,
  config: Kubeconfig,
): Buffer | undefined {
  if (data) return Buffer.from(data, 'base64');
  if (!path) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new KubeconfigError(config.files.join(':'), `cannot read ${path}: ${(error as Error).message}`);
  }
}
