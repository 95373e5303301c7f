// Saved documents and logs of a program become a session: a timeline, with causes where the log has them.
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Items} from '@krtscope/shared/items.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {Why} from '@krtscope/shared/why.ts';
import express from 'express';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {kindOfInformer, recordedCases, rowsToExplain} from '../../attach/testing-cases.ts';
import {ownDocuments} from '../../attach/testing-documents.ts';
import {parseConfig} from '../../config.ts';
import {until} from '../../engine/testing-engine.ts';
import {apiRouter} from '../../http/api.ts';
import {failureHandler} from '../../http/failure.ts';
import {SessionList} from '../session-list.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-saved-'));
let sessions: SessionList;
let api: Server;
let base = '';

beforeAll(async () => {
  sessions = new SessionList(parseConfig(['--data-dir', dataDir], {}).config, 'test');
  api = createServer(express().use(apiRouter(sessions)).use(failureHandler));
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await sessions.stop();
  api.closeAllConnections();
  api.close();
  rmSync(dataDir, {recursive: true});
});

async function get<T>(session: string, path: string): Promise<T> {
  const url = `${base}${path}${path.includes('?') ? '&' : '?'}session=${encodeURIComponent(session)}`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const upload = (name: string, bytes: Uint8Array<ArrayBuffer>) =>
  fetch(`${base}/sessions?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: {'content-type': 'application/octet-stream'},
    body: bytes,
  });

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));

test('three documents are three moments of one timeline', async () => {
  const {start, shop, after, changed} = ownDocuments;
  const session = await sessions.openSavedPrograms([
    {name: 'start.json', bytes: bytesOf(start)},
    {name: 'shop.json.gz', bytes: gzipSync(bytesOf(shop))},
    {name: 'after.json', bytes: bytesOf(after)},
  ]);
  expect(session.describe()).toMatchObject({
    name: 'file:start.json',
    cluster: {kind: 'attached', server: 'start.json, shop.json.gz, after.json'},
    connection: {state: 'offline'},
    attached: {document: {state: 'offline'}, log: {state: 'off'}},
  });
  const why = await until(async () => {
    const answer = await get<Why>(
      session.name,
      `/why/${changed.collection}/${encodeURIComponent(changed.key)}`,
    );
    return answer.sentence.includes('changed') ? answer : undefined;
  }, 20_000);
  expect(why.sentence).toContain('The program does not say why.');
  const pods = await get<Items>(session.name, '/collections/informer%2FPods/items');
  expect(pods.items.map(({key}) => key)).toEqual(['bank/p1']);
  expect(JSON.stringify(pods)).not.toContain('hunter2');
  const before = await get<Items>(session.name, `/collections/informer%2FPods/items?at=${why.sequence - 1}`);
  expect(before.items.map(({key}) => key)).toEqual(['bank/p1', 'bank/p2']);
}, 30_000);

test('a document is opened over HTTP by its bytes; what is not one is refused with the reason', async () => {
  const answer = await upload('shop.json.gz', gzipSync(bytesOf(ownDocuments.shop)) as Buffer<ArrayBuffer>);
  expect(answer.status).toBe(201);
  const {name} = (await answer.json()) as SessionAnswer;
  expect(name).toBe('file:shop.json.gz');
  const graph = await until(async () => {
    const found = await get<Graph>(name, '/graph');
    return found.collections.some(({size}) => size > 0) ? found : undefined;
  }, 20_000);
  expect(graph.collections.map(one => one.name)).toContain('Workloads');
  for (const [file, text, words] of [
    ['other.json', '{"kind": "List"}', 'other.json: it is not a krtz document'],
    ['half.json', '[{"name": "a", "sta', 'half.json: it is not JSON'],
    ['empty.json', '[]', 'empty.json: it has no collections'],
    ['istiod.log', 'a line', 'istiod.log has no krtz document, only a log'],
  ] as const) {
    const refused = await upload(file, Buffer.from(text) as Buffer<ArrayBuffer>);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({message: expect.stringContaining(words)});
  }
}, 30_000);

const [recorded] = recordedCases.filter(
  one => Array.isArray(one.before) && Array.isArray(one.after) && rowsToExplain(one).length > 0,
);
test.runIf(recorded !== undefined)(
  'two documents with the log between them: rows go back to the write',
  async () => {
    if (recorded === undefined) return;
    const session = await sessions.openSavedPrograms([
      {name: 'before.json', bytes: bytesOf(recorded.before)},
      {name: 'after.json', bytes: bytesOf(recorded.after)},
      {name: 'istiod.log', bytes: Buffer.from(recorded.log)},
    ]);
    for (const {collection, key} of rowsToExplain(recorded)) {
      const path = `/origin/${encodeURIComponent(collection)}/${encodeURIComponent(key)}`;
      const origin = await until(async () => {
        const answer = await get<Origin>(session.name, path).catch(() => undefined);
        return answer?.write ? answer : undefined;
      }, 20_000);
      const {write} = origin;
      expect(recorded.expected).toContainEqual({
        kind: kindOfInformer(write?.collection ?? ''),
        key: write?.key,
      });
    }
    expect(session.describe().attached?.log).toMatchObject({unread: 0, level: 'debug'});
  },
  60_000,
);
