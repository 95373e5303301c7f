// The controller runtime beside a loop that somebody wrote by hand over the same cache: both have a queue that
// deduplicates, and do one get, one indexed list and one await for each key. No writes.
import {DynamicClient} from '../src/kube/client.ts';
import {systemClock} from '../src/kube/clock.ts';
import type {KubeObject} from '../src/kube/object.ts';
import {InformerCache} from '../src/runtime/cache/informer-cache.ts';
import {Controller} from '../src/runtime/controller/controller.ts';
import {enqueueObject} from '../src/runtime/controller/handler.ts';
import {type Request, requestOf} from '../src/runtime/controller/request.ts';
import {kindSource, rawSource} from '../src/runtime/controller/source.ts';
import {silentLogger} from '../src/runtime/log/logger.ts';
import {PlainQueue} from '../src/runtime/queue/plain-queue.ts';
import {PriorityQueue} from '../src/runtime/queue/priority-queue.ts';
import type {Queue} from '../src/runtime/queue/queue.ts';
import {Pod} from '../src/runtime/scheme/built-in.ts';
import {Mapper} from '../src/runtime/scheme/mapper.ts';
import {TestWire} from '../src/runtime/testing-wire.ts';
import {exponent} from './measure.ts';
import type {Bench, Goal, Row} from './row.ts';

const SIZE = 10_000;
const NODES = 1000;
const ROUNDS = 6;
const EVENTS = 200;
const PODS = '/api/v1/pods';

function pod(index: number, version: number): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: `team-${index % 20}`,
      name: `pod-${index}`,
      uid: `uid-${index}`,
      resourceVersion: String(version),
      labels: {app: `app-${index % 50}`, team: `team-${index % 20}`},
    },
    spec: {nodeName: `node-${index % NODES}`, containers: [{name: 'main', image: `app:${index % 7}`}]},
    status: {
      phase: 'Running',
      podIP: `10.0.${index >> 8}.${index & 255}`,
      conditions: [{type: 'Ready', status: 'True'}],
    },
  };
}

async function makeCache(): Promise<{cache: InformerCache; wire: TestWire; stop: AbortController}> {
  const wire = new TestWire();
  wire.put(PODS, ...Array.from({length: SIZE}, (_, i) => pod(i, i + 1)));
  const cache = new InformerCache({
    client: new DynamicClient(wire),
    mapper: new Mapper(wire),
    streaming: false,
  });
  const stop = new AbortController();
  await cache.indexField(Pod, 'node', object => object.spec?.nodeName);
  void cache.start(stop.signal);
  await cache.waitForSync();
  return {cache, wire, stop};
}

/** What both do for a key; how much they have seen must be the same. */
function worker(cache: InformerCache): {work: (request: Request) => Promise<void>; seen: () => number} {
  let seen = 0;
  return {
    async work(request) {
      const found = await cache.get(Pod, request);
      const {items} = await cache.list(Pod, {fields: {node: found.spec?.nodeName ?? ''}});
      await Promise.resolve();
      seen += items.length;
    },
    seen: () => seen,
  };
}

class HandWritten {
  readonly #waiting = new Set<string>();
  readonly #work: (request: Request) => Promise<void>;

  constructor(work: (request: Request) => Promise<void>) {
    this.#work = work;
  }

  add(key: string): void {
    this.#waiting.add(key);
  }

  async drain(): Promise<void> {
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      await this.#work(requestOf(key));
    }
  }
}

class OnRuntime {
  readonly controller: Controller;
  add: (key: string) => void = () => {};
  #left = 0;
  #done = () => {};

