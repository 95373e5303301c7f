// A user with few rights on a real server. RBAC objects grant and revoke them, and a session uses them.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as rest} from 'node:timers/promises';
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import {parseConfig} from '../../src/config.ts';
import type {OpenSession} from '../../src/engine/link/session.ts';
import type {Resource} from '../../src/kube/resource.ts';
import {SessionList} from '../../src/session/session-list.ts';
import type {TestServer} from '../servers.ts';
import {writeKubeconfig} from './trial-session.ts';

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
  resourceNames?: string[];
}

const group = 'rbac.authorization.k8s.io';
const rbac = (kind: string, namespaced: boolean): Resource => ({
  group,
  version: 'v1',
  plural: `${kind.toLowerCase()}s`,
  kind,
  namespaced,
});

/** The kinds of the shipped graph, without Nodes and Namespaces. */
export const namespacedKinds = (verbs: string[]): Rule[] => [
  {apiGroups: [''], resources: ['pods', 'services', 'configmaps', 'secrets'], verbs},
  {apiGroups: ['apps'], resources: ['deployments', 'replicasets'], verbs},
  {apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs},
  {apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs},
];

/**
 * Grants rights to the server's plain user, everywhere or in one namespace. Returns a function that revokes
 * them.
 */
export async function grant(
  server: TestServer,
  name: string,
  rules: Rule[],
  namespace?: string,
): Promise<() => Promise<void>> {
  const {client} = server;
  const of = namespace === undefined ? 'ClusterRole' : 'Role';
  const role = rbac(of, namespace !== undefined);
  const binding = rbac(`${of}Binding`, namespace !== undefined);
  const metadata = {name, ...(namespace === undefined ? {} : {namespace})};
  await client.create(role, {metadata, rules} as never);
  await client.create(binding, {
    metadata,
    roleRef: {apiGroup: group, kind: of, name},
    subjects: [{apiGroup: group, kind: 'User', name: server.userName}],
  } as never);
  return async () => {
    await client.delete(binding, {name, namespace});
    await client.delete(role, {name, namespace});
  };
}

/** A kubeconfig for the server with these credentials. */
export function userConfig(server: TestServer, folder: string, user: object): string {
  const ca = server.ca && {'certificate-authority-data': Buffer.from(server.ca).toString('base64')};
  const cluster = {server: server.url, ...(ca || {})};
  return writeKubeconfig(folder, cluster, user, 'kubeconfig-visitor');
}

/** The session of a user who is not the administrator. */
export class LimitedUser {
  readonly session: OpenSession;
  readonly #sessions: SessionList;
  readonly #folder: string;

  private constructor(sessions: SessionList, folder: string) {
    this.#sessions = sessions;
    this.session = sessions.first();
    this.#folder = folder;
  }

  static async open(server: TestServer, user: object, args: string[] = []): Promise<LimitedUser> {
    const folder = mkdtempSync(join(tmpdir(), 'krtscope-visitor-'));
    const kubeconfig = userConfig(server, folder, user);
    const {config} = parseConfig(['--kubeconfig', kubeconfig, '--data-dir', folder, ...args], {});
    const sessions = new SessionList(config, 'test');
    await sessions.chooseFirst({});
    return new LimitedUser(sessions, folder);
  }

  async close(): Promise<void> {
    await this.#sessions.stop();
    rmSync(this.#folder, {recursive: true, force: true});
  }

  async node(name: string): Promise<CollectionNode> {
    const {collections} = (await this.session.link.ask({ask: 'graph'})) as Graph;
    return collections.find(one => one.name === name) as CollectionNode;
  }

  async keys(collection: string): Promise<string[]> {
    const {items} = (await this.session.link.ask({ask: 'items', collection, limit: 1000})) as Items;
    return items.map(({key}) => key);
  }

  /** Waits for a condition and returns the milliseconds. */
  async until(what: string, holds: () => Promise<boolean>, limit = 90_000): Promise<number> {
    const began = performance.now();
    while (performance.now() - began < limit) {
      if (await holds()) return performance.now() - began;
      await rest(100);
    }
    const {reasons} = await this.session.ready();
    throw new Error(`not ${what} in ${limit / 1000} s: ${reasons.join('; ')}`);
  }

  ready(limit?: number): Promise<number> {
    return this.until('ready', async () => (await this.session.ready()).ready, limit);
  }
}
