// Terminal commands that show the same item. krtscope never runs them. Pure.
import type {WireResource} from '@krtscope/shared/graph.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import {clusterFlag, quote} from '../ui/text/kubectl-command.ts';

export function terminalCommands(
  item: {collection: string; key: string},
  resource: WireResource | undefined,
  cluster: SessionAnswer['cluster'] | undefined,
): string[] {
  const why = `krtscope why ${quote(item.collection)} ${quote(item.key)}`;
  if (resource === undefined || cluster === undefined || cluster.kind === 'recording') return [why];
  const slash = item.key.indexOf('/');
  const namespaced = resource.namespaced && slash > 0;
  const name = namespaced ? item.key.slice(slash + 1) : item.key;
  const kind = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
  const namespace = namespaced ? ` -n ${quote(item.key.slice(0, slash))}` : '';
  return [`kubectl${clusterFlag(cluster)}${namespace} get ${kind} ${quote(name)} -o yaml`, why];
}

/** A ClusterRole that lets krtscope read one kind. */
export function sampleRole({group, resource}: WireResource): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: krtscope-read-${resource}
rules:
- apiGroups: ["${group}"]
  resources: ["${resource}"]
  verbs: ["get", "list", "watch"]
`;
}
