// Hostile edits over HTTP: each is refused in words or answered, and the session does not notice.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type EditInput, type WhatIf, whatIfSchema} from '@krtscope/shared/what-if/what-if.ts';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {TestInstance} from '../../start/testing-instance.ts';

let instance: TestInstance;
const home = mkdtempSync(join(tmpdir(), 'krtscope-hostile-edits-'));
const redis = {collection: 'Services', key: 'data/redis'};
const settings = (data: unknown, more: object = {}): EditInput => ({
  apply: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'settings', namespace: 'data'},
    data,
    ...more,
  },
});

beforeAll(async () => {
  instance = new TestInstance(['--demo', '--demo-pace', '0', '--port', '0', '--no-open'], {home});
  await instance.ready();
});

afterAll(async () => {
  await instance.stop();
  rmSync(home, {recursive: true, force: true});
});

async function send(body: string): Promise<{status: number; body: unknown; message: string}> {
  const answer = await instance.get('/api/v1/what-if', {
    method: 'POST',
    body,
    headers: {'content-type': 'application/json'},
  });
  const text = await answer.text();
  const parsed = JSON.parse(text) as {message?: string};
  return {status: answer.status, body: parsed, message: parsed.message ?? ''};
}

const tryEdits = (edits: unknown) => send(JSON.stringify({edits}));

/** The session goes on in the same process, and the next answer is right. */
async function expectUnharmed(): Promise<void> {
  expect((await instance.get('/readyz')).status).toBe(200);
  const {status, body} = await tryEdits([{delete: redis}]);
  expect(status).toBe(200);
  expect(whatIfSchema.parse(body).collections.ServiceInfos?.[0]?.new).toBeUndefined();
}

test('an object of 1 MB is tried, a larger one is refused as the API server would', async () => {
  const large = await tryEdits([settings({text: 'x'.repeat(1_000_000)})]);
  expect(large.status).toBe(200);
  expect((large.body as WhatIf).collections.ConfigMaps?.length).toBe(1);
  const larger = await tryEdits([settings({text: 'x'.repeat(2_000_000)})]);
  expect([larger.status >= 400 && larger.status < 500, larger.message.length > 0]).toEqual([true, true]);
  const body = await send(JSON.stringify({edits: [settings({text: 'x'.repeat(17_000_000)})]}));
  expect(body.status).toBe(413);
  await expectUnharmed();
});

test('10,000 edits are refused with the limit; 1,000 are one change', async () => {
  const many = await tryEdits(Array.from({length: 10_000}, () => ({delete: redis})));
  expect([many.status, many.message]).toEqual([400, expect.stringContaining('at most 1000 edits')]);
  const edits = Array.from({length: 1000}, (_, at) => ({
    apply: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: `many-${at}`, namespace: 'data'}},
  }));
  const answer = await send(JSON.stringify({edits, collections: ['ConfigMaps']}));
  expect(answer.status).toBe(200);
  expect((answer.body as WhatIf).collections.ConfigMaps?.length).toBe(1000);
});

const violations: [string, unknown][] = [
  ['a number where a map belongs', settings(7)],
  ['a list as metadata', {apply: {apiVersion: 'v1', kind: 'ConfigMap', metadata: []}}],
  ['no name', {apply: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {namespace: 'data'}}}],
  [
    'a name that no object may have',
    {apply: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: '../x', namespace: 'data'}}},
  ],
  ['no kind', {apply: {metadata: {name: 'x'}}}],
  ['an unknown key of an edit', {delete: redis, drop: redis}],
  ['an unknown kind of edit', {erase: redis}],
  ['an unknown collection', {delete: {collection: 'Nothing', key: 'a/b'}}],
  ['an object that does not exist', {delete: {collection: 'Services', key: 'data/none'}}],
  [
    'a patch with a path that does not exist',
    {patch: {...redis, type: 'json', body: [{op: 'remove', path: '/spec/none'}]}},
  ],
  ['a write that was never recorded', {undo: {sequence: 999_999_999, ...redis}}],
  ['a port that is no number', {patch: {...redis, body: {spec: {ports: [{port: 'x'}]}}}}],
];

test.each(violations)('%s is refused in words', async (_, edit) => {
  const {status, message} = await tryEdits([edit]);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(message).toMatch(/\w+ \w+/);
});

test('deep nesting, keys of the prototype, half a document: refused or harmless', async () => {
  const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const deep = await send(
    `{"edits":[{"patch":{"collection":"Services","key":"data/redis","body":${nested}}}]}`,
  );
  expect([deep.status >= 400 && deep.status < 500, deep.message.length > 0]).toEqual([true, true]);
  const prototype = await send(
    '{"edits":[{"patch":{"collection":"Services","key":"data/redis","body":{"metadata":{"labels":{"__proto__":"x","constructor":"y"}}}}}]}',
  );
  expect(prototype.status).toBeLessThan(500);
  expect(({} as {x?: unknown}).x).toBeUndefined();
  expect((await send('{"edits":[')).status).toBe(400);
  await expectUnharmed();
});

test('40 users at once: each gets an answer, or is told to try again', async () => {
  const answers = await Promise.all(Array.from({length: 40}, () => tryEdits([{delete: redis}])));
  const statuses = new Set(answers.map(({status}) => status));
  expect([...statuses].filter(status => status !== 200 && status !== 429 && status !== 503)).toEqual([]);
  expect(statuses).toContain(200);
  await expectUnharmed();
});
