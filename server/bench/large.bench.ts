// The largest cluster that Kubernetes supports, from a prepared server: from the start of krtscope to ready, what it takes
// of memory, the first why, and a label on one Pod. KRTSCOPE_BENCH_PODS makes it smaller. Only by name: npm run bench -- large.
import {TestInstance} from '../src/start/testing-instance.ts';
import {ensureWebBuild} from '../src/start/web-build.ts';
import {changeDelays} from './support/change-delays.ts';
import {firstWhy} from './support/first-why.ts';
import {PreparedCluster} from './support/prepared-cluster.ts';
import {residentMegabytes, workedTimes} from './support/process-times.ts';
import type {Bench, Row} from './support/result-row.ts';
import {SheetReader} from './support/sheet-reader.ts';

const PODS = Number(process.env.KRTSCOPE_BENCH_PODS ?? 150_000);
const WRITES = 60;
const WRITES_A_SECOND = 8;
const PATIENCE_MS = 300_000;

async function run(): Promise<Row[]> {
  await ensureWebBuild(() => {});
  const cluster = await PreparedCluster.start(PODS);
  const start = performance.now();
  const instance = new TestInstance(['--kubeconfig', cluster.kubeconfig, '--port', '0', '--no-open']);
  let reader: SheetReader | undefined;
  try {
    await instance.ready(PATIENCE_MS);
    const seconds = (performance.now() - start) / 1000;
    const pid = instance.child.pid as number;
    const worked = workedTimes(pid);
    const {main, engine} = residentMegabytes(pid, 'at most');
    const {total, items} = await instance.json<{total: number; items: {key: string}[]}>(
      '/api/v1/collections/Pods/items?limit=1',
    );
    const size = `${PODS / 1000}k`;
    const why = await firstWhy(instance, `large ${size}`);
    reader = await SheetReader.open(instance);
    const shown = items.map(({key}) => key);
    await cluster.play({first: 0, count: WRITES, rate: WRITES_A_SECOND, shown, shownEvery: 1});
    await new Promise(resolve => setTimeout(resolve, 2000));
    const delays = changeDelays(cluster, reader, 1);
    const deaths = instance.stderr.split('engine process ended').length - 1;
    const wrong =
      total < PODS || deaths > 0 || delays.length < WRITES
        ? `${total} Pods of ${PODS}, ${deaths} deaths, ${delays.length} of ${WRITES} writes reached the socket`
        : undefined;
    const row = (what: string, value: number, unit: string, limit = Infinity): Row => ({
      name: `large ${size}: ${what}`,
      value,
      unit,
      goals: limit === Infinity ? [] : [{text: `≤ ${limit} ${unit}`, holds: value <= limit}],
    });
    return [
      {...row('start to ready', seconds, 's', 30), ...(wrong === undefined ? {} : {wrong})},
      row('main, CPU time until ready', worked.main / 1000, 's'),
      row('engine, CPU time until ready', worked.engine / 1000, 's'),
      row('main, resident at most', main, 'MB', 900),
      row('engine, resident at most', engine, 'MB', 2400),
      row('a label to the socket, median', delays[delays.length >> 1] ?? Number.NaN, 'ms', 50),
      row('a label to the socket, 95th', delays[Math.floor(delays.length * 0.95)] ?? Number.NaN, 'ms'),
      why,
    ];
  } finally {
    reader?.close();
    await instance.stop();
    cluster.stop();
  }
}

export default {name: 'large', onDemand: true, run} satisfies Bench;
