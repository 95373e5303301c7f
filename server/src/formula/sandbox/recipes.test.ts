// Each recipe for platform teams gives the rows of a plain computation over the same objects.

import {encodeBase64} from '@krtscope/shared/certificates/base64.ts';
import {parseGroupName, withGrouped} from '@krtscope/shared/groups/group-name.ts';
import {matchesSelector} from '@krtscope/shared/labels/label-selector.ts';
import {recipes} from '@krtscope/shared/recipes/recipes.ts';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  newCollection,
  newManyCollection,
  newStaticCollection,
} from '../../krt/index.ts';
import {type CompiledFormula, compileFormula} from '../compile/formula-compiler.ts';
import {createPathIndex} from './path-index.ts';
import {labelsOf, namespaceOf} from './row-keys.ts';
import {SandboxedFormula} from './sandboxed-formula.ts';
import {type RecipeObject, recipeObjects} from './testing-recipe-objects.ts';

type RecipeRows = Record<string, unknown>;
type ClusterObjects = Record<string, RecipeObject[]>;

const keyOf = ({metadata, key}: RecipeObject & {key?: string}) =>
  key !== undefined
    ? key
    : metadata.namespace === undefined
      ? metadata.name
      : `${metadata.namespace}/${metadata.name}`;

/** Runs a recipe over these objects on a real engine. */
function rowsOf(name: string, compiled: CompiledFormula, objects: ClusterObjects, minute = 0): RecipeRows {
  const {kind, input = ''} = recipes.find(one => one.name === name)!;
  const engine = createEngine({checks: 'off'});
  const collections = new Map<string, Collection<unknown>>();
  const clock = newStaticCollection(engine, [{key: 'minute', minute}], {name: 'Clock', key: one => one.key});
  collections.set('Clock', clock as never);
  const sources = withGrouped([...compiled.names, input]).filter(source => source !== 'Clock');
  for (const source of sources) {
    const group = parseGroupName(source);
    const made =
      group === undefined
        ? newStaticCollection(engine, objects[source] ?? [], {name: source})
        : createPathIndex(collections.get(group.collection) as never, group.path).asCollection({
            name: source,
          });
    collections.set(source, made as never);
  }
  const formula = new SandboxedFormula(
    {name, kind, compiled},
    {collection: one => collections.get(one), index: () => undefined as never},
  );
  const run = (ctx: unknown, item: unknown) => formula.run(ctx as never, item) as never;
  const options = {
    name,
    key: (row: unknown) => formula.keys.of(row),
    labels: labelsOf,
    namespace: namespaceOf,
  };
  const from = collections.get(input) as never;
  const rows = kind === 'many' ? newManyCollection(from, run, options) : newCollection(from, run, options);
  for (const item of (collections.get(input)?.list() ?? []) as RecipeObject[])
    expect(rows.rowState(keyOf(item))?.error).toBe(undefined);
  return Object.fromEntries(rows.list().map(row => [formula.keys.of(row), row]));
}

const find = (list: RecipeObject[] = [], key: string) => list.find(one => keyOf(one) === key);
const sameNamespace = (a: RecipeObject, b: RecipeObject) => a.metadata.namespace === b.metadata.namespace;
const ownerOf = (object: RecipeObject | undefined) => object?.metadata.ownerReferences?.[0];

