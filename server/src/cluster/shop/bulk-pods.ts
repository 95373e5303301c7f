// Grows the demo to any number of Pods. Copies one finished workload straight into the storage and shares all
// equal parts, so that a hundred thousand Pods fit into memory and start in seconds.
import {type Api, keyOf} from '../api.ts';
import type {JsonObject, StoredMeta, StoredObject} from '../object/stored-object.ts';
import {listAt, stringAt} from '../object/stored-object.ts';
import {controllerReferenceTo} from '../simulation/controllers/child-objects.ts';
import {slicesFor} from '../simulation/controllers/endpoint-slice-controller.ts';
import {DEPLOYMENTS, DirectClient, PODS, REPLICA_SETS} from '../simulation/direct-client.ts';

const PER_DEPLOYMENT = 100;
const PER_NAMESPACE = 1000;
const PER_NODE = 100;

interface WorkloadModel {
  namespace: StoredObject;
  node: StoredObject;
  service: StoredObject;
  deployment: StoredObject;
  replicaSet: StoredObject;
  pod: StoredObject;
  slice: StoredObject;
}

/** Adds Pods with their owners, Services, Nodes and Namespaces until there are `total`. */
export function growToPodCount(api: Api, total: number): void {
  const client = new DirectClient(api, 'kube-controller-manager');
  const model = modelOf(client);
  if (!model) return;
  const missing = total - client.list(PODS).length;
  const nodes: StoredObject[] = [];
  for (let i = 0; i < Math.ceil(missing / PER_NODE); i++) nodes.push(addNode(api, model, i));
  for (let made = 0; made < missing; made += PER_DEPLOYMENT) {
    const group = Math.floor(made / PER_NAMESPACE);
    const namespace = `load-${String(group).padStart(3, '0')}`;
    if (made % PER_NAMESPACE === 0) addNamespace(api, model, namespace);
    const count = Math.min(PER_DEPLOYMENT, missing - made);
    addWorkload(api, model, {
      namespace,
      name: `app-${(made / PER_DEPLOYMENT) % 10}`,
      count,
      first: made,
      nodes,
    });
  }
}

function modelOf(client: DirectClient): WorkloadModel | undefined {
  const namespace = client.get('namespaces', '', 'shop');
  const node = client.list('nodes')[0];
  const service = client.get('services', 'shop', 'cart');
  const deployment = client.get(DEPLOYMENTS, 'shop', 'cart');
  const replicaSet = client
    .list(REPLICA_SETS, 'shop')
    .find(set => set.metadata.ownerReferences?.[0]?.name === 'cart');
  const pod = client.list(PODS, 'shop').find(p => p.metadata.labels?.app === 'cart');
  const slice = client
    .list('endpointslices.v1.discovery.k8s.io', 'shop')
    .find(s => s.metadata.labels?.['kubernetes.io/service-name'] === 'cart');
  if (!namespace || !node || !service || !deployment || !replicaSet || !pod || !slice) return undefined;
  return {namespace, node, service, deployment, replicaSet, pod: slimPod(pod), slice};
}

/** Removes the token volume and most of the managed fields, to save memory in a hundred thousand copies. */
function slimPod(pod: StoredObject): StoredObject {
  const spec = {...(pod.spec as JsonObject)};
  delete spec.volumes;
  spec.containers = (listAt(spec, 'containers') as JsonObject[]).map(
    ({volumeMounts: _mounts, ...rest}) => rest,
  );
  const time = pod.metadata.creationTimestamp ?? '';
  const entry = {
    manager: 'kubelet',
    operation: 'Update',
    apiVersion: 'v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: {'f:status': {'f:phase': {}, 'f:podIP': {}}},
    subresource: 'status',
  };
  return {...pod, spec, metadata: {...pod.metadata, managedFields: [entry]}};
}

function seedObject(api: Api, resource: string, object: StoredObject): StoredObject {
  api.storage.seed(resource, keyOf(object.metadata.namespace, object.metadata.name), object);
  return object;
}

function copyAs(api: Api, model: StoredObject, meta: Partial<StoredMeta>): StoredObject {
  return {...model, metadata: {...model.metadata, uid: api.random.uuid(), ...meta}};
}

function addNode(api: Api, model: WorkloadModel, index: number): StoredObject {
  const name = `load-node-${String(index).padStart(4, '0')}`;
  const labels = {...model.node.metadata.labels, 'kubernetes.io/hostname': name};
  const node = copyAs(api, model.node, {name, labels});
  const addresses = [
    {type: 'InternalIP', address: nodeAddress(index)},
    {type: 'Hostname', address: name},
  ];
  return seedObject(api, 'nodes', {...node, status: {...(node.status as JsonObject), addresses}});
}

