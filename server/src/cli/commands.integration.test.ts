// The commands against a running instance that they find by themselves.
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {connect} from '../kube/client/connect.ts';
import {readKubeconfig} from '../kube/credentials/kubeconfig.ts';
import {resources} from '../kube/resource.ts';
import {bin, TestInstance} from '../start/testing-instance.ts';

let server: TestInstance;
/** Another instance with more than a page of items. */
let pods: TestInstance;
beforeAll(async () => {
  const demo = ['--demo', '--port', '0', '--no-open', '--demo-pace', '0'];
  server = new TestInstance(demo);
  pods = new TestInstance([...demo, '--demo-pods', '1100']);
  await server.ready();
  await pods.ready();
});
const elsewhere = mkdtempSync(join(tmpdir(), 'krtscope-cli-'));
afterAll(async () => {
  rmSync(elsewhere, {recursive: true});
  await Promise.all([server.stop(), pods.stop()]);
});

const run = (args: string[], home = server.home) => new TestInstance(args, {home}).ended;

test('why says the sentence, the cause and the effect', async () => {
  const {code, stdout} = await run(['why', 'Workloads', 'data/redis-0']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Workload data\/redis-0 .* because /);
  expect(stdout).toContain('cause, newest first');
});

test('the README shows what the command says', async () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const [, label, value, key, sentence] =
    /^\$ kubectl label --overwrite namespace shop (\S+)=(\S+)\n\$ npx krtscope why Workloads (\S+)\n([^`]+)```/m.exec(
      readme,
    ) ?? [];
  const {cluster} = await server.json<{cluster: {kubeconfig: string}}>('/api/v1/session');
  const config = readKubeconfig([cluster.kubeconfig]);
  const kubectl = connect({config, context: config.currentContext ?? '', readOnly: false});
  const before = await server.json<{sequence: number}>('/api/v1/graph');
  await kubectl.patch(
    resources.Namespaces,
    {name: 'shop'},
    {metadata: {labels: {[label ?? '']: value}}},
    {type: 'merge', fieldManager: 'kubectl-label'},
  );
  while ((await server.json<{sequence: number}>('/api/v1/graph')).sequence === before.sequence)
    await new Promise(resolve => setTimeout(resolve, 50));
  const {stdout} = await run(['why', 'Workloads', key ?? '']);
  expect(stdout.split('\n')[0]).toBe(sentence?.trim().replaceAll('\n', ' '));
});

test('why-not says the verdict and the clause that fails', async () => {
  const {code, stdout} = await run([
    'why-not',
    'ServiceInfos',
    'shop/cart',
    '--expected',
    'Pods/data/redis-0',
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^looked-elsewhere: /);
  expect(stdout).toMatch(/FAIL metadata\.namespace = shop; it has data/);
});

test('flags may precede a command, and the value of a flag is not a command', async () => {
  const {code, stdout} = await run(['-n', 'shop', 'get', 'pods', '-o', 'name']);
  expect(stdout).toBe((await run(['get', 'pods', '-n', 'shop', '-o', 'name'])).stdout);
  expect(code).toBe(0);
  expect(await run(['--namespace', 'redact', '--kubeconfig', '/none'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('/none'),
  });
});

test('origin says what there is, the write behind it, and the steps between', async () => {
  const {code, stdout} = await run(['origin', 'Workloads', 'data/redis-0', '--field', 'node']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Pod data\/redis-0/);
  expect(stdout).toMatch(/step by step/);
});

test('incidents tell the write first, and refuse a state that there is not', async () => {
  await expect
    .poll(async () => (await run(['incidents', '--state', 'all'])).stdout, {timeout: 20_000})
    .toMatch(/^[1-9]\d* open/);
  const {stdout} = await run(['incidents', '-o', 'json']);
  const {incidents, open} = JSON.parse(stdout);
  expect(incidents).toHaveLength(open);
  expect((await run(['incidents', '--state', 'closed'])).code).toBe(2);
});

test('items filters, as a table and as JSON', async () => {
  const {stdout} = await run(['items', 'Workloads', '-q', 'ns:data']);
  expect(stdout).toMatch(/^KEY +OUTCOME +.*CHANGED\n/);
  expect(stdout).toContain('data/redis-0');
  expect(stdout).not.toContain('shop/');
  const {stdout: json} = await run(['items', 'Workloads', '-q', 'ns:data', '-o', 'json']);
  expect(JSON.parse(json)).toMatchObject({total: 6, items: [{key: 'data/redis-0'}, {}, {}, {}, {}, {}]});
});

test.each(['pods', 'po', 'Pod', 'Pods', 'pod'])('get takes %s', async word => {
  const {stdout} = await run(['get', word, '-n', 'data']);
  expect(stdout).toMatch(/^NAME +READY +STATUS +RESTARTS +AGE\nredis-0 +1\/1 +Running/);
});

test('get finds a row by its name, and prints it in each format', async () => {
  expect((await run(['get', 'po', 'redis-0'])).stdout).toMatch(/\ndata +redis-0 +1\/1/);
  expect((await run(['get', 'pod/redis-0', '-n', 'data', '-o', 'name'])).stdout).toBe('pod/redis-0\n');
  expect(JSON.parse((await run(['get', 'pods', 'data/redis-0', '-o', 'json'])).stdout)).toMatchObject({
    kind: 'Pod',
    metadata: {name: 'redis-0'},
  });
  const {stdout} = await run(['get', 'pods', '-n', 'data', '-o', 'jsonpath={.items[*].metadata.name}']);
  expect(stdout).toMatch(/^redis-0 redis-1 redis-2 /);
  const columns = await run([
    'get',
    'pods',
    '-l',
    'app=redis',
    '-o',
    'custom-columns=N:.metadata.name,K:.key',
  ]);
  expect(columns.stdout).toMatch(/^N +K\nredis-0 +data\/redis-0\n/);
  expect((await run(['get', 'pods', '-n', 'nowhere'])).stderr).toBe(
    'No rows of Pods found in namespace nowhere\n',
  );
});

test('items gives a script all there is, and a person so many with the number of the rest', async () => {
  const {url, token} = await pods.address();
  const to = ['--url', url, '--token', token];
  const all = JSON.parse((await run(['items', 'Pods', '-o', 'json', ...to])).stdout);
  expect(all.total).toBeGreaterThan(1000);
  expect(new Set(all.items.map((item: {key: string}) => item.key)).size).toBe(all.total);
  expect(all.cursor).toBeUndefined();
  const some = JSON.parse((await run(['items', 'Pods', '-o', 'json', '--limit', '3', ...to])).stdout);
  expect(some.items).toHaveLength(3);
  expect(some.cursor).toBeTruthy();
  const {stdout} = await run(['items', 'Pods', ...to]);
  expect(stdout.trimEnd().split('\n')).toHaveLength(102);
  expect(stdout).toContain(`${all.total - 100} more`);
});

test('values may begin with a dash, and flags may stand before the command', async () => {
  const labelled = await run(['items', 'Pods', '-q', '-l app=redis', '--sort', '-metadata.name']);
  expect(labelled.stdout.match(/redis-\d/g)).toEqual(['redis-2', 'redis-1', 'redis-0']);
  const {url, token} = await server.address();
  const before = await run(['--url', url, '--token', token, '-o', 'json', 'items', 'Nodes'], elsewhere);
  expect(JSON.parse(before.stdout)).toMatchObject({total: 3});
});

test('a hop where no item changed says what happened', async () => {
  const {stdout} = await run(['why', 'Workloads', 'data/redis-0']);
  expect(stdout).toMatch(/^ {2}\w+ synced, \d+ objects$/m);
});

test('who reads only the first line ends nothing in tears', async () => {
  const command = ['sh', '-c', `"$0" "$@" | head -1`, process.execPath, bin];
  const {stdout, stderr} = await new TestInstance(['items', 'Pods', '-o', 'json'], {
    home: server.home,
    command,
  }).ended;
  expect({stdout, stderr}).toEqual({stdout: '{\n', stderr: ''});
});

test('graph draws itself as mermaid, dot and JSON', async () => {
  expect((await run(['graph', '--mermaid'])).stdout).toMatch(/^(flowchart|graph) LR/m);
  expect((await run(['graph', '--dot'])).stdout).toMatch(/^digraph/m);
  expect(JSON.parse((await run(['graph', '-o', 'json'])).stdout)).toMatchObject({
    collections: expect.any(Array),
  });
});

test('an address and a token can be given instead', async () => {
  const {url, token} = await server.address();
  const given = await run(['items', 'Nodes', '--url', url, '--token', token], elsewhere);
  expect(given.stdout).toContain('node-a');
  const wrong = await run(['items', 'Nodes', '--url', url, '--token', 'wrong'], elsewhere);
  expect(wrong).toMatchObject({code: 1, stdout: '', stderr: expect.stringContaining('token')});
});

test.each([
  ['an unknown collection', ['items', 'Nope'], 1, /Nope/],
  ['a mistyped collection', ['get', 'Wrkloads'], 1, /did you mean Workloads/],
  ['an output that is none', ['get', 'pods', '-o', 'xml'], 2, /custom-columns/],
  ['a template that is none', ['get', 'pods', '-o', 'jsonpath={.a'], 2, /JSONPath/],
  ['an unknown key', ['why', 'Workloads', 'no/such'], 1, /no\/such/],
  ['a missing word', ['why', 'Workloads'], 2, /COLLECTION KEY/],
  ['an unknown flag', ['items', 'Pods', '--nope'], 2, /--nope/],
  ['a flag without its value', ['items', 'Pods', '--sort', '--limit', '5'], 2, /--sort/],
  ['a limit that is none', ['items', 'Pods', '--limit', 'x'], 2, /--limit/],
  ['a moment that is none', ['why', 'Workloads', 'data/redis-0', '--at', 'abc'], 2, /--at/],
  ['an expectation without a key', ['why-not', 'Workloads', 'a/b', '--expected', 'Pods'], 2, /--expected/],
  ['an address that is none', ['items', 'Pods', '--url', 'bogus'], 2, /bogus/],
])('%s: one line', async (_, args, code, words) => {
  const ended = await run(args);
  expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(ended.stderr).toMatch(words);
  expect(ended.code).toBe(code);
});

test('no running instance: one line that says how to start one, exit 1', async () => {
  const ended = await run(['why', 'Workloads', 'a'], elsewhere);
  expect(ended).toMatchObject({code: 1, stderr: expect.stringContaining('no running instance')});
});
