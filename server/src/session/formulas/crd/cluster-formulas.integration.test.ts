// Formulas as objects of the demo's cluster, written as kubectl writes them: columns, status, versions, clashes.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {SavedFormula} from '@krtscope/shared/formulas.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {ApiFailure, SessionAnswer} from '@krtscope/shared/session.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {eventually} from '../../../../test/manual-clock.ts';
import type {FormulaObject} from '../../../cluster/formulas/resource.ts';
import {connect} from '../../../kube/client/connect.ts';
import type {DynamicClient} from '../../../kube/client/dynamic-client.ts';
import {readKubeconfig} from '../../../kube/credentials/kubeconfig.ts';
import {type Resource, resources} from '../../../kube/resource.ts';
import {TestInstance} from '../../../start/testing-instance.ts';

const folder = mkdtempSync(join(tmpdir(), 'krtscope-graph-'));
let instance: TestInstance;
let client: DynamicClient;

beforeAll(async () => {
  instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0', '--graph', folder]);
  await instance.ready();
  const {cluster} = await instance.json<SessionAnswer>('/api/v1/session');
  const config = readKubeconfig([cluster.kubeconfig ?? '']);
  client = connect({config, context: config.currentContext ?? '', readOnly: false});
  await until('the CRD', async () =>
    client.list(beta).then(
      () => true,
      () => false,
    ),
  );
});

afterAll(async () => {
  await client.transport.close();
  await instance.stop();
  rmSync(folder, {recursive: true, force: true});
});

/** Retries until it holds. */
const until = (what: string, holds: () => Promise<boolean>) =>
  eventually(what, holds, {every: 100, limit: 30_000});

const version = (name: string): Resource => ({
  group: 'krtscope.dev',
  version: name,
  plural: 'formulas',
  kind: 'Formula',
  namespaced: true,
});
const maplist = resources.ConfigMaps;
const beta = version('v1beta1');
const alpha = version('v1alpha1');

const formula = (name: string, spec: object, apiVersion = 'krtscope.dev/v1beta1') => ({
  apiVersion,
  kind: 'Formula',
  metadata: {name, namespace: 'default'},
  spec,
});
const apply = (object: ReturnType<typeof formula>, resource = beta) =>
  client.apply(resource, object, {fieldManager: 'kubectl', force: true});
const read = async (name: string, resource = beta) =>
  (await client.get(resource, {namespace: 'default', name})) as FormulaObject;
const ready = async (name: string) =>
  (await read(name)).status?.conditions?.find(one => one.type === 'Ready');

test('applied, it is a collection; its status says so, and kubectl prints it', async () => {
  await apply(
    formula('by-node', {name: 'ByNode', input: 'Pods', code: '(ctx, pod) => ({node: pod.spec.nodeName})'}),
  );
  await until('ready', async () => (await ready('by-node'))?.status === 'True');
  const {status} = await read('by-node');
  const {total} = await instance.json<Items>('/api/v1/collections/ByNode/items?limit=1');
  expect(total).toBeGreaterThan(20);
  expect(status).toMatchObject({items: total, failed: 0, errors: [], observedGeneration: 1});
  const table = (await client.list(beta, {as: 'table'})) as unknown as {
    columnDefinitions: {name: string; priority: number}[];
    rows: {cells: unknown[]}[];
  };
  const shown = table.columnDefinitions.filter(one => one.priority === 0).map(one => one.name);
  expect(shown).toEqual(['Name', 'Collection', 'Input', 'Ready', 'Items', 'Error', 'Age']);
  expect(table.rows[0]?.cells.slice(0, 5)).toEqual(['by-node', 'ByNode', 'Pods', 'True', total]);
});

test('parameters stand in the object, and an edit of one changes the rows', async () => {
  const spec = (params: Record<string, unknown>) => ({
    name: 'Priced',
    code: "(ctx) => ({cost: param('price', 1) * 10})",
    params,
  });
  const cost = async () =>
    (await instance.json<Items>('/api/v1/collections/Priced/items?limit=1')).items[0]?.value;
  await apply(formula('priced', spec({price: 0.5})));
  await until('ready', async () => (await ready('priced'))?.status === 'True');
  expect(await cost()).toMatchObject({cost: 5});
  await apply(formula('priced', spec({price: 2})));
  await until('its new value', async () => ((await cost()) as {cost: number}).cost === 20);
  await apply(formula('priced', spec({price: 'much'})));
  await until('failing', async () => (await ready('priced'))?.reason === 'Failing');
});

test('through the API it can be read, and is changed and deleted in the cluster alone', async () => {
  expect(await instance.json<SavedFormula>('/api/v1/formulas/ByNode')).toMatchObject({
    state: 'live',
    input: 'Pods',
  });
  for (const [method, body] of [
    ['PUT', {code: '(ctx, pod) => 1'}],
    ['DELETE', undefined],
  ] as const) {
    const answer = await instance.get('/api/v1/formulas/ByNode', {
      method,
      headers: {'content-type': 'application/json'},
      ...(body && {body: JSON.stringify(body)}),
    });
    const said = (await answer.json()) as ApiFailure;
    expect([answer.status, said.code]).toEqual([409, 'kept-in-cluster']);
  }
});

