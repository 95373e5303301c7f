// Columns of Services, Nodes and the other kinds that kubectl shows with more than a name.
import {at, isObject, listAt, mapAt, numberAt, type StoredObject, stringAt} from '../object/stored-object.ts';
import {age} from './duration.ts';
import type {KubectlColumn} from './table.ts';
import {ageColumn, labelText, nameColumn, selectorText, textColumn} from './workload-columns.ts';

function ports(service: StoredObject): string {
  const list = listAt(service, 'spec', 'ports').map(port => {
    const node = numberAt(port, 'nodePort');
    const number = numberAt(port, 'port');
    return `${node > 0 ? `${number}:${node}` : number}/${stringAt(port, 'protocol')}`;
  });
  return list.length === 0 ? '<none>' : list.join(',');
}

function externalIP(service: StoredObject): string {
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

function nodeStatus(node: StoredObject): string {
  const ready = listAt(node, 'status', 'conditions').find(c => stringAt(c, 'type') === 'Ready');
  const parts = [ready ? (stringAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady') : 'Unknown'];
  if (at(node, 'spec', 'unschedulable') === true) parts.push('SchedulingDisabled');
  return parts.join(',');
}

function nodeRoles(node: StoredObject): string {
  const roles = Object.keys(node.metadata.labels ?? {})
    .filter(key => key.startsWith('node-role.kubernetes.io/'))
    .map(key => key.slice('node-role.kubernetes.io/'.length));
  return roles.length === 0 ? '<none>' : roles.sort().join(',');
}

function address(node: StoredObject, type: string): string {
  const found = listAt(node, 'status', 'addresses').find(a => stringAt(a, 'type') === type);
  return found ? stringAt(found, 'address') : '<none>';
}

/** At most three items, then the number of the others. */
function some(items: string[]): string {
  if (items.length === 0) return '<unset>';
  const shown = items.slice(0, 3).join(',');
  return items.length > 3 ? `${shown} + ${items.length - 3} more...` : shown;
}

function subjects(binding: StoredObject, kind: string): string {
  return listAt(binding, 'subjects')
    .filter(s => stringAt(s, 'kind') === kind)
    .map(s =>
      kind === 'ServiceAccount' ? `${stringAt(s, 'namespace')}/${stringAt(s, 'name')}` : stringAt(s, 'name'),
    )
    .join(', ');
}

const bindingColumns: KubectlColumn[] = [
  nameColumn,
  textColumn('Role', o => `${stringAt(o, 'roleRef', 'kind')}/${stringAt(o, 'roleRef', 'name')}`),
  ageColumn,
  textColumn('Users', o => subjects(o, 'User'), 1),
  textColumn('Groups', o => subjects(o, 'Group'), 1),
  textColumn('ServiceAccounts', o => subjects(o, 'ServiceAccount'), 1),
];

const eventColumns: KubectlColumn[] = [
  textColumn('Last Seen', (o, api) =>
    age(
      stringAt(o, 'series', 'lastObservedTime') || stringAt(o, 'lastTimestamp') || stringAt(o, 'eventTime'),
      api.now(),
    ),
  ),
  textColumn('Type', o => stringAt(o, 'type')),
  textColumn('Reason', o => stringAt(o, 'reason')),
  textColumn(
    'Object',
    o => `${stringAt(o, 'involvedObject', 'kind').toLowerCase()}/${stringAt(o, 'involvedObject', 'name')}`,
  ),
  textColumn('Subobject', o => stringAt(o, 'involvedObject', 'fieldPath'), 1),
  textColumn('Source', o => stringAt(o, 'source', 'component') || stringAt(o, 'reportingComponent'), 1),
  textColumn('Message', o => stringAt(o, 'message').trim()),
  textColumn(
    'First Seen',
    (o, api) => age(stringAt(o, 'firstTimestamp') || stringAt(o, 'eventTime'), api.now()),
    1,
  ),
  textColumn('Count', o => numberAt(o, 'count') || 1, 1),
  {...nameColumn, priority: 1},
];

export const clusterColumns: Record<string, KubectlColumn[]> = {
  '/services': [
    nameColumn,
    textColumn('Type', o => stringAt(o, 'spec', 'type')),
    textColumn('Cluster-IP', o => stringAt(o, 'spec', 'clusterIP') || '<none>'),
    textColumn('External-IP', externalIP),
    textColumn('Port(s)', ports),
    ageColumn,
    textColumn('Selector', o => labelText(mapAt(o, 'spec', 'selector')), 1),
  ],
  '/namespaces': [nameColumn, textColumn('Status', o => stringAt(o, 'status', 'phase')), ageColumn],
  '/nodes': [
    nameColumn,
    textColumn('Status', nodeStatus),
    textColumn('Roles', nodeRoles),
    ageColumn,
    textColumn('Version', o => stringAt(o, 'status', 'nodeInfo', 'kubeletVersion')),
    textColumn('Internal-IP', o => address(o, 'InternalIP'), 1),
    textColumn('External-IP', o => address(o, 'ExternalIP'), 1),
    textColumn('OS-Image', o => stringAt(o, 'status', 'nodeInfo', 'osImage') || '<unknown>', 1),
    textColumn('Kernel-Version', o => stringAt(o, 'status', 'nodeInfo', 'kernelVersion') || '<unknown>', 1),
    textColumn(
      'Container-Runtime',
      o => stringAt(o, 'status', 'nodeInfo', 'containerRuntimeVersion') || '<unknown>',
      1,
    ),
  ],
  '/configmaps': [
    nameColumn,
    textColumn(
      'Data',
      o => Object.keys(mapAt(o, 'data')).length + Object.keys(mapAt(o, 'binaryData')).length,
    ),
    ageColumn,
  ],
  '/secrets': [
    nameColumn,
    textColumn('Type', o => stringAt(o, 'type')),
    textColumn('Data', o => Object.keys(mapAt(o, 'data')).length),
    ageColumn,
  ],
  '/serviceaccounts': [nameColumn, ageColumn],
  '/events': eventColumns,
  'events.k8s.io/events': eventColumns,
  '/endpoints': [
    nameColumn,
    textColumn('Endpoints', o => {
      const all = listAt(o, 'subsets').flatMap(s =>
        listAt(s, 'addresses').flatMap(a =>
          listAt(s, 'ports').map(p => `${stringAt(a, 'ip')}:${numberAt(p, 'port')}`),
        ),
      );
      return all.length === 0 ? '<none>' : some(all);
    }),
    ageColumn,
  ],
  'coordination.k8s.io/leases': [
    nameColumn,
    textColumn('Holder', o => stringAt(o, 'spec', 'holderIdentity')),
    ageColumn,
  ],
  'discovery.k8s.io/endpointslices': [
    nameColumn,
    textColumn('AddressType', o => stringAt(o, 'addressType')),
    textColumn('Ports', o => some(listAt(o, 'ports').map(p => String(at(p, 'port') ?? '*')))),
    textColumn('Endpoints', o =>
      some(listAt(o, 'endpoints').flatMap(e => listAt(e, 'addresses') as string[])),
    ),
    ageColumn,
  ],
  'networking.k8s.io/networkpolicies': [
    nameColumn,
    textColumn('Pod-Selector', o => selectorText(at(o, 'spec', 'podSelector'))),
    ageColumn,
  ],
  'networking.k8s.io/ingresses': [
    nameColumn,
    textColumn('Class', o => stringAt(o, 'spec', 'ingressClassName') || '<none>'),
    textColumn(
      'Hosts',
      o =>
        listAt(o, 'spec', 'rules')
          .map(r => stringAt(r, 'host'))
          .filter(h => h !== '')
          .join(',') || '*',
    ),
    textColumn('Address', o =>
      listAt(o, 'status', 'loadBalancer', 'ingress')
        .map(i => stringAt(i, 'ip') || stringAt(i, 'hostname'))
        .join(','),
    ),
    textColumn('Ports', o => (listAt(o, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    ageColumn,
  ],
  'rbac.authorization.k8s.io/rolebindings': bindingColumns,
  'rbac.authorization.k8s.io/clusterrolebindings': bindingColumns,
  'policy/poddisruptionbudgets': [
    nameColumn,
    textColumn('Min Available', o =>
      isSet(o, 'minAvailable') ? String(at(o, 'spec', 'minAvailable')) : 'N/A',
    ),
    textColumn('Max Unavailable', o =>
      isSet(o, 'maxUnavailable') ? String(at(o, 'spec', 'maxUnavailable')) : 'N/A',
    ),
    {name: 'Allowed Disruptions', type: 'integer', cell: o => numberAt(o, 'status', 'disruptionsAllowed')},
    ageColumn,
  ],
  'autoscaling/horizontalpodautoscalers': [
    nameColumn,
    textColumn(
      'Reference',
      o =>
        `${stringAt(o, 'spec', 'scaleTargetRef', 'kind')}/${stringAt(o, 'spec', 'scaleTargetRef', 'name')}`,
    ),
    textColumn('Targets', () => '<unknown>'),
    textColumn('MinPods', o => String(at(o, 'spec', 'minReplicas') ?? '<unset>')),
    textColumn('MaxPods', o => numberAt(o, 'spec', 'maxReplicas')),
    textColumn('Replicas', o => numberAt(o, 'status', 'currentReplicas')),
    ageColumn,
  ],
};

function isSet(object: StoredObject, field: string): boolean {
  const spec = object.spec;
  return isObject(spec) && spec[field] !== undefined;
}
