// Columns of Services, Nodes and the other kinds that kubectl shows with more than a name.
import {at, isObject, type KubeObject, listAt, mapAt, numberAt, stringAt} from '../object/types.ts';
import {age} from './duration.ts';
import type {Column} from './table.ts';
import {ageColumn, labelText, name, selectorText, text} from './workload-columns.ts';

function ports(service: KubeObject): string {
  const list = listAt(service, 'spec', 'ports').map(port => {
    const node = numberAt(port, 'nodePort');
    const number = numberAt(port, 'port');
    return `${node > 0 ? `${number}:${node}` : number}/${stringAt(port, 'protocol')}`;
  });
  return list.length === 0 ? '<none>' : list.join(',');
}

function externalIP(service: KubeObject): string {
  const type = stringAt(service, 'spec', 'type');
  const own = listAt(service, 'spec', 'externalIPs') as string[];
  if (type === 'ExternalName') return stringAt(service, 'spec', 'externalName');
  if (type === 'LoadBalancer') {
    const given = listAt(service, 'status', 'loadBalancer', 'ingress').map(
      i => stringAt(i, 'ip') || stringAt(i, 'hostname'),
    );
    const all = [...given, ...own];
    return all.length === 0 ? '<pending>' : all.join(',');
  }
  return own.length === 0 ? '<none>' : own.join(',');
}