/** The expected rows by key, computed with loops. */
const expectations: Record<string, (objects: ClusterObjects) => RecipeRows> = {
  ImagesWithoutDigest({Pods = [], ReplicaSets}) {
    const images: Record<string, Set<string>> = {};
    for (const pod of Pods) {
      const replicaSet = ownerOf(pod);
      const root = replicaSet && ownerOf(find(ReplicaSets, `${pod.metadata.namespace}/${replicaSet.name}`));
      const owner = root ?? replicaSet ?? {kind: 'Pod', name: pod.metadata.name};
      const key = `${pod.metadata.namespace}/${owner.kind}/${owner.name}`;
      for (const one of pod.spec.containers)
        if (!/@sha256:/.test(one.image)) images[key] = (images[key] ?? new Set()).add(one.image);
    }
    return Object.fromEntries(
      Object.entries(images).map(([key, set]) => [
        key,
        {key, owner: key.split('/').slice(1).join('/'), images: [...set].sort()},
      ]),
    );
  },
  PodsByImage({Pods = []}) {
    const byImage: Record<string, RecipeObject[]> = {};
    for (const pod of Pods)
      for (const image of new Set<string>(pod.spec.containers.map(({image: own}: RecipeObject) => own)))
        byImage[image] = [...(byImage[image] ?? []), pod];
    return Object.fromEntries(
      Object.entries(byImage).map(([image, pods]) => [
        image,
        {
          pods: pods.length,
          namespaces: [...new Set(pods.map(pod => pod.metadata.namespace))].sort(),
          ready: pods.filter(pod =>
            pod.status?.conditions?.some(
              ({type, status}: RecipeObject) => type === 'Ready' && status === 'True',
            ),
          ).length,
        },
      ]),
    );
  },
  ServicesOnOneNode({Services = [], EndpointSlices = []}) {
    const rows: RecipeRows = {};
    for (const service of Services) {
      const nodes: string[] = [];
      for (const slice of EndpointSlices)
        if (
          sameNamespace(slice, service) &&
          slice.metadata.labels?.['kubernetes.io/service-name'] === service.metadata.name
        )
          for (const one of slice.endpoints) if (one.conditions.ready !== false) nodes.push(one.nodeName);
      const key = keyOf(service);
      if (nodes.length >= 2 && nodes.every(node => node === nodes[0]))
        rows[key] = {key, node: nodes[0], endpoints: nodes.length};
    }
    return rows;
  },
  BlockedDrains({Deployments = [], PodDisruptionBudgets = []}) {
    const rows: RecipeRows = {};
    for (const deployment of Deployments)
      for (const budget of PodDisruptionBudgets) {
        if (!sameNamespace(deployment, budget) || budget.status.disruptionsAllowed > 0) continue;
        if (!matchesSelector(budget.spec.selector, deployment.spec.template.metadata.labels)) continue;
        const key = `${keyOf(deployment)} ${budget.metadata.name}`;
        const {currentHealthy, desiredHealthy} = budget.status;
        const healthy = `${currentHealthy} of ${desiredHealthy}`;
        rows[key] = {key, deployment: keyOf(deployment), budget: budget.metadata.name, healthy};
      }
    return rows;
  },
  AutoscalersWithoutRequests({HorizontalPodAutoscalers = [], Deployments}) {
    const rows: RecipeRows = {};
    for (const hpa of HorizontalPodAutoscalers) {
      const {kind, name} = hpa.spec.scaleTargetRef;
      if (kind !== 'Deployment') continue;
      const target = find(Deployments, `${hpa.metadata.namespace}/${name}`);
      const own = keyOf(hpa);
      if (target === undefined)
        rows[`${own} target`] = {key: `${own} target`, problem: `no Deployment ${name}`};
      for (const {resource} of target === undefined ? [] : hpa.spec.metrics) {
        if (resource.target.type !== 'Utilization') continue;
        for (const container of target!.spec.template.spec.containers) {
          if (container.resources?.requests?.[resource.name] !== undefined) continue;
          const key = `${own} ${resource.name} ${container.name}`;
          const problem = `container ${container.name} of Deployment ${name} requests no ${resource.name}`;
          rows[key] = {key, problem};
        }
      }
    }
    return rows;
  },
  RoutesWithoutBackend({HTTPRoutes = [], Services}) {
    const rows: RecipeRows = {};
    for (const route of HTTPRoutes)
      for (const rule of route.spec.rules)
        for (const {name, port} of rule.backendRefs) {
          const service = find(Services, `${route.metadata.namespace}/${name}`);
          if (service?.spec.ports.some((one: {port: number}) => one.port === port)) continue;
          const backend = `${route.metadata.namespace}/${name}:${port}`;
          const key = `${keyOf(route)} -> ${backend}`;
          const problem = service === undefined ? 'no such Service' : `the Service has no port ${port}`;
          rows[key] = {key, route: keyOf(route), backend, problem};
        }
    return rows;
  },
  RequestedByPod({Pods = [], ReplicaSets = []}) {
    const cpus: Record<string, number> = {'250m': 0.25, '1': 1, '2': 2};
    const gigabytes: Record<string, number> = {'64Mi': 0.0625, '1Gi': 1};
    const controllerOf = ({metadata}: RecipeObject) =>
      metadata.ownerReferences?.find((one: {controller?: boolean}) => one.controller === true) ??
      metadata.ownerReferences?.[0];
    const rows: RecipeRows = {};
    for (const pod of Pods) {
      let [cpu, memoryGi] = [0, 0];
      for (const one of pod.spec.containers) {
        cpu += cpus[one.resources?.requests?.cpu] ?? 0;
        memoryGi += gigabytes[one.resources?.requests?.memory] ?? 0;
      }
      const owner = controllerOf(pod);
      const set = ReplicaSets.find(
        ({metadata}) =>
          owner?.kind === 'ReplicaSet' &&
          metadata.name === owner.name &&
          metadata.namespace === pod.metadata.namespace,
      );
      const root = (set && controllerOf(set)) ?? owner;
      rows[keyOf(pod)] = {owner: root?.name ?? null, cpu, memoryGi};
    }
    return rows;
  },
  CostByNamespace({Namespaces = [], Pods = []}) {
    const cpus: Record<string, number> = {'250m': 0.25, '1': 1, '2': 2};
    const gigabytes: Record<string, number> = {'64Mi': 0.0625, '1Gi': 1};
    return Object.fromEntries(
      Namespaces.map(({metadata: {name}}) => {
        let [cpu, memory] = [0, 0];
        for (const pod of Pods)
          for (const one of pod.metadata.namespace === name ? pod.spec.containers : []) {
            cpu += cpus[one.resources?.requests?.cpu] ?? 0;
            memory += gigabytes[one.resources?.requests?.memory] ?? 0;
          }
        const cost = Math.round(730 * (cpu * 0.04 + memory * 0.005) * 100) / 100;
        return [name, {cpu, memoryGi: Math.round(memory * 100) / 100, cost}];
      }),
    );
  },
  SpreadViolations({Deployments = [], Pods = [], Nodes = []}) {
    const rows: RecipeRows = {};
    for (const deployment of Deployments)
      for (const {topologyKey, maxSkew, labelSelector} of deployment.spec.template.spec
        .topologySpreadConstraints ?? []) {
        const counts: Record<string, number> = {};
        for (const {metadata} of Nodes) if (metadata.labels?.zone) counts[metadata.labels.zone] ??= 0;
        for (const pod of Pods) {
          if (!sameNamespace(pod, deployment) || !matchesSelector(labelSelector, pod.metadata.labels))
            continue;
          const zone = find(Nodes, pod.spec.nodeName ?? '')?.metadata.labels?.zone;
          if (zone !== undefined) counts[zone] = (counts[zone] ?? 0) + 1;
        }
        const numbers = Object.values(counts).sort((a, b) => a - b);
        const skew = (numbers.at(-1) ?? 0) - (numbers[0] ?? 0);
        const key = `${keyOf(deployment)} ${topologyKey}`;
        if (skew > maxSkew) rows[key] = {key, skew, allowed: maxSkew, counts};
      }
    return rows;
  },
  OrphanedReplicaSets({ReplicaSets = [], Deployments}) {
    const rows: RecipeRows = {};
    for (const replicaSet of ReplicaSets) {
      const owner = ownerOf(replicaSet);
      if (owner && find(Deployments, `${replicaSet.metadata.namespace}/${owner.name}`)) continue;
      const key = keyOf(replicaSet);
      const ownerText = owner === undefined ? '(none)' : `${owner.kind}/${owner.name}`;
      rows[key] = {key, owner: ownerText, replicas: replicaSet.spec.replicas};
    }
    return rows;
  },
  UnusedConfigMaps({ConfigMaps = [], Pods = []}) {
    const rows: RecipeRows = {};
    for (const configMap of ConfigMaps) {
      const used = Pods.some(
        pod =>
          sameNamespace(pod, configMap) &&
          JSON.stringify(pod).includes(`"configMap":{"name":"${configMap.metadata.name}"}`),
      );
      if (!used) rows[keyOf(configMap)] = {key: keyOf(configMap), keys: 1};
    }
    return rows;
  },
};

