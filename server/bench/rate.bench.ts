// The largest clusters at their busiest: 100,000 Pods, of which 1,000 change every second for a minute, with one Sheet and
// the graph open. How long until a change is on the page's socket, whether anything is missing at rest, and how the memory
// grows. KRTSCOPE_BENCH_PODS and KRTSCOPE_BENCH_SECONDS make it smaller. Only by name: npm run bench -- rate.
import {TestInstance} from '../src/start/testing-instance.ts';
import {ensureWebBuild} from '../src/start/web-build.ts';
import {changeDelays} from './support/change-delays.ts';
import {type EventOrder, LABEL} from './support/label-event.ts';
import {PreparedCluster} from './support/prepared-cluster.ts';
import {type ProcessFigures, residentMegabytes, workedTimes} from './support/process-times.ts';
import type {Bench, Goal, Row} from './support/result-row.ts';
import {SHEET_ROWS, SheetReader} from './support/sheet-reader.ts';

const PODS = Number(process.env.KRTSCOPE_BENCH_PODS ?? 100_000);
const SECONDS = Number(process.env.KRTSCOPE_BENCH_SECONDS ?? 60);
const RATE = 1000;
/** One of so many changes is about a Pod that the Sheet shows: 50 a second, one for each of its rows. */
const SHOWN_EVERY = 20;
/** In the first seconds the code is compiled, and the recording fills up to its limit. */
const WARM_UP_SECONDS = 20;
const PATIENCE_MS = 60_000;
/** Growth that counts as level: garbage collection alone moves memory by this much. */
const LEVEL = 1.15;
/** Rows that are compared at rest. */
const COMPARED = 2000;

const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

async function run(): Promise<Row[]> {
  await ensureWebBuild(() => {});
  const cluster = await PreparedCluster.start(PODS);
  const instance = new TestInstance(['--kubeconfig', cluster.kubeconfig, '--port', '0', '--no-open']);
  let reader: SheetReader | undefined;
  try {
    await instance.ready(10 * PATIENCE_MS);
    const main = instance.child.pid as number;
    const {items} = await instance.json<{items: {key: string}[]}>(
      `/api/v1/collections/Pods/items?limit=${SHEET_ROWS}`,
    );
    reader = await SheetReader.open(instance, {graph: true});
    const order: EventOrder = {
      first: 0,
      count: WARM_UP_SECONDS * RATE,
      rate: RATE,
      shown: items.map(({key}) => key),
      shownEvery: SHOWN_EVERY,
    };
    const warmUp = await cluster.play(order);
    cluster.written.clear();
    const memory: ProcessFigures[] = [];
    const sampling = setInterval(() => memory.push(residentMegabytes(main)), 1000);
    const start = workedTimes(main);
    const measured = {...order, first: order.count, count: SECONDS * RATE};
    const played = await cluster.play(measured);
    const end = workedTimes(main);
    clearInterval(sampling);
    const last = new Map([...warmUp.last, ...played.last]);
    const missing = await missingAtRest(instance, last);
    const delays = changeDelays(cluster, reader, SHEET_ROWS * SHOWN_EVERY);
    const at = (share: number) => delays[Math.floor(delays.length * share)] ?? Number.NaN;
    const unseen = measured.count / SHOWN_EVERY - delays.length;
    const deaths = instance.stderr.split('engine process ended').length - 1;
    const wrong =
      missing > 0 || unseen > 0 || deaths > 0
        ? `${missing} of ${COMPARED} rows are not the last ones, ${unseen} changes were in no frame, ${deaths} deaths`
        : undefined;
    const row = (what: string, value: number, unit: string, goals: Goal[] = []): Row => ({
      name: `rate ${PODS / 1000}k: ${what}`,
      value,
      unit,
      goals,
    });
    const rowsOf = (role: keyof ProcessFigures): Row[] => {
      const samples = memory.map(sample => sample[role]);
      const growth = growthOf(samples);
      return [
        row(`${role}, CPU time of one change`, ((end[role] - start[role]) / measured.count) * 1000, 'us'),
        row(`${role}, resident at most`, Math.max(...samples), 'MB'),
        row(`${role}, memory at the end against the middle`, growth, 'x', [
          {text: `≤ ${LEVEL}`, holds: growth <= LEVEL},
        ]),
      ];
    };
    const [median, late] = [at(0.5), at(0.99)];
    return [
      {
        ...row(`a change to the socket at ${RATE} a second, median`, median, 'ms', [
          {text: '≤ 50 ms', holds: median <= 50},
        ]),
        ...(wrong === undefined ? {} : {wrong}),
      },
      row('a change to the socket, 99th percentile', late, 'ms', [{text: '≤ 250 ms', holds: late <= 250}]),
      row('a change to the socket, the slowest', delays.at(-1) ?? Number.NaN, 'ms'),
      ...rowsOf('main'),
      ...rowsOf('engine'),
    ];
  } finally {
    reader?.close();
    await instance.stop();
    cluster.stop();
  }
}

/** The rows of Pods and Workloads that do not have the last label after a while without changes. */
async function missingAtRest(instance: TestInstance, last: ReadonlyMap<string, number>): Promise<number> {
  const keys = [...last.keys()];
  const step = Math.max(1, Math.floor(keys.length / COMPARED));
  let open = keys.filter((_, place) => place % step === 0).slice(0, COMPARED);
  for (const end = Date.now() + PATIENCE_MS; open.length > 0 && Date.now() < end; await wait(500)) {
    const stale: string[] = [];
    for (const key of open) if (!(await isCurrent(instance, key, `tick-${last.get(key)}`))) stale.push(key);
    open = stale;
  }
  return open.length;
}

async function isCurrent(instance: TestInstance, key: string, label: string): Promise<boolean> {
  const path = (collection: string) => `/api/v1/collections/${collection}/items/${encodeURIComponent(key)}`;
  const pod = await instance.json<{value: {metadata: {labels: Record<string, string>}}}>(path('Pods'));
  const workload = await instance.json<{value: {labels: Record<string, string>} | null}>(path('Workloads'));
  // A Pod that waits for its node has no Workload.
  const workloadLabel = workload.value === null ? label : workload.value.labels[LABEL];
  return pod.value.metadata.labels[LABEL] === label && workloadLabel === label;
}

/** The last quarter against the second one. */
function growthOf(samples: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const mean = (part: readonly number[]) => part.reduce((sum, one) => sum + one, 0) / part.length;
  return mean(samples.slice(-quarter)) / mean(samples.slice(quarter, 2 * quarter));
}

export default {name: 'rate', onDemand: true, run} satisfies Bench;
