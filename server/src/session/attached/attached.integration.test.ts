// A program's krtz document behind a real HTTP server, attached through the API: what changes between documents is
// observed, one that does not come leaves everything as it was, and heals.

import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Diff, ItemDetail, Items} from '@krtscope/shared/items.ts';
import {objectName} from '@krtscope/shared/object-name.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {Stats, Timeline} from '@krtscope/shared/timeline.ts';
import type {Why} from '@krtscope/shared/why.ts';
import express from 'express';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {istiod, ownDocuments, type WrittenCollection} from '../../attach/testing-documents.ts';
import {parseConfig} from '../../config.ts';
import {until} from '../../engine/testing-engine.ts';
import {apiRouter} from '../../http/api.ts';
import {failureHandler} from '../../http/failure.ts';
import {SessionList} from '../session-list.ts';

/** What the program answers with; undefined: the connection is cut. */
let answer: {status: number; body: string} | undefined;
const requestCounts: Record<string, number> = {};
let program: Server;
let krtz = '';
let api: Server;
let base = '';
let sessions: SessionList;
const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-attached-'));

const listening = (server: Server): Promise<number> =>
  new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

beforeAll(async () => {
  program = createServer((req, res) => {
    const path = req.url ?? '';
    requestCounts[path] = (requestCounts[path] ?? 0) + 1;
    if (req.method !== 'GET' || answer === undefined) return void req.socket.destroy();
    res.writeHead(answer.status, {'content-type': 'application/json'}).end(answer.body);
  });
  krtz = `http://127.0.0.1:${await listening(program)}/debug/krtz`;
  sessions = new SessionList(parseConfig(['--data-dir', dataDir], {}).config, 'test');
  api = createServer(express().use(apiRouter(sessions)).use(failureHandler));
  base = `http://127.0.0.1:${await listening(api)}`;
});
afterAll(async () => {
  await sessions.stop();
  for (const server of [api, program]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(dataDir, {recursive: true});
});

const serve = (document: readonly WrittenCollection[]) => {
  // In another order each time, as Go's maps have it.
  answer = {status: 200, body: JSON.stringify(document.toSorted(() => Math.random() - 0.5))};
};

async function call<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`${base}${path}`, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
const open = (body: object) =>
  call<SessionAnswer>('/sessions', {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(body),
  });
const about = (session: string, path: string) =>
  `${path}${path.includes('?') ? '&' : '?'}session=${encodeURIComponent(session)}`;
const get = <T>(session: string, path: string) => call<T>(about(session, path));
const now = (session: string) => call(about(session, '/sessions/retry'), {method: 'POST'});
const itemPath = (collection: string, key: string, question = 'collections') =>
  question === 'why'
    ? `/why/${encodeURIComponent(collection)}/${encodeURIComponent(key)}`
    : `/collections/${encodeURIComponent(collection)}/items/${encodeURIComponent(key)}`;

/** Rows by uid and key: of two documents what differs, by a way that has nothing of ours in it. */
function differing(before: readonly WrittenCollection[], after: readonly WrittenCollection[]): string[] {
  const rows = (document: readonly WrittenCollection[]) => {
    const all = new Map<string, string>();
    const sorted = document.toSorted((a, b) => a.uid - b.uid);
    for (const {name, uid, state} of sorted) {
      const place = sorted.filter(one => one.name === name && one.uid <= uid).length;
      const shown = place === 1 ? name : `${name}#${place}`;
      for (const [key, value] of Object.entries(state.outputs ?? {}))
        all.set(`${shown} ${key}`, JSON.stringify(value));
    }
    return all;
  };
  const [old, fresh] = [rows(before), rows(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].filter(id => old.get(id) !== fresh.get(id)).sort();
}

const keysOf = ({collections}: Diff): string[] =>
  Object.entries(collections)
    .flatMap(([name, rows]) => rows.map(({key}) => `${name} ${key}`))
    .sort();

describe.each(istiod === undefined ? [ownDocuments] : [ownDocuments, istiod])(
  '$who',
  ({who, start, shop, after, changed}) => {
    test('start, shop, after: what changed is seen, at every moment; it fails, and heals', async () => {
      serve(start);
      const {name: session} = await open({krtz, name: who});
      const opened = await until(async () => {
        const said = await get<SessionAnswer>(session, '/session');
        return said.current === true ? said : undefined;
      }, 30_000);
      expect(opened).toMatchObject({
        name: `attached:${who}`,
        cluster: {kind: 'attached', context: who, server: krtz},
        connection: {state: 'connected'},
        kept: {disk: {state: 'off', reason: 'only sessions of clusters keep history on disk'}},
        readOnly: true,
        redacted: true,
      });
      const rowsOf = (document: readonly WrittenCollection[]) =>
        document.reduce((sum, {state}) => sum + Object.keys(state.outputs ?? {}).length, 0);
      /** The graph once it has so many rows, and the moment. */
      const whole = (document: readonly WrittenCollection[]) =>
        until(async () => {
          const graph = await get<Graph>(session, '/graph');
          const rows = graph.collections.reduce((sum, {size}) => sum + size, 0);
          return rows === rowsOf(document) && graph.collections.length > 0 ? graph : undefined;
        }, 30_000);
      await whole(start);

      serve(shop);
      await now(session);
      const inShop = await whole(shop);
      for (const {name} of shop) expect(inShop.collections.map(one => one.name)).toContain(name);
      const parents = inShop.edges.filter(({to}) => to === changed.collection);
      expect(parents.some(({kind}) => kind === 'input')).toBe(true);
      expect(parents.some(({kind}) => kind === 'fetch')).toBe(true);
      // Inputs are told after rows: the moment is the one before anything of the next document.
      await until(async () =>
        (await get<ItemDetail>(session, itemPath(changed.collection, changed.key))).inputs.length > 0
          ? true
          : undefined,
      );
      const {sequence: from} = await get<Graph>(session, '/graph');

      serve(after);
      await now(session);
      const {sequence: to} = await until(async () => {
        const graph = await whole(after);
        const diff = await get<Diff>(session, `/diff?from=${from}&to=${graph.sequence}`);
        return keysOf(diff).length > 0 ? graph : undefined;
      }, 30_000);
      expect(keysOf(await get<Diff>(session, `/diff?from=${from}&to=${to}`))).toEqual(differing(shop, after));
      const detail = await get<ItemDetail>(session, itemPath(changed.collection, changed.key));
      expect(detail).toMatchObject({outcome: 'observed'});
      const then = await get<ItemDetail>(session, `${itemPath(changed.collection, changed.key)}?at=${from}`);
      expect(then.value).not.toEqual(detail.value);
      expect(await get<Why>(session, itemPath(changed.collection, changed.key, 'why'))).toMatchObject({
        outcome: 'observed',
        sentence: expect.stringContaining(
          `${objectName(changed)} was observed changed. The program does not say why.`,
        ),
      });
      // A document does not say when the program received a change, so no latency is measured.
      const {lag} = await get<Stats>(session, '/stats');
      expect(lag).toEqual({histogram: lag.histogram.map(({upTo}) => ({upTo, count: 0}))});
      expect(
        JSON.stringify(await get<Items>(session, '/collections/informer%2FPods/items?limit=100')),
      ).not.toContain('hunter2');

      /** Its row as it is, and since when; a batch that says the same again would show. */
      const stands = async () => {
        const {value, at, runs, inputs} = await get<ItemDetail>(
          session,
          itemPath(changed.collection, changed.key),
        );
        return {value, at, runs, inputs};
      };
      const stood = await stands();
      for (const [fault, reason] of [
        [
          {status: 500, body: 'json: unsupported type: func()\n'},
          'status 500: json: unsupported type: func()',
        ],
        [{status: 200, body: '<html>'}, 'it is not JSON'],
        [undefined, /other side closed|ECONNRESET|socket hang up/],
      ] as const) {
        answer = fault;
        await now(session);
        const lost = await until(async () => {
          const said = await get<SessionAnswer>(session, '/session');
          const words = said.connection.reason ?? '';
          return (typeof reason === 'string' ? words.startsWith(reason) : reason.test(words))
            ? said
            : undefined;
        }, 30_000);
        expect(lost).toMatchObject({current: false, connection: {state: 'lost', hint: expect.any(String)}});
        expect(await stands()).toEqual(stood);
      }
      serve(after);
      await now(session);
      const healed = await until(async () => {
        const said = await get<SessionAnswer>(session, '/session');
        return said.current === true ? said : undefined;
      }, 30_000);
      expect(healed.connection.state).toBe('connected');
      // The same document in another order is nothing new.
      expect(await stands()).toEqual(stood);
      const {sequence: end} = await get<Graph>(session, '/graph');
      expect(keysOf(await get<Diff>(session, `/diff?from=${to}&to=${end}`))).toEqual([]);
      const {gaps} = await get<Timeline>(session, '/timeline');
      expect(gaps).toMatchObject([{kind: 'program', text: expect.stringContaining('was missing for')}]);
      serve(shop);
      await now(session);
      await whole(shop);
    });
  },
);

test('a second one of a name is #2; a closed one is asked for no more', async () => {
  serve(ownDocuments.start);
  const first = await open({krtz: `${krtz}/first`, name: 'twin'});
  const second = await open({krtz: `${krtz}/second`, name: 'twin'});
  expect([first.name, second.name]).toEqual(['attached:twin', 'attached:twin#2']);
  await call(about(first.name, '/sessions'), {method: 'DELETE'});
  await expect(get(first.name, '/session')).rejects.toThrow('404');
  const before = {...requestCounts};
  // The second one is asked again by its clock, which began later: the first one would have been asked before.
  await until(
    async () =>
      (requestCounts['/debug/krtz/second'] ?? 0) > (before['/debug/krtz/second'] ?? 0) ? true : undefined,
    30_000,
  );
  expect(requestCounts['/debug/krtz/first']).toBe(before['/debug/krtz/first']);
});

test('one that never came is opened with the reason, and comes when it can', async () => {
  answer = {status: 404, body: 'page not found'};
  const {name} = await open({krtz});
  expect(name).toBe(`attached:${new URL(krtz).host.replace(':', '-')}`);
  const refused = await until(async () => {
    const said = await get<SessionAnswer>(name, '/session');
    return said.connection.state === 'unreachable' ? said : undefined;
  }, 30_000);
  expect(refused.connection).toMatchObject({
    reason: 'status 404: page not found',
    hint: expect.stringContaining('/debug/krtz'),
  });
  expect(refused.current).toBeUndefined();
  serve(ownDocuments.shop);
  await until(async () => ((await get<SessionAnswer>(name, '/session')).current ? true : undefined), 30_000);
});

test.each([
  [{krtz: 'file:///etc/passwd'}, 'use http:// or https://'],
  [{krtz: 'http://me:hunter2@127.0.0.1/'}, 'an address must not contain a password'],
  [{krtz: 'http://127.0.0.1/', name: '../..'}, 'not valid for a session'],
])('%j is refused in words', async (body, words) => {
  await expect(open(body)).rejects.toThrow(words);
});
