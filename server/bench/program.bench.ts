// What reporting costs a program while no krtscope listens: an engine that is reported against one that is not, on
// W1, and a manager likewise over 10,000 Pods.
import {reportEngine} from '../src/program/report.ts';
import {controllerFor} from '../src/runtime/controller/controller-builder.ts';
import {rawSource} from '../src/runtime/controller/event-source.ts';
import type {Request} from '../src/runtime/controller/request.ts';
import {silentLogger} from '../src/runtime/log/logger.ts';
import {createManager} from '../src/runtime/manager/create-manager.ts';
import {Program} from '../src/runtime/report/program.ts';
import {Pod} from '../src/runtime/scheme/built-in-kinds.ts';
import {KrtWorkloads} from './contenders/krt-engine.ts';
import {measure, median, worked} from './support/measure.ts';
import {atMost, type Bench, type Row} from './support/result-row.ts';
import {podWire, requests} from './support/runtime-pods.ts';
import {makeWorkloadObjects} from './support/workload-objects.ts';
import {newIps} from './support/workload-scripts.ts';

// Nobody listens on this port: it looks again and again, as it would beside a krtscope that is not there.
const unheard = {name: 'bench', env: {KRTSCOPE_URL: 'http://127.0.0.1:9/?token=none'}, retry: 50};

/** A manager whose one controller reads a Pod and its neighbours on the Node. */
async function makeOperator(report: false | Program) {
  const manager = await createManager({
    transport: podWire(),
    metrics: {bindAddress: '0'},
    cache: {streaming: false},
    log: silentLogger,
    report,
  });
  await manager.cache.indexField(Pod, 'node', object => object.spec?.nodeName);
  let left = 0;
  let done = () => {};
  let add: (request: Request) => void = () => {};
  controllerFor(manager)
    .named('bench')
    .watchesRaw(
      rawSource('bench', enqueue => {
        add = enqueue;
      }),
    )
    .complete(async request => {
      const found = await manager.client.get(Pod, request);
      await manager.client.list(Pod, {fields: {node: found.spec?.nodeName ?? ''}});
      if (--left === 0) done();
    });
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await manager.elected;
  return {
    async round(): Promise<number> {
      globalThis.gc?.();
      const start = worked();
      left = requests.length;
      const all = new Promise<void>(resolve => {
        done = resolve;
      });
      for (const request of requests) add(request);
      await all;
      return worked() - start;
    },
    async end() {
      stop.abort();
      await running;
    },
  };
}

async function managers(): Promise<Row> {
  const program = new Program(unheard);
  const plain = await makeOperator(false);
  const reported = await makeOperator(program);
  const times = {plain: [] as number[], reported: [] as number[]};
  for (let round = 0; round < 24; round++) {
    times.plain.push(await plain.round());
    times.reported.push(await reported.round());
  }
  const heard = program.session !== undefined;
  await Promise.all([plain.end(), reported.end()]);
  program.end();
  const value = median(times.reported);
  const other = median(times.plain);
  return {
    name: 'a manager that nobody hears (10k reconciles)',
    value,
    unit: 'ms',
    others: {'not reported': other},
    goals: [atMost(1.05, value / other, 'a manager that is not reported')],
    ...(heard ? {wrong: 'somebody listened'} : {}),
  };
}

const bench: Bench = {
  name: 'program',
  async run() {
    const world = makeWorkloadObjects(1000, 50, 2, 25);
    const script = newIps(world, false);
    const entry = (name: string, target: KrtWorkloads) => {
      const own = script();
      return {name, op: () => own.op(target)};
    };
    const plain = new KrtWorkloads(world, 1);
    const reported = new KrtWorkloads(world, 1);
    const program = reportEngine(reported.engine, unheard);
    const figures = measure([entry('plain', plain), entry('reported', reported)], {rounds: 30, perRound: 30});
    const heard = program.session !== undefined;
    program.end();
    const row = {
      name: 'a program that nobody hears (W1)',
      value: figures.reported!,
      unit: 'ms',
      others: {'not reported': figures.plain!},
      goals: [atMost(1.05, figures.reported! / figures.plain!, 'an engine that is not reported')],
    };
    return [heard ? {...row, wrong: 'somebody listened'} : row, await managers()];
  },
};
export default bench;
