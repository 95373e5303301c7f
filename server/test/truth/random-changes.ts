// Random changes on the embedded cluster, as different writers make them. They use the API's verbs, with its
// defaults, validation and field ownership.

import type {JsonObject, StoredObject} from '../../src/cluster/object/stored-object.ts';
import {type DirectClient, NETWORK_POLICIES, PODS} from '../../src/cluster/simulation/direct-client.ts';
import type {TruthRandom} from './seeded-random.ts';
import {paths} from './sources.ts';

type Change = (client: DirectClient, chance: TruthRandom, fresh: () => string) => void;

const apps = ['cart', 'catalog', 'orders', 'payments', 'frontend', 'catlog', 'order'];
const people = ['kubectl-label', 'kubectl-edit', 'helm', 'argocd-controller', 'my-laptop'];
const waypoint = 'istio.io/use-waypoint';

function shopPods(client: DirectClient): StoredObject[] {
  return client.list(PODS).filter(({metadata}) => metadata.deletionTimestamp === undefined);
}

function edit(
  path: string,
  change: (object: StoredObject, chance: TruthRandom) => void,
  subresource = '',
): Change {
  return (client, chance) => {
    const object = chance.of(client.list(path));
    if (object) client.update(path, object, current => change(current, chance), subresource);
  };
}

function labels(object: StoredObject): Record<string, string> {
  object.metadata.labels ??= {};
  return object.metadata.labels as Record<string, string>;
}

function status(object: StoredObject): JsonObject {
  object.status ??= {};
  return object.status as JsonObject;
}

function spec(object: StoredObject): JsonObject {
  object.spec ??= {};
  return object.spec as JsonObject;
}

const byPeople: readonly Change[] = [
  edit(PODS, (pod, chance) => {
    labels(pod).app = chance.of(apps);
  }),
  edit(PODS, (pod, chance) => {
    labels(pod).app = chance.of(apps);
    labels(pod).tier = chance.of(['a', 'b']);
  }),
  edit(PODS, pod => {
    delete labels(pod).app;
  }),
  // Several paths that matter, the one from which the most follows neither first nor last by the alphabet.
  edit(PODS, (pod, chance) => {
    labels(pod).aaa = `noise-${chance.below(1000)}`;
    labels(pod).zone = chance.of(['a', 'b', 'c']);
    labels(pod).app = chance.of(apps);
    pod.metadata.annotations = {...pod.metadata.annotations, aaa: String(chance.below(1000))};
  }),
  edit('services', (service, chance) => {
    labels(service).aaa = `noise-${chance.below(1000)}`;
    const [port] = (spec(service).ports ?? []) as JsonObject[];
    if (port) port.targetPort = chance.of([8080, 'http', 'nowhere', 9090]);
    if (spec(service).selector) spec(service).selector = {app: chance.of(apps)};
  }),
  edit('namespaces', (namespace, chance) => {
    labels(namespace).aaa = `noise-${chance.below(1000)}`;
    labels(namespace)[waypoint] = chance.of(['waypoint', 'gate']);
  }),
  edit(PODS, (pod, chance) => {
    pod.metadata.annotations = {...pod.metadata.annotations, note: String(chance.below(1000))};
  }),
  edit('services', (service, chance) => {
    if (spec(service).selector) spec(service).selector = {app: chance.of(apps)};
  }),
  edit('services', (service, chance) => {
    const [port] = (spec(service).ports ?? []) as JsonObject[];
    if (port) port.targetPort = chance.of([8080, 'http', 'nowhere', 9090]);
  }),
  edit('services', (service, chance) => {
    labels(service).team = chance.of(['red', 'blue']);
  }),
  edit('namespaces', (namespace, chance) => {
    if (labels(namespace)[waypoint]) delete labels(namespace)[waypoint];
    else labels(namespace)[waypoint] = chance.of(['waypoint', 'gate']);
  }),
  edit(NETWORK_POLICIES, (policy, chance) => {
    spec(policy).podSelector = {matchLabels: {app: chance.of(apps)}};
  }),
  edit('configmaps', (map, chance) => {
    map.data = {...(map.data as object), a: String(chance.below(100))};
  }),
  (client, _chance, fresh) => {
    client.create('configmaps', {metadata: {name: fresh(), namespace: 'shop'}, data: {a: '1'}});
  },
  (client, chance, fresh) => {
    client.create(PODS, {
      metadata: {name: fresh(), namespace: 'shop', labels: {app: chance.of(apps)}},
      spec: {containers: [{name: 'c', image: 'x:1', ports: [{name: 'http', containerPort: 8080}]}]},
    });
  },
  (client, chance, fresh) => {
    client.create('services', {
      metadata: {name: fresh(), namespace: 'shop'},
      spec: {selector: {app: chance.of(apps)}, ports: [{name: 'http', port: 80, targetPort: 'http'}]},
    });
  },
  (client, chance, fresh) => {
    client.create(NETWORK_POLICIES, {
      metadata: {name: fresh(), namespace: 'shop'},
      spec: {podSelector: {matchLabels: {app: chance.of(apps)}}, policyTypes: ['Ingress']},
    });
  },
  (client, chance) => {
    const path = chance.of([
      'services',
      PODS,
      NETWORK_POLICIES,
      'configmaps',
      paths.EndpointSlices as string,
    ]);
    const object = chance.of(client.list(path));
    if (object) client.delete(path, object, {gracePeriodSeconds: 0});
  },
  // Deleted and created again under the same name: another object.
  (client, chance) => {
    const pod = chance.of(shopPods(client));
    if (!pod) return;
    const {name, namespace, labels: own} = pod.metadata;
    client.delete(PODS, pod, {gracePeriodSeconds: 0});
    if (client.get(PODS, namespace as string, name)) return;
    client.create(PODS, {
      metadata: {name, namespace, labels: own ?? {}},
      spec: {containers: [{name: 'c', image: 'x:2', ports: [{name: 'http', containerPort: 8080}]}]},
    });
  },
];

