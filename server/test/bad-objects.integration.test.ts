// A server sends 10,000 generated objects, many of them malformed or far too deep, through main and a real engine process. Main
// and the kind must survive: a sound Pod that is sent after them arrives.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Checks} from '@krtscope/shared/checks.ts';
import type {Items} from '@krtscope/shared/items.ts';
import fc from 'fast-check';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {parseConfig} from '../src/config.ts';
import type {OpenSession} from '../src/engine/link/session.ts';
import {SessionList} from '../src/session/session-list.ts';

const OBJECTS = 10_000;
const dataDir = mkdtempSync(join(tmpdir(), 'krtscope-bad-'));
const watches = new Map<string, ServerResponse>();
let version = 1;
let server: Server;
let sessions: SessionList;
let session: OpenSession;

/** Lists are empty, watches stay open, and other paths say that they are missing. */
function answer(url: URL, response: ServerResponse): void {
  const name = url.pathname.split('/').pop() ?? '';
  response.setHeader('content-type', 'application/json');
  if (url.pathname === '/version') {
    response.end('{"major":"1","minor":"36","gitVersion":"v1.36.0"}');
  } else if (url.searchParams.get('watch') !== null) {
    if (url.searchParams.get('sendInitialEvents') !== null) {
      response.statusCode = 422;
      response.end('{"kind":"Status","status":"Failure","reason":"Invalid","code":422}');
      return;
    }
    watches.set(name, response);
    response.flushHeaders();
  } else if (/^\/(api\/v1|apis\/[^/]+\/v1)\/[a-z]+$/.test(url.pathname)) {
    response.end(`{"kind":"List","metadata":{"resourceVersion":"${version}"},"items":[]}`);
  } else {
    response.statusCode = 404;
    response.end('{"kind":"Status","status":"Failure","reason":"NotFound","code":404}');
  }
}

beforeAll(async () => {
  server = createServer((request, response) => answer(new URL(request.url ?? '/', 'http://x'), response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  const kubeconfig = join(dataDir, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      'current-context': 'fake',
      contexts: [{name: 'fake', context: {cluster: 'fake', user: 'me'}}],
      clusters: [{name: 'fake', cluster: {server: `http://127.0.0.1:${port}`}}],
      users: [{name: 'me', user: {}}],
    }),
  );
  sessions = new SessionList(
    parseConfig(['--kubeconfig', kubeconfig, '--data-dir', dataDir], {}).config,
    'test',
  );
  await sessions.chooseFirst({});
  session = sessions.first();
});
afterAll(async () => {
  await sessions.stop();
  server.closeAllConnections();
  server.close();
  rmSync(dataDir, {recursive: true, force: true});
});

/** A value of any JSON type where Kubernetes has a string, a map or a list. */
const anything = fc.oneof(fc.jsonValue({maxDepth: 3}), fc.constant(null), fc.constant([]), fc.constant({}));
const nearlyPod = fc.record(
  {
    kind: fc.oneof({weight: 8, arbitrary: fc.constant<unknown>('Pod')}, anything),
    apiVersion: fc.oneof({weight: 8, arbitrary: fc.constant<unknown>('v1')}, anything),
    metadata: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record(
          {
            name: fc.oneof({weight: 6, arbitrary: fc.stringMatching(/^[a-z]{1,8}$/)}, anything),
            namespace: fc.oneof({weight: 6, arbitrary: fc.constantFrom<unknown>('shop', 'data')}, anything),
            labels: fc.oneof(fc.dictionary(fc.string(), fc.string(), {maxKeys: 3}), anything),
            annotations: anything,
            managedFields: anything,
            ownerReferences: anything,
            creationTimestamp: anything,
          },
          {requiredKeys: []},
        ),
      },
      anything,
    ),
    spec: fc.oneof(fc.record({containers: anything, nodeName: anything}, {requiredKeys: []}), anything),
    status: fc.oneof(
      fc.record(
        {
          phase: fc.oneof(fc.constant('Running'), anything),
          conditions: anything,
          containerStatuses: anything,
          podIP: anything,
        },
        {requiredKeys: []},
      ),
      anything,
    ),
  },
  {requiredKeys: []},
);

