// What the fingers of a kubectl user type: several kinds at once, names without a namespace, mistyped words.
import {afterAll, beforeAll, expect, test} from 'vitest';
import {TestInstance} from '../start/testing-instance.ts';

let server: TestInstance;
beforeAll(async () => {
  server = new TestInstance(['--demo', '--port', '0', '--no-open', '--demo-pace', '0']);
  await server.ready();
});
afterAll(() => server.stop());

const run = (...args: string[]) => new TestInstance(args, {home: server.home}).ended;

test('get takes several kinds: a table for each, with kinds before the names', async () => {
  const {code, stdout} = await run('get', 'deploy,svc', '-n', 'shop');
  const [deployments = '', services = ''] = stdout.split('\n\n');
  expect(code).toBe(0);
  expect(deployments).toMatch(/^NAME +READY .*\ndeployment\.apps\/cart +/);
  expect(services).toMatch(/^NAME +TYPE .*\nservice\/cart +/);
});

test('several kinds make one document, and names of all', async () => {
  const {items, total} = JSON.parse((await run('get', 'deploy,svc', '-n', 'shop', '-o', 'json')).stdout);
  expect(items).toHaveLength(total);
  expect(new Set(items.map((item: {collection: string}) => item.collection))).toEqual(
    new Set(['Deployments', 'Services']),
  );
  const {stdout} = await run('get', 'deploy,svc', '-n', 'shop', '-o', 'name');
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['deployment.apps/cart', 'service/cart']));
  expect(await run('get', 'deploy,podz')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('did you mean Pods?'),
  });
  expect((await run('get', 'deploy,svc', '-w')).code).toBe(2);
});

test('why, origin and wait take a name without its namespace if only one namespace has it', async () => {
  const whole = await run('why', 'Workloads', 'data/redis-0');
  expect(await run('why', 'workload', 'redis-0')).toMatchObject({code: 0, stdout: whole.stdout});
  expect((await run('origin', 'pod', 'redis-0')).stdout).toContain('Pod data/redis-0');
  expect(await run('wait', '--for', 'row=pods/redis-0')).toMatchObject({code: 0});
  expect(await run('why', 'cm', 'kube-root-ca.crt')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('give -n NAMESPACE'),
  });
});

test('mistyped commands and sessions get advice for a terminal', async () => {
  expect((await run('incidnts')).stderr).toContain('did you mean incidents?');
  expect((await run('describe', 'pods')).stderr).toContain('krtscope --help lists them');
  expect((await run('get', 'pods', '--session', 'nope')).stderr).toContain('krtscope sessions lists them');
  expect((await run('get', 'pods', '--token', 'wrong')).stderr).toContain('--token');
});
