// The engine process is killed while two other processes keep all cores busy, at 50,000 Pods and with the standby warm: the time
// until all rows can be read again. KRTSCOPE_BENCH_PODS changes the size. Only by name: npm run bench -- kill.
import {type ChildProcess, spawn} from 'node:child_process';
import {availableParallelism} from 'node:os';
import {cpuTimeOf} from '../src/engine/supervisor/cpu-time.ts';
import {processesOf, TestInstance} from '../src/start/testing-instance.ts';
import {ensureWebBuild} from '../src/start/web-build.ts';
import {PreparedCluster} from './support/prepared-cluster.ts';
import type {Bench, Row} from './support/result-row.ts';

const PODS = Number(process.env.KRTSCOPE_BENCH_PODS ?? 50_000);
const PATIENCE_MS = 120_000;
const ROUNDS = 2;

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));
/** The engine processes, the one at work first: it has worked more than the standby. */
const enginesOf = (main: number) =>
  processesOf(main, 'engine/host/main').sort((a, b) => (cpuTimeOf(b) ?? 0) - (cpuTimeOf(a) ?? 0));

/** Waits for a standby process that has finished its warm-up, and returns the process at work. */
async function engineWithStandby(main: number): Promise<number> {
  const end = performance.now() + PATIENCE_MS;
  for (let before = -1; performance.now() < end; ) {
    const [engine, standby] = enginesOf(main);
    const worked = standby === undefined ? undefined : cpuTimeOf(standby);
    if (engine !== undefined && worked !== undefined && worked === before) return engine;
    before = worked ?? -1;
    await pause(1500);
  }
  throw new Error('no standby process became warm');
}

/** Milliseconds until the session is ready and has all Pods again. */
async function timeToReturn(instance: TestInstance, engine: number): Promise<number> {
  const start = performance.now();
  process.kill(engine, 'SIGKILL');
  for (;;) {
    await pause(100);
    const passed = performance.now() - start;
    if (passed > PATIENCE_MS) return Number.NaN;
    const rows = await instance.get('/api/v1/collections/Pods/items?limit=1').catch(() => undefined);
    const total = rows?.ok ? ((await rows.json()) as {total: number}).total : 0;
    if (total >= PODS && (await instance.get('/readyz')).status === 200) return performance.now() - start;
  }
}

async function run(): Promise<Row[]> {
  await ensureWebBuild(() => {});
  const cluster = await PreparedCluster.start(PODS);
  const instance = new TestInstance(['--kubeconfig', cluster.kubeconfig, '--port', '0', '--no-open']);
  const busy: ChildProcess[] = [];
  try {
    await instance.ready(PATIENCE_MS);
    const main = instance.child.pid as number;
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const engine = await engineWithStandby(main);
      for (let one = 0; one < availableParallelism(); one++)
        busy.push(spawn(process.execPath, ['-e', 'for(;;);'], {stdio: 'ignore'}));
      await pause(1000);
      times.push((await timeToReturn(instance, engine)) / 1000);
      for (const one of busy.splice(0)) one.kill('SIGKILL');
    }
    const longest = Math.max(...times);
    const row: Row = {
      name: `engine killed at ${PODS / 1000}k Pods, all cores busy: back after`,
      value: longest,
      unit: 's',
      goals: [{text: '≤ 15 s', holds: longest <= 15}],
    };
    return Number.isNaN(longest) ? [{...row, wrong: 'not all rows came back'}] : [row];
  } finally {
    for (const one of busy) one.kill('SIGKILL');
    await instance.stop();
    cluster.stop();
  }
}

export default {name: 'kill', onDemand: true, run} satisfies Bench;
