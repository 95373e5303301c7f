// Saved formulas over an attached program: they follow its documents, their rows are asked for like others, and they
// come back after the engine process is gone, after the program is gone, and in a new session of the same name.
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import type {SavedFormula} from '@krtscope/shared/formulas.ts';
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {ApiFailure, SessionAnswer} from '@krtscope/shared/session.ts';
import type {Why} from '@krtscope/shared/why.ts';
import express from 'express';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {WrittenCollection} from '../../attach/testing-documents.ts';
import {parseConfig} from '../../config.ts';
import {until} from '../../engine/testing-engine.ts';
import {apiRouter} from '../../http/api.ts';
import {failureHandler} from '../../http/failure.ts';
import {SessionList} from '../session-list.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-attached-formulas-'));
const SESSION = 'attached:shop';
let document: WrittenCollection[] | undefined;
let program: Server;
let api: Server;
let base = '';
let sessions: SessionList;
let krtz = '';

const listening = (server: Server): Promise<string> =>
  new Promise(resolve => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });

/** Pods of an informer, and a count of them by node, as istiod would write them. */
const documentOf = (nodes: Record<string, string>): WrittenCollection[] => [
  {
    name: 'informer/Pods',
    uid: 1,
    state: {
      outputs: Object.fromEntries(
        Object.entries(nodes).map(([name, node]) => [`shop/${name}`, {spec: {nodeName: node}}]),
      ),
      synced: true,
    },
  },
  {
    name: 'own/Workloads',
    uid: 2,
    state: {
      inputCollection: 'informer/Pods',
      inputs: Object.fromEntries(
        Object.keys(nodes).map(name => [`shop/${name}`, {outputs: [`Kubernetes//Pod/shop/${name}`]}]),
      ),
      outputs: Object.fromEntries(
        Object.entries(nodes).map(([name, node]) => [
          `Kubernetes//Pod/shop/${name}`,
          {Workload: {name, namespace: 'shop', node}},
        ]),
      ),
      synced: true,
    },
  },
];

const serve = (nodes: Record<string, string>) => {
  document = documentOf(nodes);
};

async function openSessions(): Promise<void> {
  sessions = new SessionList(parseConfig(['--data-dir', dataDir], {}).config, 'test');
  api = createServer(express().use(apiRouter(sessions)).use(failureHandler));
  base = await listening(api);
}
async function closeSessions(): Promise<void> {
  await sessions.stop();
  api.closeAllConnections();
  api.close();
}

beforeAll(async () => {
  program = createServer((_req, res) => {
    if (document === undefined) res.writeHead(500).end('json: unsupported type');
    else res.end(JSON.stringify(document));
  });
  krtz = `${await listening(program)}/debug/krtz`;
  await openSessions();
});
afterAll(async () => {
  await closeSessions();
  program.closeAllConnections();
  program.close();
  rmSync(dataDir, {recursive: true});
});

