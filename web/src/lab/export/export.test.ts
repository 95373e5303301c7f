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

test('a module imports only the words it says, under the names the formula uses', () => {
  const text = typescriptModule(draft('PodsWithoutService'), ['Pods', 'Services', 'Nodes']);
  expect(text).toContain(
    "import {fetch, fetchOne, filterNamespace as namespace, filterSelectsNonEmpty as selectsNonEmpty, newCollection, type Collection, type Filter, type HandlerContext} from 'krtscope/krt';",
  );
  expect(text).toContain('const Services = collection("Services");');
  expect(text).not.toContain('const Nodes');
  expect(text).toContain('const keyOf =');
  expect(text).toContain('const nameOf =');
  expect(text).not.toContain('const quantity');
  expect(text).toContain(
    'newCollection(collection("Pods"), (handler, item) => formula(face(handler), item), {name: "PodsWithoutService"})',
  );
});

test('an index of a module is made as graph modules make one, and its words have types', () => {
  const own = {
    ...draft('PodsWithoutService'),
    input: 'Nodes',
    code: "(ctx, node) => ctx.fetch(Pods, index(Pods, 'spec.nodeName', nameOf(node))).length",
  };
  const text = typescriptModule(own, ['Pods', 'Nodes']);
  expect(text).toContain('newIndex(from, id, item =>');
  expect(text).toContain('export function build({collection}: GraphModule) {');
  expect(text).toContain('item: Items["Nodes"]) => unknown');
  expect(text).toContain('const nameOf = (item: any) =>');
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
