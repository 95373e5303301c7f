// Drafts on a running demo: good and hostile ones, while everything else continues.
import type {Preview} from '@krtscope/shared/formulas.ts';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {TestInstance} from '../../../start/testing-instance.ts';

let instance: TestInstance;

beforeAll(async () => {
  instance = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '1']);
  await instance.ready();
});
afterAll(() => instance.stop());

async function post(path: string, body: unknown): Promise<{status: number; body: unknown}> {
  const answer = await instance.get(`/api/v1${path}`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(body),
  });
  return {status: answer.status, body: await answer.json()};
}

async function preview(body: object): Promise<Preview> {
  const {status, body: said} = await post('/formulas/preview', body);
  expect([status, said]).toEqual([200, said]);
  return said as Preview;
}

const graph = () =>
  instance.json<{sequence: number; collections: {name: string; size: number}[]}>('/api/v1/graph');

test('rows, fetches, counts and checks', async () => {
  const code = `(ctx, pod) => ({
    node: pod.spec.nodeName,
    services: ctx.fetch(Services, namespace(pod.metadata.namespace),
      selectsNonEmpty(pod.metadata.labels)).map(nameOf),
    onNode: ctx.fetch(Pods, index(Pods, 'spec.nodeName', pod.spec.nodeName)).length,
    workload: ctx.fetchOne(Workloads, key(keyOf(pod)))?.owner,
  })`;
  const {rows, total, tried, failed, checks} = await preview({code, input: 'Pods', limit: 5});
  const {collections} = await graph();
  expect(total).toBeGreaterThan(20);
  expect(Math.abs(total - (collections.find(({name}) => name === 'Pods')?.size ?? 0))).toBeLessThan(10);
  expect([rows.length, tried, failed]).toEqual([5, 5, 0]);
  const [row] = rows;
  expect(row?.items).toEqual([
    {
      node: expect.any(String),
      services: expect.any(Array),
      onNode: expect.any(Number),
      workload: expect.anything(),
    },
  ]);
  expect(
    row?.fetches.map(({collection, filter, line, via}) => [collection, filter.split(' ')[0], line, via.kind]),
  ).toEqual([
    ['Services', 'namespace', 3, 'index'],
    ['Pods', 'index', 5, 'index'],
    ['Workloads', 'key', 6, 'index'],
  ]);
  expect(row?.fetches[1]?.matched).toBeGreaterThan(0);
  expect(row?.ms).toBeGreaterThan(0);
  expect(row?.reads).toContain('spec.nodeName');
  expect(checks.map(({code: check, holds}) => `${check} ${holds}`)).toEqual([
    'pure true',
    'deterministic true',
    'input-unchanged true',
    'unique-keys true',
    'indexed true',
    'cost true',
    'fan-out true',
  ]);
});

test('all rows without a limit, chosen ones by key, a singleton without an input', async () => {
  const all = await preview({code: '(ctx, pod) => pod.metadata.name.length', input: 'Pods'});
  expect(all.tried).toBe(all.total);
  const keys = all.rows.slice(3, 5).map(({input}) => input);
  const two = await preview({code: '(ctx, pod) => ({at: keyOf(pod)})', input: 'Pods', keys});
  expect(two.rows.map(({items}) => items)).toEqual(keys.map(at => [{at}]));
  const one = await preview({code: '(ctx) => ({pods: ctx.fetch(Pods).length})'});
  expect(one.rows[0]?.items[0]).toEqual({pods: expect.any(Number)});
  const many = await preview({
    code: '(ctx, p) => p.spec.containers.map(c => ({key: keyOf(p) + "/" + c.name, image: c.image}))',
    input: 'Pods',
    kind: 'many',
    limit: 3,
  });
  expect(many.rows[0]?.items[0]).toMatchObject({image: expect.any(String)});
});

test('of many rows those that fail come first', async () => {
  const {rows, failed} = await preview({
    code: '(ctx, pod) => { if (pod.metadata.namespace === "shop") throw new Error("shop"); return 1; }',
    input: 'Pods',
  });
  expect(failed).toBeGreaterThan(0);
  expect(rows.slice(0, failed).every(({error}) => error?.message === 'shop')).toBe(true);
});

