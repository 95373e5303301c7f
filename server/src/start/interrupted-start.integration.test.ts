// Starts that go wrong: Ctrl-C in the middle, and two demos on one data directory.
import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {connect} from '../kube/client/connect.ts';
import {readKubeconfig} from '../kube/credentials/kubeconfig.ts';
import {resources} from '../kube/resource.ts';
import {descendants, processesOf, survivors, TestInstance} from './testing-instance.ts';

const demo = ['--demo', '--demo-pace', '0', '--port', '0', '--no-open'];
const open: TestInstance[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const instance of open.splice(0)) await instance.stop('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, {recursive: true, force: true});
});

function start(args: string[], group = false): TestInstance {
  const instance = new TestInstance(args, {group});
  open.push(instance);
  return instance;
}

test
  .runIf(process.platform === 'linux')
  .each(['as soon as it runs', 'while the cluster seeds', 'at its first line'])(
  'Ctrl-C %s: no stack on stderr, no process left',
  async moment => {
    const instance = start(demo, true);
    const pid = instance.child.pid as number;
    const clusterRuns = () => processesOf(pid, 'cluster/main').length > 0;
    if (moment === 'at its first line') await instance.lines();
    else await expect.poll(() => clusterRuns() || descendants(pid).length > 0, {timeout: 20_000}).toBe(true);
    if (moment === 'while the cluster seeds')
      await expect.poll(clusterRuns, {timeout: 20_000, interval: 5}).toBe(true);
    const all = [pid, ...descendants(pid)];
    // A terminal sends the signal to the whole group.
    process.kill(-pid, 'SIGINT');
    const {code, stderr} = await instance.ended;
    expect(stderr).not.toMatch(/EPIPE|ERR_IPC|^\s+at /m);
    // Node ends by the signal itself until krtscope listens to it.
    expect([0, null, 130]).toContain(code);
    expect(await survivors(all)).toEqual([]);
  },
);

test('two demos on one data directory each have a kubeconfig that leads to their own cluster', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'krtscope-data-'));
  folders.push(folder);
  const kubeconfigOf = async (instance: TestInstance) => {
    await instance.ready();
    const {cluster} = await instance.json<{cluster: {kubeconfig: string}}>('/api/v1/session');
    return cluster.kubeconfig;
  };
  const first = start([...demo, '--data-dir', folder]);
  const firstFile = await kubeconfigOf(first);
  const second = start([...demo, '--data-dir', folder]);
  const secondFile = await kubeconfigOf(second);
  expect(firstFile).toBe(join(folder, 'cluster', 'kubeconfig'));
  expect(secondFile).toMatch(/kubeconfig-\d+$/);
  const create = (file: string, name: string) => {
    const config = readKubeconfig([file]);
    const client = connect({config, context: config.currentContext ?? '', readOnly: false});
    return client.create(resources.Namespaces, {metadata: {name}});
  };
  await create(firstFile, 'for-the-first');
  await create(secondFile, 'for-the-second');
  const has = async (instance: TestInstance, key: string) =>
    (await instance.get(`/api/v1/collections/Namespaces/items/${key}`)).status;
  await expect.poll(() => has(first, 'for-the-first'), {timeout: 15_000}).toBe(200);
  await expect.poll(() => has(second, 'for-the-second'), {timeout: 15_000}).toBe(200);
  expect(await has(first, 'for-the-second')).toBe(404);
  // The next demo after both have ended takes the usual name again and removes the other.
  await first.stop();
  await second.stop();
  expect(await kubeconfigOf(start([...demo, '--data-dir', folder]))).toBe(firstFile);
  expect(readdirSync(join(folder, 'cluster'))).toEqual(['kubeconfig']);
});