/** As text, because such an object cannot be stringified. */
const deepObject = (kind: string, levels: number) =>
  `{"kind":"${kind}","apiVersion":"v1","metadata":{"name":"deep","namespace":"shop","uid":"d","resourceVersion":"${++version}"},"spec":{"x":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}}`;

function textOf(object: object): string {
  const metadata = (object as {metadata?: unknown}).metadata;
  const versioned =
    typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
      ? {...object, metadata: {...metadata, resourceVersion: String(++version), uid: `u${version % 500}`}}
      : object;
  return JSON.stringify(versioned);
}

test('an object 9,900 levels deep is set aside by name with the reason, and comes back when it changes', async () => {
  await vi.waitFor(() => expect(watches.get('services')).toBeDefined(), {timeout: 60_000});
  const services = watches.get('services') as ServerResponse;
  services.write(`{"type":"ADDED","object":${deepObject('Service', 9898)}}\n`);
  await vi.waitFor(
    async () => {
      const {checks} = (await session.link.ask({ask: 'checks'})) as Checks;
      const found = checks.find(({code, collection}) => code === 'set-aside' && collection === 'Services');
      expect(found?.message).toBe(
        'Services/shop/deep is in the cluster but not shown: nested 9,900 levels deep, the limit is 500',
      );
    },
    {timeout: 60_000, interval: 500},
  );
  const repaired = {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: {name: 'deep', namespace: 'shop', uid: 'd', resourceVersion: String(++version)},
    spec: {},
  };
  services.write(`{"type":"MODIFIED","object":${JSON.stringify(repaired)}}\n`);
  await vi.waitFor(
    async () => {
      const {items} = (await session.link.ask({ask: 'items', collection: 'Services', limit: 10})) as Items;
      expect(items.map(({key}) => key)).toEqual(['shop/deep']);
      const {checks} = (await session.link.ask({ask: 'checks'})) as Checks;
      expect(
        checks.filter(({code, collection}) => code === 'set-aside' && collection === 'Services'),
      ).toEqual([]);
    },
    {timeout: 60_000, interval: 500},
  );
});

test('10,000 bad objects cost themselves, and neither main, the engine process nor their kind', async () => {
  await vi.waitFor(() => expect(watches.get('pods')).toBeDefined(), {timeout: 60_000});
  const pods = watches.get('pods') as ServerResponse;
  const samples = fc.sample(nearlyPod, {numRuns: OBJECTS, seed: 24});
  for (const [at, sample] of samples.entries()) {
    const text = at % 500 === 0 ? deepObject('Pod', 600 + at) : textOf(sample);
    const type = at % 7 === 6 ? 'DELETED' : at % 3 === 0 ? 'MODIFIED' : 'ADDED';
    if (!pods.write(`{"type":"${at % 500 === 0 ? 'MODIFIED' : type}","object":${text}}\n`))
      await new Promise(resolve => pods.once('drain', resolve));
  }
  const last = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {name: 'last', namespace: 'shop', uid: 'last', resourceVersion: String(++version)},
    spec: {},
    status: {phase: 'Running'},
  };
  pods.write(`{"type":"ADDED","object":${JSON.stringify(last)}}\n`);
  await vi.waitFor(
    async () => {
      const {items} = (await session.link.ask({
        ask: 'items',
        collection: 'Pods',
        q: 'last',
        limit: 10,
      })) as Items;
      expect(items.map(({key}) => key)).toContain('shop/last');
    },
    {timeout: 120_000, interval: 500},
  );
  expect(watches.get('pods')).toBe(pods);
  const {checks} = (await session.link.ask({ask: 'checks'})) as Checks;
  const aside = checks.find(({code, collection}) => code === 'set-aside' && collection === 'Pods');
  expect(aside?.message).toMatch(
    / is in the cluster but not shown: metadata\.namespace is a number, not a string$/,
  );
  // None of them crashed the engine process.
  expect(aside?.message).not.toContain('crashed');
});