test('an edit is taken, and what is wrong with it stands in its status with the line', async () => {
  await apply(
    formula('broken', {name: 'Broken', input: 'Pods', code: '(ctx, pod) => ({\n  a: 1,\n  b: }\n)'}),
  );
  await until('failing', async () => (await ready('broken'))?.reason === 'Failing');
  expect((await read('broken')).status?.errors?.[0]).toMatchObject({line: 3});
  await apply(formula('broken', {name: 'Broken', input: 'Pods', code: '(ctx, pod) => ({a: 1})'}));
  await until('mended', async () => (await ready('broken'))?.status === 'True');
  expect((await read('broken')).status?.errors).toEqual([]);
});

test('v1alpha1 and v1beta1 are one object; a paused one is no collection', async () => {
  const spec = {name: 'Old', code: '(ctx) => ({key: "static", pods: ctx.fetch(Pods).length})', paused: true};
  await apply(formula('old', spec, 'krtscope.dev/v1alpha1'), alpha);
  await until('suspended', async () => (await ready('old'))?.reason === 'Suspended');
  expect((await read('old')).spec).toMatchObject({name: 'Old', suspend: true});
  await client.patch(beta, {namespace: 'default', name: 'old'}, {spec: {suspend: false}}, {type: 'merge'});
  await until('ready', async () => (await ready('old'))?.status === 'True');
  expect((await read('old', alpha)).spec).toMatchObject({name: 'Old', paused: false});
});

test('of two with one name the older wins; a file wins over both, and gives the name back', async () => {
  await apply(formula('twin', {name: 'ByNode', input: 'Pods', code: '(ctx, pod) => ({twin: true})'}));
  await until('refused', async () => (await ready('twin'))?.reason === 'NameTaken');
  expect((await ready('twin'))?.message).toContain('default/by-node');
  await apply(formula('pods', {name: 'Pods', input: 'Nodes', code: '(ctx, node) => ({n: 1})'}));
  await until('not accepted', async () => (await ready('pods'))?.reason === 'NameTaken');
  expect((await ready('pods'))?.message).toBe('a collection Pods already exists');
  const file = join(folder, 'ByNode.ts');
  writeFileSync(file, "export default formula({input: 'Pods'}, (ctx, pod) => ({file: true}))\n");
  await until('the file wins', async () => (await ready('by-node'))?.reason === 'KeptInFile');
  expect((await ready('by-node'))?.message).not.toContain(folder);
  const value = async () =>
    (await instance.json<Items>('/api/v1/collections/ByNode/items?limit=1')).items[0]?.value;
  await until('its rows', async () => ((await value()) as {file?: boolean}).file === true);
  rmSync(file);
  await until('back', async () => (await ready('by-node'))?.status === 'True');
  expect(await value()).toHaveProperty('node');
});

test('rows that are objects are kept in the cluster, after a dry run that says what would be written', async () => {
  const code = `(ctx, ns) => ({
  apiVersion: 'v1', kind: 'ConfigMap',
  metadata: {namespace: ns.metadata.name, name: 'pods-here'},
  data: {pods: String(ctx.fetch(Pods, namespace(ns.metadata.name)).length)},
})`;
  const spec = (mode: string) => ({
    name: 'PodsHere',
    input: 'Namespaces',
    code,
    apply: {mode, kinds: ['v1/ConfigMap']},
  });
  const applied = async () =>
    (await read('pods-here')).status?.conditions?.find(one => one.type === 'Applied');
  const maps = async () =>
    (await client.list(maplist, {labelSelector: 'krtscope.dev/applied-by=krtscope-PodsHere'})).items;
  await apply(formula('pods-here', spec('DryRun')));
  await until('a dry run', async () => ((await read('pods-here')).status?.applied ?? []).length > 4);
  expect((await applied())?.reason).toBe('DryRun');
  expect((await read('pods-here')).status?.applied?.[0]).toMatchObject({
    kind: 'ConfigMap',
    state: 'would-create',
  });
  expect(await maps()).toEqual([]);
  await apply(formula('pods-here', spec('Apply')));
  await until('applied', async () => (await applied())?.status === 'True');
  const shop = (await maps()).find(one => one.metadata.namespace === 'shop');
  const {items: pods} = await client.list(resources.Pods, {namespace: 'shop'});
  expect(shop?.data).toEqual({pods: String(pods.length)});
  expect(shop?.metadata.managedFields?.map(one => one.manager)).toEqual(['krtscope-PodsHere']);
  await client.delete(maplist, {namespace: 'shop', name: 'pods-here'});
  await until('made again', async () => (await maps()).some(one => one.metadata.namespace === 'shop'));
  const code2 = code.replace('(ctx, ns) => (', "(ctx, ns) => ns.metadata.name === 'web' ? null : (");
  await apply(formula('pods-here', {...spec('Apply'), code: code2}));
  await until('pruned', async () => (await maps()).every(one => one.metadata.namespace !== 'web'));
});

test('deleted, the collection goes', async () => {
  await client.delete(beta, {namespace: 'default', name: 'twin'});
  await client.delete(beta, {namespace: 'default', name: 'by-node'});
  await until('gone', async () => (await instance.get('/api/v1/formulas/ByNode')).status === 404);
});
