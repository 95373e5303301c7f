// Exported formulas: a module that keeps their text, and a Go skeleton with their types and fetches.
import type {Graph} from '@krtscope/shared/graph.ts';
import {recipes} from '@krtscope/shared/recipes/recipes.ts';
import {expect, test} from 'vitest';
import type {Draft} from '../draft/drafts.ts';
import {goSkeleton} from './go-skeleton.ts';
import {typescriptModule} from './typescript-module.ts';

const draft = (name: string): Draft => {
  const {title: _, words: __, sources: ___, ...recipe} = recipes.find(one => one.name === name)!;
  return {id: 'a', pins: [], history: [], ...recipe};
};
const resource = (kind: string, group = '') => ({group, version: 'v1', resource: '', kind, namespaced: true});
const graph = {
  collections: [
    {name: 'Pods', resource: resource('Pod')},
    {name: 'Services', resource: resource('Service')},
    {name: 'Nodes', resource: resource('Node')},
    {name: 'Workloads'},
  ],
} as unknown as Graph;

test('a module has its types, and only the filters and helpers that the formula uses', () => {
  const text = typescriptModule(draft('PodsWithoutService'), graph);
  expect(text).toMatch(
    /^import \{fetch, fetchOne, .*filterNamespace, filterSelectsNonEmpty, newCollection, .* from 'krtscope\/krt';$/m,
  );
  expect(text).toContain(`"Services": Stored<BuiltInObjects['v1']['Service']>;`);
  expect(text).toContain('const Services = graph.collection("Services") as Collection<Items["Services"]>;');
  expect(text).not.toContain('const Nodes');
  expect(text).toContain('const keyOf =');
  expect(text).toContain('const nameOf =');
  expect(text).not.toContain('const quantity');
  expect(text).toContain('{name: "PodsWithoutService", key: rowKey}');
});

test('a module has the changed parameters, the clock and the declared types of other collections', () => {
  const own: Draft = {
    ...draft('PodsWithoutService'),
    input: 'Workloads',
    params: {price: 2},
    code: "(ctx, workload) => param('price', 1) * ctx.minute() // cost",
  };
  const text = typescriptModule(
    own,
    graph,
    'interface Items {\n  readonly "Workloads": {readonly ip: string};\n}\n',
  );
  expect(text).toContain('const params: Record<string, any> = {"price":2};');
  expect(text).toContain('"Workloads": {readonly ip: string};');
  expect(text).toContain('fetchOne(ctx, Clock)?.minute');
});

test('a Go skeleton has the types, the fetches with their filters, and the fields of a row', () => {
  const own = draft('PodsWithoutService');
  const from = own.code.indexOf('ctx.fetch(');
  const to = own.code.indexOf(');', from) + 1;
  const text = goSkeleton({
    draft: own,
    graph,
    fetches: [{from, to, line: 3, collection: 'Services'}],
    sample: {key: 'a/b', app: 'x', restarts: 2, nodes: ['a']},
  });
  expect(text).toContain('corev1 "k8s.io/api/core/v1"');
  expect(text).toContain(
    'func NewPodsWithoutService(pods krt.Collection[*corev1.Pod], services krt.Collection[*corev1.Service], opts krt.OptionsBuilder) krt.Collection[PodsWithoutService] {',
  );
  expect(text).toContain('servicesByNamespace := krt.NewNamespaceIndex(services)');
  expect(text).toContain(
    'krt.Fetch(ctx, services, krt.FilterIndex(servicesByNamespace, pod.Namespace), krt.FilterSelectsNonEmpty(pod.Labels))',
  );
  expect(text).toContain('\tKey      string\n\tApp      string\n\tRestarts int\n\tNodes    []string\n}');
});

test('a collection of the reader’s own becomes a struct to fill in', () => {
  const own: Draft = {...draft('PodsWithoutService'), input: 'Workloads', code: '(ctx, workload) => null'};
  const text = goSkeleton({draft: own, graph, fetches: [], sample: undefined});
  expect(text).toContain('type Workload struct {');
  expect(text).toContain('krt.Collection[Workload]');
});

test('a Go skeleton translates names, labels, keys, constants and returns of nothing', () => {
  const code = `(ctx, it) => {
  const here = namespace(namespaceOf(it));
  const services = ctx.fetch(Services, here, label({app: nameOf(it), 'a/b': 'c'}));
  if (services.length === 0) return null;
  const node = ctx.fetchOne(Nodes, key(\`\${nameOf(it)}-x\`));
  if (node === undefined) return;
  if (it.spec.paused) return null;
  const all = ctx.fetch(Services, selects(labelsOf(it)));
  return {all: all.length};
}`;
  const fetches = [...code.matchAll(/ctx\.fetch(?:One)?\((\w+).*\)/g)].map(({index, 0: text, 1: name}) => ({
    from: index,
    to: index + text.length,
    line: 1,
    collection: name!,
  }));
  const text = goSkeleton({draft: {...draft('PodsWithoutService'), code}, graph, fetches, sample: undefined});
  expect(text).toContain(
    'servicesFound := krt.Fetch(ctx, services, krt.FilterIndex(servicesByNamespace, pod.Namespace), krt.FilterLabel(map[string]string{"app": pod.Name, "a/b": "c"}))',
  );
  expect(text).toContain('nodesFound2 := krt.FetchOne(ctx, nodes, krt.FilterKey(pod.Name + "-x"))');
  expect(text).toContain('krt.FilterSelects(pod.Labels)');
  expect(text).toContain('if len(servicesFound) == 0 {\n\t\t\treturn nil');
  expect(text).toContain('if nodesFound2 == nil {\n\t\t\treturn nil');
  expect(text).toContain('if false /* it.spec.paused */ {\n\t\t\treturn nil');
});
