// The CPU time of one changed Pod from the API server to the screen, at 10,000 Pods with one open Sheet and with 20.
// The floor parses the watch event once, runs the formulas by hand and writes the frame once.
import type {KubernetesObject, PodObject, ServiceObject} from '../src/graph/kubernetes-objects.ts';
import {TestInstance} from '../src/start/testing-instance.ts';
import {ensureWebBuild} from '../src/start/web-build.ts';
import {labelEvent} from './support/label-event.ts';
import {median, worked} from './support/measure.ts';
import {type FloorInput, formulasByHand} from './support/path-floor.ts';
import {PreparedCluster} from './support/prepared-cluster.ts';
import {type ProcessFigures, workedTimes} from './support/process-times.ts';
import {atMost, type Bench, type Goal, type Row} from './support/result-row.ts';
import {SHEET_ROWS, SheetReader} from './support/sheet-reader.ts';

const PODS = 10_000;
/** One change a frame, and as many as a large cluster has. All of them are about Pods that the Sheet shows. */
const RATES = {slow: {rate: 12.5, count: 125}, fast: {rate: 500, count: 7500}};
const WARM_UP = {rate: 500, count: 6000};

/** The floor's rounds, and the changes of each. */
const ROUNDS = 9;
const PER_ROUND = 4000;

const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

async function run(): Promise<Row[]> {
  await ensureWebBuild(() => {});
  const cluster = await PreparedCluster.start(PODS);
  const instance = new TestInstance(['--kubeconfig', cluster.kubeconfig, '--port', '0', '--no-open']);
  const readers: SheetReader[] = [];
  try {
    await instance.ready();
    const main = instance.child.pid as number;
    const {items} = await instance.json<{items: {key: string}[]}>(
      `/api/v1/collections/Pods/items?limit=${SHEET_ROWS}`,
    );
    const shown = items.map(({key}) => key);
    let first = 0;

    const timesOfOneChange = async (rate: {rate: number; count: number}): Promise<ProcessFigures> => {
      const order = {...rate, first, shown, shownEvery: 1};
      first += rate.count;
      // Without changes the processes work too. Measure that for as long as the changes take.
      const milliseconds = (rate.count / rate.rate) * 1000;
      const start = workedTimes(main);
      await wait(milliseconds);
      const idle = workedTimes(main);
      const played = await cluster.play(order);
      await wait(500);
      const end = workedTimes(main);
      const each = (role: keyof ProcessFigures) =>
        (end[role] - idle[role] - ((idle[role] - start[role]) * (played.milliseconds + 500)) / milliseconds) /
        rate.count;
      return {main: each('main'), engine: each('engine')};
    };

    // Main reads several changes at once if it is behind, and merges waiting writes to one Pod.
    const before = await instance.json<{kept: {newest: {sequence: number}}}>('/api/v1/session');
    const openSheets = async (count: number) => {
      while (readers.length < count) readers.push(await SheetReader.open(instance));
      await wait(1000);
    };
    await openSheets(1);
    await timesOfOneChange(WARM_UP);
    const slow = await timesOfOneChange(RATES.slow);
    const one = await timesOfOneChange(RATES.fast);
    await openSheets(20);
    const twenty = await timesOfOneChange(RATES.fast);
    const floor = await floorOf(instance, await cluster.read(shown[0] as string), readers[0]?.frame ?? '{}');
    const {kept} = await instance.json<{kept: {newest: {sequence: number}}}>('/api/v1/session');
    const batches = kept.newest.sequence - before.kept.newest.sequence;
    const missing = readers.filter(({arrived}) => !arrived.has(first - 1)).length;
    const wrong =
      missing > 0
        ? `${missing} Sheets do not show the last change`
        : batches < first / 2
          ? `${first} changes were ${batches} batches: the machine is busy, and the figures are too good`
          : undefined;
    const both = (times: ProcessFigures) => times.main + times.engine;
    const row = (what: string, milliseconds: number, goals: Goal[] = []): Row => ({
      name: `path 10k: ${what}`,
      value: milliseconds * 1000,
      unit: 'us',
      others: {floor: floor * 1000},
      goals,
      ...(wrong === undefined ? {} : {wrong}),
    });
    const rowsOf = (how: string, times: ProcessFigures, goal: Goal[]): Row[] => [
      row(`one change, ${how}`, both(times), goal),
      row(`one change, ${how}, main`, times.main),
      row(`one change, ${how}, engine`, times.engine),
    ];
    return [
      ...rowsOf(`one Sheet, ${RATES.slow.rate} a second`, slow, []),
      ...rowsOf(`one Sheet, ${RATES.fast.rate} a second`, one, [atMost(3, both(one) / floor, 'floor')]),
      ...rowsOf(`20 Sheets, ${RATES.fast.rate} a second`, twenty, [
        atMost(1.3, both(twenty) / both(one), 'one Sheet'),
      ]),
    ];
  } finally {
    for (const reader of readers) reader.close();
    await instance.stop();
    cluster.stop();
  }
}

/** Milliseconds of the floor for one change. */
async function floorOf(instance: TestInstance, pod: PodObject, frame: string): Promise<number> {
  const {namespace = ''} = pod.metadata;
  const list = async <T extends KubernetesObject>(collection: string): Promise<T[]> => {
    const {items} = await instance.json<{items: {value: T}[]}>(
      `/api/v1/collections/${collection}/items?limit=1000`,
    );
    return items.map(({value}) => value).filter(({metadata}) => metadata.namespace === namespace);
  };
  const {value: home} = await instance.json<{value: KubernetesObject}>(
    `/api/v1/collections/Namespaces/items/${namespace}`,
  );
  const input: FloorInput = {
    services: await list<ServiceObject>('Services'),
    replicaSets: await list<KubernetesObject>('ReplicaSets'),
    namespace: home,
  };
  const text = JSON.stringify(pod);
  const events = [0, 1].map(
    n => `{"type":"MODIFIED","object":${labelEvent(text, {label: `tick-${n}`, version: n})}}`,
  );
  const written = JSON.parse(frame) as unknown;
  // Long rounds, because the clock of the CPU ticks slowly. The median of some of them, as for the product's changes.
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = worked();
    for (let i = 0; i < PER_ROUND; i++) {
      const {object: changed} = JSON.parse(events[i & 1] as string) as {object: PodObject};
      if (formulasByHand(changed, input) === 0) throw new Error('the floor made no row');
      JSON.stringify(written);
    }
    times.push((worked() - start) / PER_ROUND);
  }
  return median(times);
}

export default {name: 'path', run} satisfies Bench;