test('a shadow counts what is the same and shows what is not', async () => {
  const same = await preview({
    code: '(ctx, w) => ({...w})',
    input: 'Workloads',
    shadow: 'Workloads',
  });
  expect(same.shadow).toMatchObject({different: 0, onlyDraft: 0, onlyOther: 0});
  expect(same.shadow?.same).toBe(same.total);
  const other = await preview({
    code: '(ctx, w) => w.node.endsWith("1") ? null : ({...w, owner: "x"})',
    input: 'Workloads',
    shadow: 'Workloads',
  });
  expect(other.shadow?.different).toBeGreaterThan(0);
  expect(other.shadow?.rows[0]).toMatchObject({state: expect.stringMatching(/different|onlyOther/)});
});

test('checks say what does not hold', async () => {
  const failing = async (code: string, extra: object = {}) => {
    const {checks} = await preview({code, input: 'Pods', ...extra});
    return checks.filter(({holds}) => !holds).map(({code: check}) => check);
  };
  expect(await failing('(ctx, p) => ({key: "same"})')).toEqual(['unique-keys']);
  expect(await failing('(ctx, p) => ({n: ctx.fetch(Services).length})')).toEqual(['indexed']);
  expect(await failing('(ctx, p) => ({n: ctx.fetch(Services, generic(s => s.spec)).length})')).toEqual([
    'indexed',
  ]);
  expect(await failing('(ctx, p) => { p.x = 1 }')).toEqual(['input-unchanged']);
});

test('code that cannot be is refused with its places', async () => {
  const refused = async (code: string) => {
    const {status, body} = await post('/formulas/preview', {code, input: 'Pods'});
    return {status, ...(body as {code: string; errors: {line: number; column: number; message: string}[]})};
  };
  expect(await refused('(ctx, p) => {\n  return await p;\n}')).toMatchObject({
    status: 422,
    code: 'bad-formula',
    errors: [{line: 2}],
  });
  expect(await refused('(ctx, p) =>\n  ctx.fetch(Nothings)')).toMatchObject({
    status: 422,
    errors: [{line: 2, column: 13, message: expect.stringContaining('Nothings')}],
  });
  expect((await post('/formulas/preview', {input: 'Pods'})).status).toBe(400);
  expect((await post('/formulas/preview', {code: '(ctx) => 1', kind: 'one'})).status).toBe(400);
  expect((await post('/formulas/preview', {code: '(ctx) => 1', input: 'Nothings'})).status).toBe(404);
});