const compile = (name: string) => {
  const {code, kind, input} = recipes.find(one => one.name === name)!;
  return compileFormula(code, kind, input);
};

for (const [name, expected] of Object.entries(expectations))
  test(`${name} gives the rows of a plain computation`, async () => {
    const compiled = await compile(name);
    let rowCount = 0;
    fc.assert(
      fc.property(recipeObjects, objects => {
        const rows = rowsOf(name, compiled, objects);
        rowCount += Object.keys(rows).length;
        expect(rows).toEqual(expected(objects));
      }),
      {numRuns: 300},
    );
    expect(rowCount).toBeGreaterThan(0);
  });

// A self-signed certificate: CN=shop.example, from 2026-01-01 to 2026-06-30.
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBezCCASKgAwIBAgIJNLE7+9qYRINTMAkGByqGSM49BAEwFzEVMBMGA1UEAxMM
c2hvcC5leGFtcGxlMB4XDTI2MDEwMTAwMDAwMFoXDTI2MDYzMDAwMDAwMFowFzEV
MBMGA1UEAxMMc2hvcC5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
YiFD/xW2OH3Sg/6GkS1ONzWqcJ6qZFl/CHxcAx+fEVZ0cyY/0W4TGQL8d5Mp2Lkm
z8BE/tT+1mscWQecf51lQKNYMFYwDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMC
BaAwHQYDVR0lBBYwFAYIKwYBBQUHAwEGCCsGAQUFBwMCMBcGA1UdEQQQMA6CDHNo
b3AuZXhhbXBsZTAJBgcqhkjOPQQBA0gAMEUCIQDFJUzN7t9/JJ9C5Xb8AzXP8+0H
DMJqiExRwK3eVTuz+QIgIHOwBB2gdpXSoaXtglI4SlqGOOSyEjury2yqJm36uB0=
-----END CERTIFICATE-----`;

test('ExpiringCertificates counts the days to the end of a certificate, by the clock', async () => {
  const compiled = await compile('ExpiringCertificates');
  const tls = (name: string, type: string, text: string): RecipeObject => ({
    metadata: {name, namespace: 'shop'},
    type,
    data: {'tls.crt': encodeBase64(text)},
  });
  const Secrets = [
    tls('web', 'kubernetes.io/tls', CERTIFICATE),
    tls('opaque', 'Opaque', CERTIFICATE),
    tls('empty', 'kubernetes.io/tls', 'no certificate'),
  ];
  const at = (text: string) => rowsOf('ExpiringCertificates', compiled, {Secrets}, Date.parse(text));
  expect(at('2026-05-01T00:00:00Z')).toEqual({});
  expect(at('2026-06-20T00:00:00Z')).toMatchObject({'shop/web': {left: 10, subject: 'CN=shop.example'}});
  expect(at('2026-07-10T00:00:00Z')).toMatchObject({'shop/web': {left: -10}});
});
