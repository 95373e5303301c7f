// What formula authors use beyond fetches, on a running demo: parameters, the clock, root owners, sources of a draft.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ModuleState, Preview, PreviewRow, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {ApiFailure} from '@krtscope/shared/session.ts';
import type {Why} from '@krtscope/shared/why.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {until} from '../../engine/testing-engine.ts';
import {TestInstance} from '../../start/testing-instance.ts';
import {queryInstance} from './testing-queries.ts';

let instance: TestInstance;
const folder = mkdtempSync(join(tmpdir(), 'krtscope-author-'));

beforeAll(async () => {
  instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0', '--graph', folder]);
  await instance.ready();
});
afterAll(async () => {
  await instance.stop();
  rmSync(folder, {recursive: true, force: true});
});

async function send<T>(method: string, path: string, body: unknown): Promise<{status: number; body: T}> {
  const answer = await instance.get(`/api/v1${path}`, {
    method,
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(body),
  });
  return {status: answer.status, body: (await answer.json()) as T};
}

const {node} = queryInstance(() => instance);
const rows = async (name: string) =>
  (await instance.json<Items>(`/api/v1/collections/${name}/items?limit=1000`)).items;

const PRICE = `(ctx, ns) => ({cost: param('price', 2) * ctx.fetch(Pods, namespace(ns.metadata.name)).length})`;