function nodeStatus(node: KubeObject): string {
  const ready = listAt(node, 'status', 'conditions').find(c => stringAt(c, 'type') === 'Ready');
  const parts = [ready ? (stringAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady') : 'Unknown'];
  if (at(node, 'spec', 'unschedulable') === true) parts.push('SchedulingDisabled');
  return parts.join(',');
}

function nodeRoles(node: KubeObject): string {
  const roles = Object.keys(node.metadata.labels ?? {})
    .filter(key => key.startsWith('node-role.kubernetes.io/'))
    .map(key => key.slice('node-role.kubernetes.io/'.length));
  return roles.length === 0 ? '<none>' : roles.sort().join(',');
}

function address(node: KubeObject, type: string): string {
  const found = listAt(node, 'status', 'addresses').find(a => stringAt(a, 'type') === type);
  return found ? stringAt(found, 'address') : '<none>';
}

/** At most three, then how many more. */
function some(items: string[]): string {
  if (items.length === 0) return '<unset>';
  const shown = items.slice(0, 3).join(',');
  return items.length > 3 ? `${shown} + ${items.length - 3} more...` : shown;
}

function subjects(binding: KubeObject, kind: string): string {
  return listAt(binding, 'subjects')
    .filter(s => stringAt(s, 'kind') === kind)
    .map(s =>
      kind === 'ServiceAccount' ? `${stringAt(s, 'namespace')}/${stringAt(s, 'name')}` : stringAt(s, 'name'),
    )
    .join(', ');
}

const bindingColumns: Column[] = [
  name,
  text('Role', o => `${stringAt(o, 'roleRef', 'kind')}/${stringAt(o, 'roleRef', 'name')}`),
  ageColumn,
  text('Users', o => subjects(o, 'User'), 1),
  text('Groups', o => subjects(o, 'Group'), 1),
  text('ServiceAccounts', o => subjects(o, 'ServiceAccount'), 1),
];

const eventColumns: Column[] = [
  text('Last Seen', (o, api) =>
    age(
      stringAt(o, 'series', 'lastObservedTime') || stringAt(o, 'lastTimestamp') || stringAt(o, 'eventTime'),
      api.now(),
    ),
  ),
  text('Type', o => stringAt(o, 'type')),
  text('Reason', o => stringAt(o, 'reason')),
  text(
    'Object',
    o => `${stringAt(o, 'involvedObject', 'kind').toLowerCase()}/${stringAt(o, 'involvedObject', 'name')}`,
  ),
  text('Subobject', o => stringAt(o, 'involvedObject', 'fieldPath'), 1),
  text('Source', o => stringAt(o, 'source', 'component') || stringAt(o, 'reportingComponent'), 1),
  text('Message', o => stringAt(o, 'message').trim()),
  text(
    'First Seen',
    (o, api) => age(stringAt(o, 'firstTimestamp') || stringAt(o, 'eventTime'), api.now()),
    1,
  ),
  text('Count', o => numberAt(o, 'count') || 1, 1),
  {...name, priority: 1},
];

export const clusterColumns: Record<string, Column[]> = {
  '/services': [
    name,
    text('Type', o => stringAt(o, 'spec', 'type')),
    text('Cluster-IP', o => stringAt(o, 'spec', 'clusterIP') || '<none>'),
    text('External-IP', externalIP),
    text('Port(s)', ports),
    ageColumn,
    text('Selector', o => labelText(mapAt(o, 'spec', 'selector')), 1),
  ],
  '/namespaces': [name, text('Status', o => stringAt(o, 'status', 'phase')), ageColumn],
  '/nodes': [
    name,
    text('Status', nodeStatus),
    text('Roles', nodeRoles),
    ageColumn,
    text('Version', o => stringAt(o, 'status', 'nodeInfo', 'kubeletVersion')),
    text('Internal-IP', o => address(o, 'InternalIP'), 1),
    text('External-IP', o => address(o, 'ExternalIP'), 1),
    text('OS-Image', o => stringAt(o, 'status', 'nodeInfo', 'osImage') || '<unknown>', 1),
    text('Kernel-Version', o => stringAt(o, 'status', 'nodeInfo', 'kernelVersion') || '<unknown>', 1),
    text(
      'Container-Runtime',
      o => stringAt(o, 'status', 'nodeInfo', 'containerRuntimeVersion') || '<unknown>',
      1,
    ),
  ],
  '/configmaps': [
    name,
    text('Data', o => Object.keys(mapAt(o, 'data')).length + Object.keys(mapAt(o, 'binaryData')).length),
    ageColumn,
  ],
  '/secrets': [
    name,
    text('Type', o => stringAt(o, 'type')),
    text('Data', o => Object.keys(mapAt(o, 'data')).length),
    ageColumn,
  ],
  '/serviceaccounts': [name, ageColumn],
  '/events': eventColumns,
  'events.k8s.io/events': eventColumns,
  '/endpoints': [
    name,
    text('Endpoints', o => {
      const all = listAt(o, 'subsets').flatMap(s =>
        listAt(s, 'addresses').flatMap(a =>
          listAt(s, 'ports').map(p => `${stringAt(a, 'ip')}:${numberAt(p, 'port')}`),
        ),
      );
      return all.length === 0 ? '<none>' : some(all);
    }),
    ageColumn,
  ],
  'coordination.k8s.io/leases': [name, text('Holder', o => stringAt(o, 'spec', 'holderIdentity')), ageColumn],
  'discovery.k8s.io/endpointslices': [
    name,
    text('AddressType', o => stringAt(o, 'addressType')),
    text('Ports', o => some(listAt(o, 'ports').map(p => String(at(p, 'port') ?? '*')))),
    text('Endpoints', o => some(listAt(o, 'endpoints').flatMap(e => listAt(e, 'addresses') as string[]))),
    ageColumn,
  ],
  'networking.k8s.io/networkpolicies': [
    name,
    text('Pod-Selector', o => selectorText(at(o, 'spec', 'podSelector'))),
    ageColumn,
  ],
  'networking.k8s.io/ingresses': [
    name,
    text('Class', o => stringAt(o, 'spec', 'ingressClassName') || '<none>'),
    text(
      'Hosts',
      o =>
        listAt(o, 'spec', 'rules')
          .map(r => stringAt(r, 'host'))
          .filter(h => h !== '')
          .join(',') || '*',
    ),
    text('Address', o =>
      listAt(o, 'status', 'loadBalancer', 'ingress')
        .map(i => stringAt(i, 'ip') || stringAt(i, 'hostname'))
        .join(','),
    ),
    text('Ports', o => (listAt(o, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    ageColumn,
  ],
  'rbac.authorization.k8s.io/rolebindings': bindingColumns,
  'rbac.authorization.k8s.io/clusterrolebindings': bindingColumns,
  'policy/poddisruptionbudgets': [
    name,
    text('Min Available', o => (isSet(o, 'minAvailable') ? String(at(o, 'spec', 'minAvailable')) : 'N/A')),
    text('Max Unavailable', o =>
      isSet(o, 'maxUnavailable') ? String(at(o, 'spec', 'maxUnavailable')) : 'N/A',
    ),
    {name: 'Allowed Disruptions', type: 'integer', cell: o => numberAt(o, 'status', 'disruptionsAllowed')},
    ageColumn,
  ],
  'autoscaling/horizontalpodautoscalers': [
    name,
    text(
      'Reference',
      o =>
        `${stringAt(o, 'spec', 'scaleTargetRef', 'kind')}/${stringAt(o, 'spec', 'scaleTargetRef', 'name')}`,
    ),
    text('Targets', () => '<unknown>'),
    text('MinPods', o => String(at(o, 'spec', 'minReplicas') ?? '<unset>')),
    text('MaxPods', o => numberAt(o, 'spec', 'maxReplicas')),
    text('Replicas', o => numberAt(o, 'status', 'currentReplicas')),
    ageColumn,
  ],
};

function isSet(object: KubeObject, field: string): boolean {
  const spec = object.spec;
  return isObject(spec) && spec[field] !== undefined;
}
