// Kubeconfigs for browser tests: for the demo's cluster, or for a server that does not exist.
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {
  type ClusterEntry,
  readKubeconfig,
  type UserEntry,
} from '../../../server/src/kube/credentials/kubeconfig.ts';
import type {TestInstance} from '../../../server/src/start/testing-instance.ts';

/** The demo cluster's address and its administrator's credentials. */
export async function demoAccess(server: TestInstance): Promise<{cluster: ClusterEntry; user: UserEntry}> {
  const session = await server.json<{cluster: {kubeconfig: string}}>('/api/v1/session');
  const {clusters, users} = readKubeconfig([session.cluster.kubeconfig]);
  const [cluster] = [...clusters.values()];
  const [user] = [...users.values()];
  if (cluster === undefined || user === undefined) throw new Error('the demo wrote no kubeconfig');
  return {cluster, user};
}

/** A kubeconfig with one context. */
export function writeKubeconfig(file: string, context: string, cluster: object, user: object): void {
  mkdirSync(dirname(file), {recursive: true});
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': context,
    clusters: [{name: 'c', cluster}],
    users: [{name: 'u', user}],
    contexts: [{name: context, context: {cluster: 'c', user: 'u'}}],
  };
  writeFileSync(file, JSON.stringify(config));
}
