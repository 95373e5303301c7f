// An attached program whose informer is behind the demo's cluster: what GET /sessions/{name}/lag and the checks say.
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Checks} from '@krtscope/shared/checks.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import {lagSchema} from '@krtscope/shared/programs/lag.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import express from 'express';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {parseConfig} from '../../config.ts';
import {until} from '../../engine/testing-engine.ts';
import {apiRouter} from '../../http/api.ts';
import {failureHandler} from '../../http/failure.ts';
import {SessionList} from '../session-list.ts';

interface StoredObject {
  metadata: {resourceVersion: string; uid: string; name: string};
}

const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-lag-'));
let services: Record<string, StoredObject> = {};
let isFailing = false;
let sessions: SessionList;
let program: Server;
let api: Server;
let krtz = '';
let base = '';

const listening = (server: Server): Promise<string> =>
  new Promise(resolve => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });

beforeAll(async () => {
  program = createServer((_req, res) => {
    if (isFailing) return void res.writeHead(500).end('json: unsupported type: func()');
    res.end(
      JSON.stringify([
        {name: 'informer/Services', uid: 1, state: {outputs: services, synced: true}},
        {name: 'informer/Widgets', uid: 2, state: {synced: true}},
      ]),
    );
  });
  krtz = `${await listening(program)}/debug/krtz`;
  const {config} = parseConfig(['--data-dir', dataDir, '--demo', '--demo-pace', '0'], {});
  sessions = new SessionList(config, 'test');
  api = createServer(express().use(apiRouter(sessions)).use(failureHandler));
  base = await listening(api);
});
afterAll(async () => {
  await sessions.stop();
  for (const server of [api, program]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(dataDir, {recursive: true});
});

async function call<T>(path: string, body?: object): Promise<T> {
  const init = body && {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(body),
  };
  const response = await fetch(`${base}${path}`, init);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const LAG = '/sessions/attached%3Amesh/lag';
const lagOf = async () => lagSchema.parse(await call(LAG));
const checks = async () => (await call<Checks>('/checks?session=attached:mesh')).checks;

test('an informer that keeps an old version, lacks an object and has a ghost is behind; then it catches up', async () => {
  await sessions.chooseFirst({});
  await expect(call('/sessions/demo/lag')).rejects.toThrow('not an attached program');
  await expect(call('/sessions/nobody/lag')).rejects.toThrow('404');
  const current = await until(async () => {
    const session = await call<SessionAnswer>('/session?session=demo');
    const {items} = await call<Items>('/collections/Services/items?session=demo&limit=100');
    return session.current === true && items.length > 3 ? items : undefined;
  }, 30_000);
  services = Object.fromEntries(current.map(({key, value}) => [key, value as unknown as StoredObject]));
  const keys = Object.keys(services).sort();
  const [old = '', missing = ''] = keys;
  await call('/sessions', {krtz, name: 'mesh'});
  const calm = await until(async () => {
    const lag = await lagOf();
    return lag.cluster === 'demo' && lag.collections[0]?.same === keys.length ? lag : undefined;
  }, 20_000);
  expect(calm.notCompared).toEqual(['informer/Widgets']);
  expect(calm.collections[0]).toMatchObject({resource: 'services', behind: 0, missing: 0, extra: 0});

  const whole = services;
  const asOf = calm.asOf ?? 0;
  // Two more documents, so that the informer counts as one that has every object.
  await until(async () => (((await lagOf()).asOf ?? 0) > asOf + 1500 ? true : undefined), 20_000);
  const service = whole[old] as StoredObject;
  services = {
    ...whole,
    [old]: {...service, metadata: {...service.metadata, resourceVersion: '1'}},
    'shop/ghost': {...service, metadata: {...service.metadata, name: 'ghost', uid: 'gone'}},
  };
  delete services[missing];
  const behind = await until(async () => {
    const [lag] = (await lagOf()).collections;
    return lag !== undefined && lag.rows.length === 3 ? lag : undefined;
  }, 20_000);
  expect(behind).toMatchObject({behind: 1, missing: 1, extra: 1, same: keys.length - 2});
  expect(behind.rows.map(({key, state}) => `${state} ${key}`).sort()).toEqual([
    `behind ${old}`,
    'extra shop/ghost',
    `missing ${missing}`,
  ]);
  const found = await until(async () => (await checks()).find(({code}) => code === 'informer-lag'), 30_000);
  expect(found).toMatchObject({collection: 'informer/Services', count: 3, severity: 'warning'});
  expect(found.title).toBe('mesh is behind the cluster: 3 rows of services');
  expect(found.message).toContain('still has shop/ghost, which the cluster has deleted');

  services = whole;
  await until(
    async () => ((await checks()).some(({code}) => code === 'informer-lag') ? undefined : true),
    20_000,
  );
  expect((await lagOf()).collections[0]).toMatchObject({same: keys.length, behind: 0, missing: 0, extra: 0});
}, 90_000);

test('while the document fails the checks say so, and rows are marked as last seen', async () => {
  isFailing = true;
  const found = await until(async () => (await checks()).find(({code}) => code === 'no-document'), 20_000);
  expect(found).toMatchObject({
    severity: 'error',
    title: 'mesh gives no document',
    message: expect.stringContaining(
      'status 500: json: unsupported type: func(). You see the rows of the last one',
    ),
    hint: expect.any(String),
  });
  const graph = async () => (await call<Graph>('/graph?session=attached:mesh')).collections;
  const lastSeen = await graph();
  expect(lastSeen.map(({current}) => current)).toEqual(lastSeen.map(() => false));
  expect(lastSeen[0]?.asOf).toBeLessThan(Date.now());
  isFailing = false;
  await until(
    async () => ((await graph()).some(({current}) => current === false) ? undefined : true),
    20_000,
  );
  await until(
    async () => ((await checks()).some(({code}) => code === 'no-document') ? undefined : true),
    20_000,
  );
}, 60_000);