async function send<T>(method: string, path: string, body?: unknown): Promise<{status: number; body: T}> {
  const response = await fetch(`${base}${path}${path.includes('?') ? '&' : '?'}session=${SESSION}`, {
    method,
    headers: {'content-type': 'application/json'},
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  });
  const text = await response.text();
  return {status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T};
}
const get = async <T>(path: string): Promise<T> => {
  const {status, body} = await send<T>('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body;
};
const now = () => send('POST', '/sessions/retry');
const node = async (name: string): Promise<CollectionNode | undefined> =>
  (await get<Graph>('/graph')).collections.find(one => one.name === name);
const rowsOf = async (name: string) =>
  Object.fromEntries(
    (await get<Items>(`/collections/${encodeURIComponent(name)}/items`)).items.map(({key, value}) => [
      key,
      value,
    ]),
  );
const rowsBecome = (name: string, expected: Record<string, unknown>) =>
  until(async () => {
    const rows = await rowsOf(name).catch(() => undefined);
    return isDeepStrictEqual(rows, expected) ? true : undefined;
  }, 30_000).catch(async () => expect(await rowsOf(name)).toEqual(expected));
const attach = async () => {
  await send<SessionAnswer>('POST', '/sessions', {krtz, name: 'shop'});
  await until(async () => ((await node('own/Workloads'))?.size ? true : undefined), 30_000);
};

const PER_NODE = `(ctx, w) => ({key: w.Workload.name, node: w.Workload.node,
  beside: ctx.fetch(collection('informer/Pods'), generic(p => p.spec.nodeName === w.Workload.node)).length})`;

test('a formula is kept, follows the documents, and its rows name the write that they go back to', async () => {
  serve({a: 'n1', b: 'n1', c: 'n2'});
  await attach();
  const kept = await send<SavedFormula>('POST', '/formulas', {
    name: 'Placement',
    input: 'own/Workloads',
    code: PER_NODE,
  });
  expect(kept, JSON.stringify(kept.body)).toMatchObject({
    status: 201,
    body: {name: 'Placement', state: 'live', items: 3, failed: 0},
  });
  expect(await rowsOf('Placement')).toEqual({
    a: {beside: 2, key: 'a', node: 'n1'},
    b: {beside: 2, key: 'b', node: 'n1'},
    c: {beside: 1, key: 'c', node: 'n2'},
  });
  expect(await node('Placement')).toMatchObject({formula: true, kind: 'derived', synced: true, size: 3});
  const {edges} = await get<Graph>('/graph');
  expect(edges.filter(({to}) => to === 'Placement').map(({from, kind}) => `${from} ${kind}`)).toEqual(
    expect.arrayContaining(['own/Workloads input', 'informer/Pods fetch']),
  );

  serve({a: 'n1', b: 'n2', c: 'n2'});
  await now();
  await rowsBecome('Placement', {
    a: {beside: 1, key: 'a', node: 'n1'},
    b: {beside: 2, key: 'b', node: 'n2'},
    c: {beside: 2, key: 'c', node: 'n2'},
  });
  // The fetch of the informer made this one run: its own workload did not change.
  const why = await get<Why>('/why/Placement/a');
  expect(why.run?.causes).toMatchObject([{kind: 'fetch', collection: 'informer/Pods', key: 'shop/b'}]);
  const origin = await get<Origin>('/origin/Placement/a');
  expect(origin.write).toMatchObject({collection: 'informer/Pods', key: 'shop/b'});
  expect(origin.sentence).not.toMatch(/undefined|\d{7}/);
});

test('formulas read formulas, are changed, removed, and cannot take a name of the program', async () => {
  const summary = await send<SavedFormula>('POST', '/formulas', {
    name: 'PerNode',
    code: '(ctx) => countBy(ctx.fetch(Placement), p => p.node)',
  });
  expect(summary, JSON.stringify(summary.body)).toMatchObject({status: 201, body: {items: 1, state: 'live'}});
  expect(await rowsOf('PerNode')).toEqual({static: {n1: 1, n2: 2}});
  const changed = await send<SavedFormula>('PUT', '/formulas/Placement', {
    code: PER_NODE.replace('node: w.Workload.node', "node: 'on ' + w.Workload.node"),
  });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  await rowsBecome('PerNode', {static: {'on n1': 1, 'on n2': 2}});
  const why = await get<Why>('/why/Placement/a');
  expect(why.run?.causes.map(({kind}) => kind)).toEqual(['formula']);
  const read = await send<ApiFailure>('DELETE', '/formulas/Placement');
  expect([read.status, read.body.code]).toEqual([409, 'in-use']);
  expect((await send('DELETE', '/formulas/PerNode')).status).toBe(204);
  expect(await node('PerNode')).toBeUndefined();
});

test('rows stay while the document fails, and follow when it is back', async () => {
  const before = await rowsOf('Placement');
  document = undefined;
  await now();
  await until(async () => ((await node('Placement'))?.current === false ? true : undefined), 30_000);
  expect(await rowsOf('Placement')).toEqual(before);
  serve({a: 'n1', c: 'n2'});
  await now();
  await rowsBecome('Placement', {
    a: {beside: 1, key: 'a', node: 'on n1'},
    c: {beside: 1, key: 'c', node: 'on n2'},
  });
  expect((await node('Placement'))?.current).not.toBe(false);
});

test('a formula that waits for a collection starts when the program has it', async () => {
  const services = (outputs: Record<string, unknown>): WrittenCollection => ({
    name: 'informer/Services',
    uid: 3,
    state: {outputs, synced: true},
  });
  document = [...documentOf({a: 'n1'}), services({'shop/cart': {ports: 1}})];
  await now();
  await until(async () => ((await node('informer/Services'))?.size === 1 ? true : undefined), 30_000);
  const kept = await send('POST', '/formulas', {
    name: 'Ports',
    input: 'informer/Services',
    code: '(ctx, s) => ({key: s.ports + "", n: s.ports})',
  });
  expect(kept.status, JSON.stringify(kept.body)).toBe(201);
  document = [...documentOf({a: 'n1'}), services({'shop/cart': {ports: 2}})];
  await now();
  await rowsBecome('Ports', {2: {key: '2', n: 2}});
  // The program starts again without it.
  serve({a: 'n1'});
  await now();
  await rowsBecome('Ports', {});
  document = [...documentOf({a: 'n1'}), services({'shop/cart': {ports: 3}})];
  await now();
  await rowsBecome('Ports', {3: {key: '3', n: 3}});
});

test('after the end of the engine process, and in a new session of the name, formulas are there again', async () => {
  const before = await rowsOf('Placement');
  const engine = (sessions.find(SESSION) as unknown as {link: {pid: number}}).link.pid;
  process.kill(engine, 'SIGKILL');
  await until(async () => {
    const {engine: state} = await get<SessionAnswer>('/session');
    return state === 'ready' ? true : undefined;
  }, 30_000);
  await rowsBecome('Placement', before);
  document = documentOf({a: 'n7'});
  await now();
  await rowsBecome('Placement', {a: {beside: 1, key: 'a', node: 'on n7'}});
  await closeSessions();
  await openSessions();
  await attach();
  await rowsBecome('Placement', {a: {beside: 1, key: 'a', node: 'on n7'}});
  expect(
    (await get<{formulas: SavedFormula[]}>('/formulas')).formulas.map(one => `${one.name} ${one.state}`),
  ).toEqual(expect.arrayContaining(['Placement live']));
});
