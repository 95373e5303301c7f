// Ready-made formulas for questions that platform teams ask: images, drains, certificates, cost, spread.
import type {Recipe} from './recipe.ts';

export const platformRecipes: readonly Recipe[] = [
  {
    name: 'ImagesWithoutDigest',
    title: 'Images without a digest, by owner',
    words: 'Deployments, Jobs and other owners whose Pods run an image by tag alone.',
    kind: 'many',
    input: 'Namespaces',
    code: `// One row for each owner with images that are not pinned by a digest
(ctx, ns) => {
  const pods = ctx.fetch(Pods, namespace(ns.metadata.name));
  const byOwner = groupBy(pods, pod => {
    const owner = rootOwner(pod) ?? {kind: 'Pod', name: pod.metadata.name};
    return \`\${owner.kind}/\${owner.name}\`;
  });
  return Object.entries(byOwner)
    .map(([owner, own]) => ({
      key: \`\${ns.metadata.name}/\${owner}\`,
      owner,
      images: unique(own.flatMap(pod => pod.spec.containers.map(one => one.image ?? '')))
        .filter(image => !image.includes('@sha256:'))
        .sort(),
    }))
    .filter(row => row.images.length > 0);
}`,
  },
  {
    name: 'ServicesOnOneNode',
    title: 'Services with all endpoints on one node',
    words: 'Services with two or more ready endpoints that all run on the same node.',
    kind: 'one',
    input: 'Services',
    code: `// Services that one lost node takes down
(ctx, service) => {
  const slices = ctx.fetch(EndpointSlices,
    namespace(service.metadata.namespace),
    label({'kubernetes.io/service-name': service.metadata.name}));
  const ready = slices.flatMap(slice => slice.endpoints ?? []).filter(one => one.conditions?.ready !== false);
  const nodes = unique(ready.map(one => one.nodeName ?? '(none)'));
  if (ready.length < 2 || nodes.length > 1) return null;
  return {key: keyOf(service), node: nodes[0], endpoints: ready.length};
}`,
  },
  {
    name: 'BlockedDrains',
    title: 'Deployments whose PDB blocks a drain',
    words: 'Deployments with a PodDisruptionBudget that allows no disruption now.',
    kind: 'many',
    input: 'Deployments',
    sources: ['poddisruptionbudgets.policy'],
    code: `// One row for each budget that allows no disruption of a Deployment's Pods
(ctx, deployment) => {
  const labels = deployment.spec.template.metadata?.labels;
  return ctx.fetch(PodDisruptionBudgets, namespace(deployment.metadata.namespace))
    .filter(budget => budget.spec.selector && matches(budget.spec.selector, labels))
    .filter(budget => (budget.status.disruptionsAllowed ?? 0) === 0)
    .map(budget => ({
      key: \`\${keyOf(deployment)} \${budget.metadata.name}\`,
      deployment: keyOf(deployment),
      budget: budget.metadata.name,
      healthy: \`\${budget.status.currentHealthy ?? 0} of \${budget.status.desiredHealthy ?? 0}\`,
    }));
}`,
  },
  {
    name: 'AutoscalersWithoutRequests',
    title: 'Autoscalers against requests',
    words: 'HorizontalPodAutoscalers on utilization whose target has a container without that request.',
    kind: 'many',
    input: 'HorizontalPodAutoscalers',
    sources: ['horizontalpodautoscalers.autoscaling'],
    code: `// Utilization is a share of the request: without a request the autoscaler cannot work
(ctx, hpa) => {
  const target = hpa.spec.scaleTargetRef;
  if (target.kind !== 'Deployment') return [];
  const deployment = ctx.fetchOne(Deployments, key(\`\${hpa.metadata.namespace}/\${target.name}\`));
  if (deployment === undefined) return [{key: \`\${keyOf(hpa)} target\`, problem: \`no Deployment \${target.name}\`}];
  const measured = (hpa.spec.metrics ?? [])
    .filter(metric => metric.type === 'Resource' && metric.resource?.target.type === 'Utilization')
    .map(metric => metric.resource?.name ?? '');
  return measured.flatMap(what => deployment.spec.template.spec.containers
    .filter(container => container.resources?.requests?.[what] === undefined)
    .map(container => ({
      key: \`\${keyOf(hpa)} \${what} \${container.name}\`,
      problem: \`container \${container.name} of Deployment \${target.name} requests no \${what}\`,
    })));
}`,
  },
  {
    name: 'ExpiringCertificates',
    title: 'Certificates that expire soon',
    words: 'TLS Secrets whose certificate expires within 30 days, checked once a minute.',
    kind: 'one',
    input: 'Secrets',
    code: `// TLS Secrets that expire within so many days
(ctx, secret) => {
  if (secret.type !== 'kubernetes.io/tls') return null;
  const [certificate] = certificates(secret.data?.['tls.crt']);
  if (certificate === undefined) return null;
  const left = Math.floor((time(certificate.notAfter) - ctx.minute()) / 86_400_000);
  if (left >= param('days', 30)) return null;
  return {key: keyOf(secret), subject: certificate.subject, names: certificate.names, notAfter: certificate.notAfter, left};
}`,
  },
  {
    name: 'RoutesWithoutBackend',
    title: 'HTTPRoutes to missing backends',
    words: 'Backends of HTTPRoutes that name a Service, or a port of it, that does not exist.',
    kind: 'many',
    input: 'HTTPRoutes',
    sources: ['httproutes.gateway.networking.k8s.io'],
    code: `// One row for each backend that no Service answers
(ctx, route) => unique((route.spec.rules ?? [])
  .flatMap(rule => rule.backendRefs ?? [])
  .filter(backend => (backend.kind ?? 'Service') === 'Service')
  .map(backend => \`\${backend.namespace ?? route.metadata.namespace}/\${backend.name}:\${backend.port ?? ''}\`))
  .flatMap(backend => {
    const [service = '', port = ''] = backend.split(':');
    const found = ctx.fetchOne(Services, key(service));
    const ports = found?.spec.ports ?? [];
    if (found !== undefined && (port === '' || ports.some(one => String(one.port) === port))) return [];
    const problem = found === undefined ? 'no such Service' : \`the Service has no port \${port}\`;
    return [{key: \`\${keyOf(route)} -> \${backend}\`, route: keyOf(route), backend, problem}];
  })`,
  },
  {
    name: 'CostByNamespace',
    title: 'Cost by namespace',
    words: 'The monthly cost of requested CPU and memory. The prices are parameters.',
    kind: 'one',
    input: 'Namespaces',
    code: `// What the requests of a namespace cost in a month of 730 hours
(ctx, ns) => {
  const containers = ctx.fetch(Pods, namespace(ns.metadata.name)).flatMap(pod => pod.spec.containers);
  const requested = (what: string) => sum(containers, one => quantity(one.resources?.requests?.[what] ?? 0));
  const cpu = requested('cpu');
  const memoryGi = requested('memory') / 2 ** 30;
  const cost = 730 * (cpu * param('price of a CPU hour', 0.04) + memoryGi * param('price of a Gi hour', 0.005));
  return {cpu, memoryGi: Math.round(memoryGi * 100) / 100, cost: Math.round(cost * 100) / 100};
}`,
  },
  {
    name: 'SpreadViolations',
    title: 'Pods that are not spread',
    words: 'Deployments whose Pods violate a topology spread constraint.',
    kind: 'many',
    input: 'Deployments',
    code: `// One row for each constraint whose skew is too large
(ctx, deployment) => {
  const spec = deployment.spec.template.spec;
  return (spec.topologySpreadConstraints ?? []).flatMap(constraint => {
    const pods = ctx.fetch(Pods, namespace(deployment.metadata.namespace), label(constraint.labelSelector));
    const counts: Record<string, number> = {};
    for (const node of ctx.fetch(Nodes)) {
      const domain = node.metadata.labels?.[constraint.topologyKey];
      if (domain === undefined) continue;
      const here = pods.filter(pod => pod.spec.nodeName === node.metadata.name).length;
      counts[domain] = (counts[domain] ?? 0) + here;
    }
    const skew = Math.max(0, ...Object.values(counts)) - Math.min(...Object.values(counts), Infinity);
    if (!(skew > constraint.maxSkew)) return [];
    return [{key: \`\${keyOf(deployment)} \${constraint.topologyKey}\`, skew, allowed: constraint.maxSkew, counts}];
  });
}`,
  },
  {
    name: 'OrphanedReplicaSets',
    title: 'Orphaned ReplicaSets',
    words: 'ReplicaSets without a Deployment: their Pods are never updated.',
    kind: 'one',
    input: 'ReplicaSets',
    code: `// ReplicaSets that no existing Deployment owns
(ctx, replicaSet) => {
  const owner = ownerOf(replicaSet);
  const deployment = owner?.kind === 'Deployment'
    ? ctx.fetchOne(Deployments, key(\`\${replicaSet.metadata.namespace}/\${owner.name}\`))
    : undefined;
  if (deployment !== undefined) return null;
  return {
    key: keyOf(replicaSet),
    owner: owner === undefined ? '(none)' : \`\${owner.kind}/\${owner.name}\`,
    replicas: replicaSet.spec.replicas ?? 1,
  };
}`,
  },
];
