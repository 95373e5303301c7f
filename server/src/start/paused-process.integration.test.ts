// krtscope is stopped (SIGSTOP, a suspended job, a frozen container) while its cluster goes on.
import {afterEach, expect, test} from 'vitest';
import {connect} from '../kube/client/connect.ts';
import {readKubeconfig} from '../kube/credentials/kubeconfig.ts';
import {resources} from '../kube/resource.ts';
import {processesOf, TestInstance} from './testing-instance.ts';

/** Longer than the pause that krtscope notices. `KRTSCOPE_PAUSE_SECONDS=180` tries minutes. */
const PAUSE_MS = Number(process.env.KRTSCOPE_PAUSE_SECONDS ?? 13) * 1000;

let instance: TestInstance | undefined;
let stopped: number[] = [];
afterEach(async () => {
  for (const pid of stopped) process.kill(pid, 'SIGCONT');
  stopped = [];
  await instance?.stop();
});

test.runIf(process.platform === 'linux').each(['main', 'main and its engine process'])(
  'stopped (%s): it says so, asks again, and shows what it missed, without a new engine process',
  async who => {
    instance = new TestInstance(['--demo', '--demo-pace', '0', '--port', '0', '--no-open']);
    await instance.ready();
    const main = instance.child.pid as number;
    const {cluster} = await instance.json<{cluster: {kubeconfig: string}}>('/api/v1/session');
    const config = readKubeconfig([cluster.kubeconfig]);
    const client = connect({config, context: config.currentContext ?? '', readOnly: false});
    const engines = processesOf(main, '--permission');
    stopped = who === 'main' ? [main] : [main, ...engines];
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    await client.create(resources.Namespaces, {metadata: {name: 'while-stopped'}});
    await client.delete(resources.Namespaces, {name: 'while-stopped'});
    await client.create(resources.Namespaces, {metadata: {name: 'made-meanwhile'}});
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    stopped = [];

    await expect
      .poll(() => instance?.stderr, {timeout: 20_000})
      .toMatch(/krtscope did not run for \d+ (s|min); all sources ask the cluster again/);
    await instance.ready();
    await expect
      .poll(
        async () => (await instance?.get('/api/v1/collections/Namespaces/items/made-meanwhile'))?.status,
        {
          timeout: 20_000,
        },
      )
      .toBe(200);
    expect(await instance.json('/api/v1/session')).toMatchObject({current: true, engine: 'ready'});
    expect(processesOf(main, '--permission')).toEqual(expect.arrayContaining(engines));
    expect(instance.stderr).not.toMatch(/engine process ended/);
  },
);