test('a parameter has its default in the code and its value beside it', async () => {
  const draft = await send<Preview>('POST', '/formulas/preview', {code: PRICE, input: 'Namespaces'});
  expect(draft.body.params).toEqual([{name: 'price', default: 2, value: 2}]);
  const changed = {code: PRICE, input: 'Namespaces', params: {price: 5}};
  const cost = ({rows: [first]}: Preview) =>
    (first as PreviewRow).items.map(one => (one as {cost: number}).cost)[0] ?? 0;
  expect(cost((await send<Preview>('POST', '/formulas/preview', changed)).body)).toBe(
    (cost(draft.body) / 2) * 5,
  );

  const kept = await send<SavedFormula>('POST', '/formulas', {name: 'Cost', ...changed});
  expect(kept).toMatchObject({status: 201, body: {params: [{name: 'price', default: 2, value: 5}]}});
  expect(readFileSync(join(folder, 'Cost.ts'), 'utf8')).toContain(
    `{input: 'Namespaces', params: {price: 5}}`,
  );
  const shop = async () => (await rows('Cost')).find(({key}) => key === 'shop')?.value as {cost: number};
  const atFive = (await shop()).cost;

  // A change of the value alone keeps the code, and runs the formula again.
  const put = await send<SavedFormula>('PUT', '/formulas/Cost', {params: {price: 10}});
  expect(put.body).toMatchObject({code: PRICE, input: 'Namespaces', params: [{value: 10}]});
  await until(async () => (await shop()).cost === atFive * 2 || undefined);
  // A change in the file does the same.
  const file = join(folder, 'Cost.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace('price: 10', 'price: 1'));
  await until(async () => (await shop()).cost === atFive / 5 || undefined);
  // A code that lost its parameter still saves: the old value is ignored.
  const without = await send<SavedFormula>('PUT', '/formulas/Cost', {code: '(ctx, ns) => ({cost: 1})'});
  expect(without).toMatchObject({status: 200});
});

test('parameters that do not fit are refused with words', async () => {
  const refusal = async (code: string, params?: object) => {
    const {status, body} = await send<ApiFailure & {errors: {message: string}[]}>(
      'POST',
      '/formulas/preview',
      {
        code,
        input: 'Namespaces',
        params,
      },
    );
    return [status, body.errors[0]?.message];
  };
  expect(await refusal(PRICE, {prise: 1})).toEqual([422, 'the code has no parameter "prise"; it has price']);
  expect(await refusal(PRICE, {price: 'much'})).toEqual([
    422,
    'the parameter price is a number, and "much" is a string',
  ]);
  expect(await refusal('(ctx, ns) => ({x: param("a", 1e400)})')).toEqual([
    422,
    "param expects a name and a default, both literals: param('price', 0.04)",
  ]);
  expect(await refusal('(ctx, ns) => ({x: param("a" + 1, 2)})')).toEqual([
    422,
    "param expects a name and a default, both literals: param('price', 0.04)",
  ]);
  expect(await refusal("(ctx, ns) => ({x: param('a', 1) + param('a', 2)})")).toEqual([
    422,
    'the parameter a has two defaults, 1 and 2',
  ]);
});

test('ctx.minute() reads a clock that is a source like any other', async () => {
  expect(await node('Clock')).toBe(undefined);
  const code =
    '(ctx, pod) => ({minutes: Math.floor((ctx.minute() - time(pod.metadata.creationTimestamp)) / 60_000)})';
  const draft = await send<Preview>('POST', '/formulas/preview', {code, input: 'Pods', limit: 3});
  expect(draft.body).toMatchObject({
    failed: 0,
    rows: [{fetches: [{collection: 'Clock', matched: 1}]}, {}, {}],
  });
  const kept = await send<SavedFormula>('POST', '/formulas', {name: 'Age', code, input: 'Pods'});
  expect(kept).toMatchObject({status: 201, body: {state: 'live', failed: 0}});
  const [first] = await rows('Age');
  expect((first as Items['items'][number]).value).toHaveProperty('minutes');
  expect((first as {value: {minutes: number}}).value.minutes).toBeGreaterThanOrEqual(-1);
  expect(await node('Clock')).toMatchObject({kind: 'source', size: 1, synced: true});
  // The instance stays ready: the clock counts as current.
  expect((await instance.get('/readyz')).status).toBe(200);
  const why = await instance.json<Why>(`/api/v1/why/Age/${encodeURIComponent(first?.key ?? '')}`);
  expect(why.outcome).toBe('added');
});

test('rootOwner finds the Deployment of a Pod, and label takes a selector with expressions', async () => {
  const code = `(ctx, pod) => ({
    owner: rootOwner(pod),
    carts: ctx.fetch(Pods, namespace(pod.metadata.namespace), label({
      matchLabels: {}, matchExpressions: [{key: 'app', operator: 'In', values: ['cart', 'catalog']}],
    })).map(one => one.metadata.labels?.app),
  })`;
  const {body} = await send<Preview>('POST', '/formulas/preview', {code, input: 'Pods', limit: 1000});
  expect(body.failed).toBe(0);
  const found = body.rows.map(
    row => [row.input, row.items[0] as {owner?: {kind: string}; carts: string[]}] as const,
  );
  const cart = found.find(([key]) => key.startsWith('shop/cart-'))?.[1];
  expect(cart?.owner).toEqual({kind: 'Deployment', name: 'cart'});
  expect(new Set(cart?.carts)).toEqual(new Set(['cart', 'catalog']));
  const wrong = `(ctx, pod) => ctx.fetch(Pods, label({matchExpressions: [{key: 'app', operator: 'Near', values: []}]}))`;
  const failed = await send<Preview>('POST', '/formulas/preview', {code: wrong, input: 'Pods', limit: 1});
  expect(failed.body.rows[0]?.error?.message).toContain('not "Near"');
});

test('a draft may name sources that it needs', async () => {
  const code = '(ctx, job) => ({active: job.status?.active ?? 0})';
  const without = await send<ApiFailure>('POST', '/formulas/preview', {code, input: 'CronJobs'});
  expect(without.status).toBe(404);
  const draft = {code, input: 'CronJobs', sources: ['cronjobs']};
  const {status, body} = await send<Preview>('POST', '/formulas/preview', draft);
  expect([status, body.failed]).toEqual([200, 0]);
  expect(await node('CronJobs')).toMatchObject({kind: 'source'});
});

test('a group collection is made for a draft or a formula that names it, and goes with it', async () => {
  const name = 'Pods by metadata.labels["app"]';
  const code = '(ctx, group) => ({pods: group.objects.length})';
  const draft = await send<Preview>('POST', '/formulas/preview', {code, input: name, limit: 100});
  expect([draft.status, draft.body.failed]).toEqual([200, 0]);
  const pods = (await rows('Pods')).map(({value}) => value as {metadata: {labels?: {app?: string}}});
  const carts = pods.filter(({metadata}) => metadata.labels?.app === 'cart').length;
  expect(draft.body.rows.find(({input}) => input === 'cart')?.items).toEqual([{pods: carts}]);
  expect(await node(name)).toMatchObject({kind: 'index', synced: true});

  const kept = await send<SavedFormula>('POST', '/formulas', {name: 'ByApp', code, input: name});
  expect([kept.status, kept.body.state]).toEqual([201, 'live']);
  expect((await rows('ByApp')).find(({key}) => key === 'cart')?.value).toEqual({pods: carts});
  const why = await instance.json<Why>('/api/v1/why/ByApp/cart');
  expect(why.outcome).toBe('added');
  // A fetch reads the same collection.
  const reader =
    "(ctx, ns) => ctx.fetchOne(collection('Pods by metadata.namespace'), key(nameOf(ns)))?.objects.length ?? 0";
  const fetched = await send<Preview>('POST', '/formulas/preview', {code: reader, input: 'Namespaces'});
  expect([fetched.status, fetched.body.failed]).toEqual([200, 0]);

  // The group of a formula does not keep that formula from being deleted, unless another formula reads the group.
  const rowsByCount = {name: 'Counts', input: 'ByApp by pods', code: '(ctx, group) => group.objects.length'};
  const counts = await send<SavedFormula & ApiFailure>('POST', '/formulas', rowsByCount);
  expect([counts.status, counts.body.message]).toEqual([201, undefined]);
  const remove = async (formula: string) => {
    const answer = await instance.get(`/api/v1/formulas/${formula}`, {method: 'DELETE'});
    return answer.status;
  };
  const circle = {code: '(ctx, group) => ({pods: ctx.fetch(Counts).length})'};
  expect((await send('PUT', '/formulas/ByApp', circle)).status).toBe(422);
  expect(await remove('ByApp')).toBe(409);
  expect(await remove('Counts')).toBe(204);
  expect(await remove('ByApp')).toBe(204);
  expect(await node('ByApp by pods')).toBe(undefined);

  // Neither does the group of a draft keep its source.
  await send('POST', '/sources', {resource: 'leases.coordination.k8s.io'});
  const leases = await send<Preview>('POST', '/formulas/preview', {
    code,
    input: 'Leases by spec.holderIdentity',
  });
  expect([leases.status, leases.body.failed]).toEqual([200, 0]);
  expect((await instance.get('/api/v1/sources/Leases', {method: 'DELETE'})).status).toBe(204);
  const nowhere = await send<ApiFailure>('POST', '/formulas/preview', {code, input: 'Nowhere by x'});
  expect([nowhere.status, nowhere.body.code]).toEqual([404, 'unknown-collection']);
  expect(await node('Nowhere by x')).toBe(undefined);
});

test('helpers.ts is shared by the formulas of the folder, and a change of it runs those that use it again', async () => {
  const helpers = join(folder, 'helpers.ts');
  writeFileSync(
    helpers,
    `export const factor = 2;
export function podsOf(ctx: Context, ns: string) {
  return ctx.fetch(Pods, namespace(ns)).length * factor;
}
export const unused = (n: number) => n;
`,
  );
  const listed = async () => {
    const {modules} = await instance.json<{modules: ModuleState[]}>('/api/v1/formulas');
    return modules.find(({name}) => name === 'helpers.ts');
  };
  await until(async () => ((await listed())?.state === 'live' ? true : undefined));
  const code = '(ctx, ns) => ({pods: podsOf(ctx, nameOf(ns))})';
  const draft = await send<Preview>('POST', '/formulas/preview', {code, input: 'Namespaces'});
  expect([draft.status, draft.body.failed]).toEqual([200, 0]);
  expect(draft.body.rows[0]?.fetches).toMatchObject([{collection: 'Pods', line: 1}]);
  const kept = await send<SavedFormula>('POST', '/formulas', {name: 'PodsOf', code, input: 'Namespaces'});
  expect([kept.status, kept.body.state]).toEqual([201, 'live']);
  const shop = async () =>
    ((await rows('PodsOf')).find(({key}) => key === 'shop')?.value as {pods: number} | undefined)?.pods;
  const twice = (await shop()) ?? 0;
  expect(twice).toBeGreaterThan(0);
  const types = await instance.json<{text: string}>('/api/v1/types?collections=Pods');
  expect(types.text).toContain('declare function podsOf(ctx: Context, ns: string)');

  const text = readFileSync(helpers, 'utf8');
  writeFileSync(helpers, text.replace('factor = 2', 'factor = 6'));
  await until(async () => (await shop()) === twice * 3 || undefined);
  const {run} = await instance.json<Why>('/api/v1/why/PodsOf/shop');
  expect(run?.causes.map(({kind}) => kind)).toEqual(['formula']);
  // A text that is saved half-way keeps the last good one.
  writeFileSync(helpers, text.slice(0, 60));
  await until(async () => ((await listed())?.state === 'failing' ? true : undefined));
  expect((await listed())?.error?.message).not.toBe('');
  expect(await shop()).toBe(twice * 3);
  // Without the file its formula waits for the name.
  rmSync(helpers);
  const state = async () => (await send<SavedFormula>('GET', '/formulas/PodsOf', undefined)).body;
  await until(async () => ((await state()).error?.message === 'waits for podsOf' ? true : undefined));
  writeFileSync(helpers, text);
  await until(async () => (await shop()) === twice || undefined);
  const taken = await send<ApiFailure>('POST', '/formulas', {name: 'helpers', code, input: 'Namespaces'});
  expect(taken.status).toBe(422);
});