function nodeAddress(index: number): string {
  return `10.1.${(index >> 8) & 255}.${index & 255}`;
}

function addNamespace(api: Api, model: WorkloadModel, name: string): void {
  const labels = {'kubernetes.io/metadata.name': name, team: 'load'};
  seedObject(api, 'namespaces', copyAs(api, model.namespace, {name, labels}));
}

interface BulkWorkload {
  namespace: string;
  name: string;
  count: number;
  /** The number of Pods made before. */
  first: number;
  nodes: StoredObject[];
}

function addWorkload(api: Api, model: WorkloadModel, load: BulkWorkload): void {
  const {namespace, name, count} = load;
  const labels = {app: name, tier: 'load'};
  const hash = `h${load.first}`;
  const spec = (object: StoredObject, template: Record<string, string>) => ({
    ...(object.spec as JsonObject),
    replicas: count,
    selector: {matchLabels: template === labels ? {app: name} : {app: name, 'pod-template-hash': hash}},
    template: {...((object.spec as JsonObject).template as JsonObject), metadata: {labels: template}},
  });
  const hashed = {...labels, 'pod-template-hash': hash};
  const counts = {replicas: count, readyReplicas: count, availableReplicas: count};
  const status = (object: StoredObject) => ({
    ...(object.status as JsonObject),
    ...counts,
    ...(object.kind === 'Deployment' ? {updatedReplicas: count} : {fullyLabeledReplicas: count}),
  });
  const deployment = seedObject(api, 'apps/deployments', {
    ...copyAs(api, model.deployment, {name, namespace, labels}),
    spec: spec(model.deployment, labels),
    status: status(model.deployment),
  });
  const owner = {...controllerReferenceTo(deployment), apiVersion: 'apps/v1'};
  const set = seedObject(api, 'apps/replicasets', {
    ...copyAs(api, model.replicaSet, {
      name: `${name}-${hash}`,
      namespace,
      labels: hashed,
      ownerReferences: [owner],
    }),
    spec: spec(model.replicaSet, hashed),
    status: status(model.replicaSet),
  });
  const pods = addPods(api, model, load, set, hashed);
  const address = {clusterIP: serviceAddress(load.first), clusterIPs: [serviceAddress(load.first)]};
  const service = seedObject(api, 'services', {
    ...copyAs(api, model.service, {name, namespace, labels: {app: name}, annotations: {}}),
    spec: {...(model.service.spec as JsonObject), selector: {app: name}, ...address},
  });
  slicesFor(service, pods, load.nodes).forEach((slice, i) => {
    const {labels: sliceLabels, ownerReferences, generateName} = slice.metadata as StoredMeta;
    const meta = {
      name: `${name}-s${i}`,
      namespace,
      labels: sliceLabels!,
      ownerReferences: ownerReferences!,
      generateName: generateName!,
    };
    seedObject(api, 'discovery.k8s.io/endpointslices', {
      ...copyAs(api, model.slice, meta),
      endpoints: slice.endpoints,
      ports: slice.ports,
    });
  });
}

function serviceAddress(first: number): string {
  const n = first / PER_DEPLOYMENT + 1;
  return `10.97.${(n >> 8) & 255}.${n & 255}`;
}

function addPods(
  api: Api,
  model: WorkloadModel,
  load: BulkWorkload,
  set: StoredObject,
  labels: Record<string, string>,
): StoredObject[] {
  const pods: StoredObject[] = [];
  const ownerReferences = [controllerReferenceTo(set)];
  const generateName = `${set.metadata.name}-`;
  for (let i = 0; i < load.count; i++) {
    const n = load.first + i;
    const node = load.nodes[Math.floor(n / PER_NODE)] ?? load.nodes[0]!;
    const hostIP = stringAt(listAt(node, 'status', 'addresses')[0], 'address');
    const podIP = `10.${128 + ((n >> 16) & 127)}.${(n >> 8) & 255}.${n & 255}`;
    const name = `${generateName}${n.toString(36).padStart(5, '0')}`;
    const pod = copyAs(api, model.pod, {
      name,
      generateName,
      namespace: load.namespace,
      labels,
      ownerReferences,
    });
    pod.spec = {...(model.pod.spec as JsonObject), nodeName: node.metadata.name};
    pod.status = {
      ...(model.pod.status as JsonObject),
      hostIP,
      hostIPs: [{ip: hostIP}],
      podIP,
      podIPs: [{ip: podIP}],
    };
    pods.push(seedObject(api, 'pods', pod));
  }
  return pods;
}