const byMachines: readonly [manager: string, change: Change][] = [
  [
    'kubelet',
    edit(
      PODS,
      (pod, chance) => {
        status(pod).phase = chance.of(['Running', 'Running', 'Pending', 'Succeeded']);
      },
      'status',
    ),
  ],
  [
    'kubelet',
    edit(
      PODS,
      (pod, chance) => {
        const ready = chance.of(['True', 'False']);
        status(pod).conditions = [{type: 'Ready', status: ready}];
      },
      'status',
    ),
  ],
  [
    'kubelet',
    edit(
      PODS,
      (pod, chance) => {
        const ip = `10.9.${chance.below(250)}.${chance.below(250)}`;
        Object.assign(status(pod), {podIP: ip, podIPs: [{ip}], phase: 'Running'});
      },
      'status',
    ),
  ],
  [
    'kubelet',
    edit(
      'nodes',
      (node, chance) => {
        const ready = chance.of(['True', 'False']);
        status(node).conditions = [{type: 'Ready', status: ready}];
      },
      'status',
    ),
  ],
  [
    'endpointslice-controller',
    edit(paths.EndpointSlices as string, (slice, chance) => {
      const endpoints = (slice.endpoints ?? []) as JsonObject[];
      const one = chance.of(endpoints);
      if (one) one.conditions = {ready: chance.of([true, false])};
    }),
  ],
  [
    'endpointslice-controller',
    edit(paths.EndpointSlices as string, (slice, chance) => {
      const endpoints = (slice.endpoints ?? []) as JsonObject[];
      endpoints.splice(chance.below(endpoints.length + 1), 1);
    }),
  ],
  [
    'kube-controller-manager',
    edit(
      paths.Deployments as string,
      (deployment, chance) => {
        status(deployment).availableReplicas = chance.below(3);
      },
      'status',
    ),
  ],
];

/** Makes one change and returns its writer. The API may refuse it. */
export function changeSomething(client: DirectClient, chance: TruthRandom, fresh: () => string): string {
  const machine = chance.below(3) === 0;
  const [manager, change] = machine ? chance.of(byMachines) : [chance.of(people), chance.of(byPeople)];
  try {
    change(client.as(manager), chance, fresh);
  } catch (error) {
    if ((error as {code?: unknown}).code === undefined) throw error;
  }
  return manager;
}
