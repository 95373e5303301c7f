// Ready-made formulas for common questions about a cluster. Each runs on any cluster as it is.
import {platformRecipes} from './platform-recipes.ts';
import type {Recipe} from './recipe.ts';

export const recipes: readonly Recipe[] = [
  {
    name: 'PodsWithoutService',
    title: 'Pods without a Service',
    words: 'Pods that no Service selects: nothing can reach them by name.',
    kind: 'one',
    input: 'Pods',
    code: `// Pods that no Service selects
(ctx, pod) => {
  const services = ctx.fetch(Services,
    namespace(pod.metadata.namespace), selectsNonEmpty(pod.metadata.labels));
  if (services.length > 0) return null;
  return {key: keyOf(pod), app: labelsOf(pod).app ?? '(no label app)', node: pod.spec.nodeName};
}`,
  },
  {
    name: 'ServicesWithoutEndpoints',
    title: 'Services without ready endpoints',
    words: 'Services whose EndpointSlices contain no ready address.',
    kind: 'one',
    input: 'Services',
    code: `// Services whose slices contain no ready endpoint
(ctx, service) => {
  const slices = ctx.fetch(EndpointSlices,
    namespace(service.metadata.namespace),
    label({'kubernetes.io/service-name': service.metadata.name}));
  const endpoints = slices.flatMap(slice => slice.endpoints ?? []);
  const ready = endpoints.filter(one => one.conditions?.ready !== false);
  if (ready.length > 0) return null;
  return {key: keyOf(service), slices: slices.length, notReady: endpoints.length};
}`,
  },
  {
    name: 'ContainersWithoutLimits',
    title: 'Containers without limits',
    words: 'Containers that may use all resources of their node, with the missing limits.',
    kind: 'many',
    input: 'Pods',
    code: `// One row for each container that lacks a limit
(ctx, pod) => pod.spec.containers
  .map(container => ({
    key: \`\${keyOf(pod)}/\${container.name}\`,
    container: container.name,
    lacks: ['cpu', 'memory'].filter(one => container.resources?.limits?.[one] === undefined).join(' and '),
  }))
  .filter(row => row.lacks !== '')`,
  },
  {
    name: 'ImagesByNode',
    title: 'Images by node',
    words: 'The images on each Node, found through an index of its Pods.',
    kind: 'one',
    input: 'Nodes',
    code: `// What runs on each node, through an index on the Pods' node name
(ctx, node) => {
  const pods = ctx.fetch(Pods, index(Pods, 'spec.nodeName', node.metadata.name));
  const images = unique(pods.flatMap(pod => pod.spec.containers.map(one => one.image ?? '')));
  return {node: node.metadata.name, pods: pods.length, images: images.sort()};
}`,
  },
  {
    name: 'PodsByImage',
    title: 'Pods grouped by image',
    words: 'A row for each image, with its Pods and Namespaces: the input is the group collection of a path.',
    kind: 'one',
    input: 'Pods by spec.containers[].image',
    code: `// Who runs each image. The group's key is the image, its objects are the Pods.
(ctx, group) => ({
  pods: group.objects.length,
  namespaces: unique(group.objects.map(namespaceOf)).sort(),
  ready: group.objects.filter(isReady).length,
})`,
  },
  {
    name: 'RequestedByPod',
    title: 'Requests of each Pod, by a helper',
    words: 'A function that can move to helpers.ts, where all formulas of the folder use it by name.',
    kind: 'one',
    input: 'Pods',
    code: `// Move the function "requested" to helpers.ts, in the folder of the formulas, with "export" before it:
// then every formula can use it by name.
(ctx, pod) => {
  function requested(containers: readonly {resources?: {requests?: {readonly [name: string]: unknown}}}[], what: string) {
    return sum(containers, one => quantity(one.resources?.requests?.[what] ?? 0));
  }
  const {containers} = pod.spec;
  return {
    owner: rootOwner(pod)?.name ?? null,
    cpu: requested(containers, 'cpu'),
    memoryGi: requested(containers, 'memory') / 2 ** 30,
  };
}`,
  },
  {
    name: 'NamespacesWithoutPolicy',
    title: 'Namespaces without a NetworkPolicy',
    words: 'Namespaces whose Pods accept traffic from everywhere.',
    kind: 'one',
    input: 'Namespaces',
    code: `// Namespaces with Pods and no NetworkPolicy
(ctx, ns) => {
  const policies = ctx.fetch(NetworkPolicies, namespace(ns.metadata.name));
  const pods = ctx.fetch(Pods, namespace(ns.metadata.name));
  if (policies.length > 0 || pods.length === 0) return null;
  return {name: ns.metadata.name, pods: pods.length};
}`,
  },
  {
    name: 'RoutesWithoutGateway',
    title: 'HTTPRoutes without a Gateway',
    words: 'Routes whose parent Gateway does not exist.',
    kind: 'many',
    input: 'HTTPRoutes',
    sources: ['httproutes.gateway.networking.k8s.io', 'gateways.gateway.networking.k8s.io'],
    code: `// One row for each parent that a route names and that does not exist
(ctx, route) => (route.spec.parentRefs ?? [])
  .filter(parent => (parent.kind ?? 'Gateway') === 'Gateway')
  .map(parent => \`\${parent.namespace ?? route.metadata.namespace}/\${parent.name}\`)
  .filter(gateway => ctx.fetchOne(Gateways, key(gateway)) === undefined)
  .map(gateway => ({key: \`\${keyOf(route)} -> \${gateway}\`, route: keyOf(route), gateway}))`,
  },
  {
    name: 'UnusedSecrets',
    title: 'Unused Secrets',
    words:
      'Secrets that no Pod of their namespace names: as a volume, in its environment, or to pull images.',
    kind: 'one',
    input: 'Secrets',
    code: `// Secrets that no Pod of their namespace names
(ctx, secret) => {
  const own = secret.metadata.name;
  const users = ctx.fetch(Pods, namespace(secret.metadata.namespace), generic(pod =>
    (pod.spec.imagePullSecrets ?? []).some(one => one.name === own) ||
    (pod.spec.volumes ?? []).some(one => one.secret?.secretName === own) ||
    pod.spec.containers.some(container =>
      (container.envFrom ?? []).some(one => one.secretRef?.name === own) ||
      (container.env ?? []).some(one => one.valueFrom?.secretKeyRef?.name === own))));
  if (users.length > 0) return null;
  return {key: keyOf(secret), type: secret.type, keys: Object.keys(secret.data ?? {}).length};
}`,
  },
  {
    name: 'UnusedConfigMaps',
    title: 'Unused ConfigMaps',
    words: 'ConfigMaps that no Pod of their namespace mounts or reads.',
    kind: 'one',
    input: 'ConfigMaps',
    code: `// ConfigMaps that no Pod of their namespace names
(ctx, configMap) => {
  const own = configMap.metadata.name;
  const users = ctx.fetch(Pods, namespace(configMap.metadata.namespace), generic(pod =>
    (pod.spec.volumes ?? []).some(one => one.configMap?.name === own ||
      (one.projected?.sources ?? []).some(part => part.configMap?.name === own)) ||
    [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].some(container =>
      (container.envFrom ?? []).some(one => one.configMapRef?.name === own) ||
      (container.env ?? []).some(one => one.valueFrom?.configMapKeyRef?.name === own))));
  return users.length > 0 ? null : {key: keyOf(configMap), keys: Object.keys(configMap.data ?? {}).length};
}`,
  },
  {
    name: 'NamespaceSummary',
    title: 'A summary by namespace',
    words: 'The number of objects in each namespace, and how many of its Pods are ready.',
    kind: 'one',
    input: 'Namespaces',
    code: `// One line for each namespace
(ctx, ns) => {
  const here = namespace(ns.metadata.name);
  const pods = ctx.fetch(Pods, here);
  return {
    name: ns.metadata.name,
    pods: pods.length,
    ready: pods.filter(isReady).length,
    services: ctx.fetch(Services, here).length,
    deployments: ctx.fetch(Deployments, here).length,
    phases: countBy(pods, pod => pod.status.phase),
  };
}`,
  },
  {
    name: 'ServicePods',
    title: 'Two collections joined by a fetch',
    words: 'Each Service with the Pods that it selects and the nodes they are on.',
    kind: 'one',
    input: 'Services',
    code: `// A join: for each Service the Pods that its selector matches
(ctx, service) => {
  const selector = service.spec.selector;
  if (!selector) return null;
  const pods = ctx.fetch(Pods, namespace(service.metadata.namespace), label(selector));
  return {
    key: keyOf(service),
    pods: pods.map(nameOf),
    ready: pods.filter(isReady).length,
    nodes: unique(pods.map(pod => pod.spec.nodeName ?? '(none)')),
  };
}`,
  },
  {
    name: 'DeploymentsBehind',
    title: 'Deployments that are not ready',
    words: 'Deployments with fewer ready replicas than they want.',
    kind: 'one',
    input: 'Deployments',
    code: `// Deployments with fewer ready replicas than they want
(ctx, deployment) => {
  const wants = deployment.spec.replicas ?? 1;
  const ready = deployment.status.readyReplicas ?? 0;
  return ready >= wants ? null : {key: keyOf(deployment), ready, wants};
}`,
  },
  {
    name: 'RestartingContainers',
    title: 'Containers that restart',
    words: 'One row for each container that has restarted, and why it last ended.',
    kind: 'many',
    input: 'Pods',
    code: `// One row for each container that has restarted
(ctx, pod) => (pod.status.containerStatuses ?? [])
  .filter(status => status.restartCount > 0)
  .map(status => ({
    key: \`\${keyOf(pod)}/\${status.name}\`,
    restarts: status.restartCount,
    waiting: status.state?.waiting?.reason ?? null,
    ended: status.lastState?.terminated?.reason ?? null,
  }))`,
  },
  {
    name: 'MovingTags',
    title: 'Images with a tag that moves',
    words: 'Containers whose image has no tag, or latest: the running code may change without a write.',
    kind: 'many',
    input: 'Pods',
    code: `// Containers whose image may be another one tomorrow
(ctx, pod) => pod.spec.containers
  .filter(one => /(^[^:@]+|:latest)$/.test((one.image ?? '').split('/').at(-1) ?? ''))
  .map(one => ({key: \`\${keyOf(pod)}/\${one.name}\`, image: one.image}))`,
  },
  {
    name: 'NodeRequests',
    title: 'Requests of each node',
    words: 'CPU and memory that the Pods of a node request, against what it has.',
    kind: 'one',
    input: 'Nodes',
    code: `// CPU and memory requested on each node, against what it has
(ctx, node) => {
  const pods = ctx.fetch(Pods, index(Pods, 'spec.nodeName', node.metadata.name));
  const containers = pods.flatMap(pod => pod.spec.containers);
  const asked = (what: string) => sum(containers, one => quantity(one.resources?.requests?.[what] ?? 0));
  const has = (what: string) => quantity(node.status.allocatable?.[what] ?? 0);
  return {
    node: node.metadata.name,
    cpu: \`\${asked('cpu').toFixed(2)} of \${has('cpu')}\`,
    memoryMi: \`\${Math.round(asked('memory') / 2 ** 20)} of \${Math.round(has('memory') / 2 ** 20)}\`,
  };
}`,
  },
  {
    name: 'SharedServiceAccounts',
    title: 'ServiceAccounts of more than one workload',
    words: 'Accounts of several workloads: a permission for one is a permission for all.',
    kind: 'many',
    input: 'Namespaces',
    code: `// Accounts that more than one owner runs as
(ctx, ns) => {
  const pods = ctx.fetch(Pods, namespace(ns.metadata.name));
  const byAccount = groupBy(pods, pod => pod.spec.serviceAccountName ?? 'default');
  return Object.entries(byAccount)
    .map(([account, used]) => ({
      key: \`\${ns.metadata.name}/\${account}\`,
      account,
      owners: unique(used.map(pod => ownerOf(pod)?.name ?? nameOf(pod))).sort(),
    }))
    .filter(row => row.owners.length > 1);
}`,
  },
  {
    name: 'ClusterAtAGlance',
    title: 'The cluster at a glance',
    words: 'One value for the whole cluster, from several collections.',
    kind: 'singleton',
    code: `// One value for the whole cluster
(ctx) => {
  const pods = ctx.fetch(Pods);
  return {
    nodes: ctx.fetch(Nodes).length,
    namespaces: ctx.fetch(Namespaces).length,
    pods: pods.length,
    ready: pods.filter(isReady).length,
    phases: countBy(pods, pod => pod.status.phase),
  };
}`,
  },
  ...platformRecipes,
];
