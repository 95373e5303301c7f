// krtscope with the rights of deploy/kustomize on a real 1.36, through a proxy that notes every request: each right is
// taken away in turn, and a user without the right tries every door.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import {request as secureRequest} from 'node:https';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Graph} from '@krtscope/shared/graph.ts';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {WebSocket} from 'ws';
import {parseAllDocuments} from 'yaml';
import {TestInstance} from '../src/start/testing-instance.ts';
import {realServers, startReal, type TestServer} from './servers.ts';

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

const root = new URL('../../', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'krtscope-in-cluster-'));
const rules: Rule[] = parseAllDocuments(readFileSync(join(root, 'deploy/kustomize/rights.yaml'), 'utf8'))
  .map(document => document.toJS())
  .find(({kind, metadata}) => kind === 'ClusterRole' && metadata.name === 'krtscope').rules;
const kinds = rules.flatMap(({apiGroups, resources}) =>
  resources.map(resource => ({apiGroups, resources: [resource]})),
);

describe.runIf(realServers !== undefined)('with the rights of its chart', () => {
  let kube: TestServer;
  let proxy: Server;
  let instance: TestInstance;
  let url = '';
  /** `METHOD path` of all requests to the API server. */
  const seen: string[] = [];
  const tokens: Record<string, string> = {};

  const post = async <T>(path: string, body: object): Promise<T> =>
    (await kube.client.transport.request<T>({method: 'POST', path, body})).body;
  const account = async (name: string) => {
    await post('/api/v1/namespaces/default/serviceaccounts', {metadata: {name}});
    const path = `/api/v1/namespaces/default/serviceaccounts/${name}/token`;
    const {status} = await post<{status: {token: string}}>(path, {spec: {expirationSeconds: 3600}});
    tokens[name] = status.token;
  };
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const bind = (name: string, role: string, user: string) =>
    post(`${rbac}/clusterrolebindings`, {
      metadata: {name},
      roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role},
      subjects: [{kind: 'ServiceAccount', name: user, namespace: 'default'}],
    });
  const role = (name: string, own: object[]) => post(`${rbac}/clusterroles`, {metadata: {name}, rules: own});
  const listAndWatch = (own: typeof kinds) => own.map(rule => ({...rule, verbs: ['list', 'watch']}));
  const ask = (path: string, token: string, init: RequestInit = {}) =>
    fetch(new URL(path, url), {
      ...init,
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
    });

  beforeAll(async () => {
    kube = await startReal('v1.36', {bare: true});
    const upstream = new URL(kube.url);
    proxy = createServer((req, res) => {
      seen.push(`${req.method} ${(req.url ?? '').split('?')[0]}`);
      const {method, headers} = req;
      const options = {
        host: upstream.hostname,
        port: upstream.port,
        path: req.url,
        method,
        headers,
        ca: kube.ca,
      };
      const sent = secureRequest(options, answer => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      });
      sent.on('error', () => res.destroy());
      res.on('close', () => sent.destroy());
      req.pipe(sent);
    });
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
    await account('krtscope');
    await role('krtscope', listAndWatch(kinds));
    await bind('krtscope', 'krtscope', 'krtscope');
    await bind('krtscope-reviews', 'system:auth-delegator', 'krtscope');
    await role('krtscope-user', [{nonResourceURLs: ['/krtscope'], verbs: ['get']}]);
    for (const name of ['jane', 'joe', 'late']) await account(name);
    for (const name of ['jane', 'late']) await bind(name, 'krtscope-user', name);
    for (const kind of kinds) {
      const name = `without-${kind.resources}`;
      await account(name);
      await role(name, listAndWatch(kinds.filter(other => other !== kind)));
      await bind(name, name, name);
    }
    const server = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const names = Object.keys(tokens);
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'krtscope',
      clusters: [{name: 'secret-cluster-name', cluster: {server}}],
      users: names.map(name => ({name, user: {token: tokens[name]}})),
      contexts: names.map(name => ({name, context: {cluster: 'secret-cluster-name', user: name}})),
    };
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, JSON.stringify(config));
    const args = ['--kubeconfig', kubeconfig, '--without', 'secrets', '--auth', 'kubernetes'];
    instance = new TestInstance([...args, '--port', '0', '--no-open']);
    while (!instance.stdout.includes('read-only')) {
      if (instance.child.exitCode !== null) throw new Error(instance.stderr);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    url = /krtscope is at (\S+)/.exec(instance.stdout)?.[1] ?? '';
  }, 180_000);
  afterAll(async () => {
    await instance?.stop();
    proxy?.closeAllConnections();
    proxy?.close();
    await kube?.stop();
    rmSync(folder, {recursive: true, force: true});
  });

  const jane = () => tokens.jane ?? '';
  const statesOf = async (session: string): Promise<string[]> => {
    const answer = await ask(`/api/v1/graph?session=${session}`, jane());
    if (!answer.ok) return [`${answer.status}`];
    const {collections} = (await answer.json()) as Graph;
    return collections.flatMap(({state, resource}) =>
      state === undefined || state === 'synced' ? [] : [`${resource?.resource} ${state}`],
    );
  };

  test.each(kinds)(
    'without the rights on $resources its source is forbidden, and all else is there',
    async ({resources: [resource]}) => {
      const session = `without-${resource}`;
      const opened = await ask('/api/v1/sessions', jane(), {
        method: 'POST',
        body: JSON.stringify({context: session}),
      });
      expect(opened.status).toBe(201);
      await expect
        .poll(async () => (await ask(`/readyz?session=${session}`, jane())).status, {timeout: 60_000})
        .toBe(200);
      expect((await statesOf(session)).sort()).toEqual([`${resource} forbidden`, 'secrets left out'].sort());
      await ask(`/api/v1/sessions?session=${session}`, jane(), {method: 'DELETE'});
    },
  );

  test('a user without the right learns nothing', async () => {
    const paths = [
      'sessions',
      'contexts',
      'recordings',
      'graph',
      'kinds',
      'session',
      'bookmarks',
      'incidents',
    ];
    const doors = [
      ...paths.map(path => `/api/v1/${path}`),
      '/api/v1/collections/Namespaces/items',
      '/api/v1/why/Namespaces/default',
      '/api/v1/recording',
      '/metrics',
      '/debug/krtz',
    ];
    for (const door of doors) {
      const answer = await ask(door, tokens.joe ?? '');
      expect([door, answer.status]).toEqual([door, 403]);
      expect(await answer.text()).not.toMatch(
        /secret-cluster-name|kube-system|without-|"krtscope"|127\.0\.0\.1/,
      );
    }
    const open = await ask('/api/v1/sessions', tokens.joe ?? '', {
      method: 'POST',
      body: '{"context": "jane"}',
    });
    expect(open.status).toBe(403);
    for (const path of ['/api/v1/stream', '/api/v1/programs']) {
      const refused = await new Promise(resolve => {
        const socket = new WebSocket(new URL(path, url.replace('http', 'ws')), {
          headers: {authorization: `Bearer ${tokens.joe}`},
        });
        socket.on('open', () => resolve('open'));
        socket.on('unexpected-response', (_, res) => resolve(res.statusCode)).on('error', () => {});
      });
      expect([path, refused]).toEqual([path, 403]);
    }
    const ready = await (await ask('/readyz', tokens.joe ?? '')).text();
    expect(ready).not.toMatch(/secret-cluster-name|127\.0\.0\.1/);
  });

  test('without the right to review, new users get the reason, and those of the last minute go on', async () => {
    expect((await ask('/api/v1/session', jane())).status).toBe(200);
    await kube.client.transport.request({
      method: 'DELETE',
      path: `${rbac}/clusterrolebindings/krtscope-reviews`,
    });
    await expect
      .poll(async () => (await ask('/api/v1/session', tokens.late ?? '')).text(), {timeout: 30_000})
      .toContain('krtscope may not create tokenreviews and subjectaccessreviews');
    expect((await ask('/api/v1/session', tokens.late ?? '')).status).toBe(502);
    expect((await ask('/api/v1/session', jane())).status).toBe(200);
  });

  test('only reads and the two reviews left, and tokens stand nowhere', () => {
    expect(seen.length).toBeGreaterThan(50);
    expect(new Set(seen.filter(line => !line.startsWith('GET ')))).toEqual(
      new Set([
        'POST /apis/authentication.k8s.io/v1/tokenreviews',
        'POST /apis/authorization.k8s.io/v1/subjectaccessreviews',
      ]),
    );
    for (const token of Object.values(tokens)) {
      expect(instance.stdout + instance.stderr).not.toContain(token);
      // grep ends with 1 where nothing matches.
      const found = execFileSync('bash', [
        '-c',
        'grep -rlaF -- "$0" "$1" || [ $? = 1 ]',
        token,
        instance.home,
      ]);
      expect(found.toString()).toBe('');
    }
    expect(instance.child.exitCode).toBeNull();
  });
});
