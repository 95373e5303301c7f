// A graph in files: which services can answer, who owns them, and what needs somebody's attention. docs/formulas.md
// walks through it; a test runs it on the demo.
import {
  fetch,
  fetchOne,
  filterIndex,
  filterKey,
  filterLabel,
  filterNamespace,
  joinCollection,
  newCollection,
  newIndex,
  newManyCollection,
  newSingleton,
} from 'krtscope/krt';
import {cpuOf, isReadyPod, type Notice} from './lib/pods.ts';

export function build({engine, collection}: GraphModule) {
  const pods = collection('Pods');
  const services = collection('Services');

  // Pods that can answer now, with just what the others look at: a change of anything else ends here.
  const readyPods = newCollection(
    pods,
    (_ctx, pod) =>
      isReadyPod(pod)
        ? {
            key: `${pod.metadata?.namespace}/${pod.metadata?.name}`,
            namespace: pod.metadata?.namespace,
            labels: pod.metadata?.labels ?? {},
            node: pod.spec?.nodeName ?? '',
            cpu: cpuOf(pod),
          }
        : undefined,
    {name: 'ReadyPods'},
  );
  const byNode = newIndex(readyPods, 'node', pod => [pod.node]);

  const teams = newCollection(
    collection('Namespaces'),
    (_ctx, namespace) => ({team: namespace.metadata?.labels?.team ?? 'nobody'}),
    {name: 'Teams'},
  );

  const backed = newCollection(
    services,
    (ctx, service) => {
      const {namespace = '', name} = service.metadata ?? {};
      const selector = service.spec?.selector;
      if (selector === undefined) return undefined;
      const found = fetch(ctx, readyPods, filterNamespace(namespace), filterLabel(selector));
      return {
        name,
        namespace,
        ready: found.length,
        team: fetchOne(ctx, teams, filterKey(namespace))?.team ?? 'nobody',
      };
    },
    {name: 'BackedServices'},
  );

  const ports = newManyCollection(
    services,
    (_ctx, service) =>
      (service.spec?.ports ?? []).map(port => ({
        key: `${service.metadata?.namespace}/${service.metadata?.name}:${port.port}`,
        port: port.port,
      })),
    {name: 'ServicePorts'},
  );

  const nodeLoads = newCollection(
    collection('Nodes'),
    (ctx, node) => {
      const here = fetch(ctx, readyPods, filterIndex(byNode, node.metadata?.name ?? ''));
      return {pods: here.length, cpu: here.reduce((all, pod) => all + pod.cpu, 0)};
    },
    {name: 'NodeLoads'},
  );

  const silent = newCollection(
    backed,
    (_ctx, service): Notice | undefined =>
      service.ready === 0
        ? {key: `silent ${service.namespace}/${service.name}`, says: 'no Pod can answer', team: service.team}
        : undefined,
    {name: 'SilentServices'},
  );
  const unowned = newCollection(
    teams,
    (_ctx, {team}): Notice | undefined => (team === 'nobody' ? {says: 'no team is named', team} : undefined),
    {name: 'UnownedNamespaces'},
  );
  const notices = joinCollection([silent, unowned], {name: 'Notices'});

  newSingleton(
    engine,
    ctx => ({
      notices: fetch(ctx, notices).length,
      ports: fetch(ctx, ports).length,
      busiest: Math.max(0, ...fetch(ctx, nodeLoads).map(node => node.pods)),
    }),
    {name: 'Health'},
  );
}
