// For browser tests: somebody who looks at the demo's cluster, or at nothing, with a kubeconfig of their own.
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {
  type ClusterEntry,
  readKubeconfig,
  type UserEntry,
} from '../../../server/src/kube/credentials/kubeconfig.ts';
import type {TestInstance} from '../../../server/src/start/testing-instance.ts';

/** Where the demo's cluster of a running krtscope is, and who may do everything there. */
export async function demoAccess(server: TestInstance): Promise<{cluster: ClusterEntry; user: UserEntry}> {
  const session = await server.json<{cluster: {kubeconfig: string}}>('/api/v1/session');
  const {clusters, users} = readKubeconfig([session.cluster.kubeconfig]);
  const [cluster] = [...clusters.values()];
  const [user] = [...users.values()];
  if (cluster === undefined || user === undefined) throw new Error('the demo wrote no kubeconfig');
  return {cluster, user};
}

/** A kubeconfig of one context. */
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