/** Each fails only that draft: at a row, or as 422 with its place. */
const hostile: Record<string, string> = {
  'an endless loop': '(ctx) => { for (;;); }',
  'an endless loop that catches': '(ctx) => { for (;;) try { for (;;); } catch {} finally { continue } }',
  'a catastrophic regular expression': '(ctx) => /^(a+)+$/.test("a".repeat(40) + "!")',
  'deep recursion': '(ctx) => { const f = () => f() + f(); return f() }',
  'recursion that catches':
    '(ctx) => { const f = n => { try { f(n + 1) } catch { f(n) } finally { f(n) } }; for (;;) f(0) }',
  'a string bomb': '(ctx) => { let s = "x"; for (;;) s += s + s; }',
  'a long string': '(ctx) => ({a: "x".repeat(2 ** 28)})',
  'a split string': "(ctx) => 'x'.repeat(2 ** 28).split('')",
  'an array bomb': '(ctx) => { const a = []; for (;;) a.push(new Array(1e6).fill(a)) }',
  'an array of builtins': '(ctx) => new Array(2 ** 27).fill().concat().map(() => 1)',
  'a Map bomb': '(ctx) => { const m = new Map(); for (let i = 0; ; i++) m.set(i, new Array(1000).fill(i)) }',
  'an ArrayBuffer bomb': '(ctx) => { const a = []; for (;;) a.push(new ArrayBuffer(1e9)) }',
  'an ArrayBuffer by another way': '(ctx) => new (Reflect.getPrototypeOf(Uint8Array))(9)',
  'a BigInt bomb': '(ctx) => { let n = 3n; for (;;) n *= n }',
  'a BigInt power': '(ctx) => String(7n ** 90000000n).length',
  'constructor.constructor': '(ctx, i) => i.constructor.constructor("return process")().exit()',
  'prototype pollution': '(ctx) => { Object.prototype.polluted = 1 }',
  'pollution of a list': '(ctx) => { [].__proto__.map = () => 1 }',
  'changing its input': '(ctx, i) => { i.metadata.name = "x" }',
  'changing what it fetched': '(ctx, i) => { ctx.fetch(Pods)[0].metadata.labels.x = "y" }',
  'state on globals': '(ctx) => { globalThis.n = 1 }',
  'state on this': '(ctx) => { this.n = 1 }',
  'state on itself': 'function f(ctx) { f.n = 1 }',
  'a getter as a result': '(ctx) => ({get a() { return 1 }})',
  'toJSON as a result': '(ctx) => ({toJSON: () => 1})',
  'a proxy as a result': '(ctx) => new Proxy({}, {})',
  'a million outputs': '(ctx) => Array.from({length: 1e6}, (_, i) => ({key: "k" + i}))',
  'a result that is not JSON': '(ctx) => ({a: new Map()})',
  'a result in a circle': '(ctx) => { const a = {}; a.a = a; return a }',
  'an empty key': '(ctx) => ({key: ""})',
  'throwing a text': '(ctx) => { throw "no" }',
  'throwing null': '(ctx) => { throw null }',
  'throwing a trap': '(ctx) => { throw {get message() { for (;;); }, toString() { for (;;); }} }',
  'import()': "(ctx) => import('node:fs')",
  'import in a text': "(ctx) => 'import(x)'",
  async: 'async (ctx) => 1',
  generators: '(ctx) => { function* g() {} return [...g()] }',
  Date: '(ctx) => ({at: Date.now()})',
  'Date by another name': '(ctx) => { const D = Date; return {at: D.now()} }',
  'Math.random': '(ctx) => ({n: Math.random()})',
  'Math.random by another name': '(ctx) => { const {random} = Math; return {n: random()} }',
  'sorting without end':
    '(ctx) => Array.from({length: 9e5}, (_, i) => i % 7).sort(() => { for (const x of "abc") x; return 1 })',
  'JSON without end': '(ctx) => { let a = "[" + "1,".repeat(2 ** 22) + "1]"; for (;;) JSON.parse(a) }',
  'deep members': `(ctx, p) => p${'.a'.repeat(8000)}`,
  'deep calls': `(ctx, p) => p${'()'.repeat(8000)}`,
  'deep lists': `(ctx, p) => ${'['.repeat(8000)}${']'.repeat(8000)}`,
  'deep negations': `(ctx, p) => ({a: ${'!'.repeat(60_000)}p.a.b.c})`,
  'a fetch that calls itself':
    '(ctx) => ctx.fetch(Pods, generic(() => ctx.fetch(Pods, generic(() => { for (;;); })))) ',
};

describe('a hostile draft gets an error of its own', () => {
  test.each(Object.entries(hostile))('%s', async (name, code) => {
    const kind = name.includes('outputs') ? 'many' : 'one';
    const before = await graph();
    const asked = post('/formulas/preview', {code, input: 'Pods', kind, limit: 3});
    // All other questions are answered in the meantime.
    expect((await instance.get('/api/v1/session')).status).toBe(200);
    const {status, body} = await asked;
    if (status === 422) expect(body).toMatchObject({code: 'bad-formula', errors: [{line: 1}]});
    else {
      const {rows, failed} = body as Preview;
      expect([status, failed]).toEqual([200, expect.any(Number)]);
      expect(failed).toBeGreaterThan(0);
      expect(rows[0]?.error?.message).toMatch(/\w/);
      expect(rows[0]?.items).toEqual([]);
    }
    expect((await graph()).sequence).toBeGreaterThanOrEqual(before.sequence);
  });

  test('and mended it works again, with nothing polluted and no engine restarted', async () => {
    const {rows, failed} = await preview({
      code: '(ctx, i) => ({p: ({}).polluted ?? "clean"})',
      input: 'Pods',
      limit: 2,
    });
    expect([failed, rows[0]?.items]).toEqual([0, [{p: 'clean'}]]);
    expect(instance.stderr).not.toMatch(/died|restart/);
  });
});