  constructor(work: (request: Request) => Promise<void>) {
    this.controller = new Controller(
      'bench',
      async request => {
        await work(request);
        if (--this.#left === 0) this.#done();
      },
      {log: silentLogger, clock: systemClock},
    );
    void this.controller.watch(
      rawSource('bench', enqueue => {
        this.add = key => enqueue(requestOf(key));
      }),
    );
  }

  expect(keys: number): Promise<void> {
    this.#left = keys;
    return new Promise(resolve => {
      this.#done = resolve;
    });
  }
}

function used(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const keys = Array.from({length: SIZE}, (_, i) => `team-${i % 20}/pod-${i}`);

async function rates(): Promise<Row[]> {
  const before = used();
  const {cache, stop} = await makeCache();
  const cached = used() - before;
  const ours = worker(cache);
  const theirs = worker(cache);
  const runtime = new OnRuntime(ours.work);
  const hand = new HandWritten(theirs.work);
  const running = runtime.controller.start(stop.signal);
  await new Promise(resolve => setImmediate(resolve));
  let [fast, floor] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.();
    let start = performance.now();
    const done = runtime.expect(SIZE);
    for (const key of keys) runtime.add(key);
    await done;
    fast = Math.min(fast, performance.now() - start);
    globalThis.gc?.();
    start = performance.now();
    for (const key of keys) hand.add(key);
    await hand.drain();
    floor = Math.min(floor, performance.now() - start);
  }
  const wrong =
    ours.seen() === theirs.seen() ? {} : {wrong: `${ours.seen()} and ${theirs.seen()} rows were seen`};
  runtime.controller.pause();
  const empty = used();
  for (const key of keys) runtime.add(key);
  const queued = used() - empty;
  for (const key of keys) hand.add(key);
  const byHand = used() - empty - queued;
  const memory = (cached + queued) / (cached + byHand);
  stop.abort();
  await running;
  return [
    {
      name: 'RT reconciles/s 10k',
      value: (SIZE / fast) * 1000,
      unit: '',
      others: {'hand-written': (SIZE / floor) * 1000},
      goals: [atLeast(0.7, floor / fast, 'of a hand-written loop')],
      ...wrong,
    },
    {
      name: 'RT memory 10k queued',
      value: memory,
      unit: 'x',
      goals: [{text: '≤ 1.3 of a hand-written loop', holds: memory <= 1.3}],
    },
  ];
}

async function latency(): Promise<Row> {
  const {cache, wire, stop} = await makeCache();
  let heard = (_: string) => {};
  const controller = new Controller('bench', ({name}) => heard(name), {
    log: silentLogger,
    clock: systemClock,
  });
  await controller.watch(kindSource({cache, kind: Pod, handler: enqueueObject(), clock: systemClock}));
  let first = SIZE;
  const settled = new Promise<void>(resolve => {
    heard = () => void (--first === 0 && resolve());
  });
  const running = controller.start(stop.signal);
  await settled;
  const times: number[] = [];
  for (let i = 0; i < EVENTS; i++) {
    const ran = new Promise<void>(resolve => {
      heard = () => resolve();
    });
    const start = performance.now();
    wire.emit(PODS, 'MODIFIED', {...pod(i, 0), status: {phase: 'Running', n: i}});
    await ran;
    times.push(performance.now() - start);
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  stop.abort();
  await running;
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1]!;
  return {
    name: 'RT event to reconcile',
    value: median,
    unit: 'ms',
    goals: [{text: '< 2 ms at the median', holds: median < 2}],
  };
}

function drain(queue: Queue, size: number): number {
  const start = performance.now();
  for (let i = 0; i < size; i++) queue.add(`ns-${i % 50}/key-${i}`, i % 3 === 0 ? {priority: -100} : {});
  for (let item = queue.take(); item; item = queue.take()) {
    queue.forget(item.key);
    queue.done(item.key);
  }
  return performance.now() - start;
}

function linear(name: string, make: () => Queue): Row {
  const sizes = [12_500, 25_000, 50_000, 100_000];
  const points = sizes.map(size => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 6; round++) {
      globalThis.gc?.();
      best = Math.min(best, drain(make(), size));
    }
    return [size, best] as const;
  });
  const slope = exponent(points);
  return {
    name: `RT ${name} 100k keys`,
    value: points.at(-1)![1],
    unit: 'ms',
    others: {exponent: slope},
    goals: [{text: 'grows linearly (exponent ≤ 1.15)', holds: slope <= 1.15}],
  };
}

function atLeast(limit: number, figure: number, what: string): Goal {
  return {text: `≥ ${limit} ${what} (${figure.toFixed(2)})`, holds: figure >= limit};
}

const bench: Bench = {
  name: 'RT',
  async run() {
    return [
      ...(await rates()),
      await latency(),
      linear('priority queue', () => new PriorityQueue({clock: systemClock})),
      linear('plain queue', () => new PlainQueue({clock: systemClock})),
    ];
  },
};
export default bench;
