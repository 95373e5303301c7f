// The controller runtime beside a loop that somebody wrote by hand over the same cache: both have a queue that
// deduplicates, and do one get, one indexed list and one await for each key. No writes.
import {DynamicClient} from '../src/kube/client/dynamic-client.ts';
import {systemClock} from '../src/kube/clock.ts';
import {InformerCache} from '../src/runtime/cache/informer-cache.ts';
import {Controller} from '../src/runtime/controller/controller.ts';
import {enqueueObject} from '../src/runtime/controller/event-handler.ts';
import {kindSource, rawSource} from '../src/runtime/controller/event-source.ts';
import {type Request, requestOf} from '../src/runtime/controller/request.ts';
import {silentLogger} from '../src/runtime/log/logger.ts';
import {Pod} from '../src/runtime/scheme/built-in-kinds.ts';
import {keyText} from '../src/runtime/scheme/kind.ts';
import {Mapper} from '../src/runtime/scheme/mapper.ts';
import type {TestWire} from '../src/runtime/testing-wire.ts';
import {median, worked} from './support/measure.ts';
import type {Bench, Goal, Row} from './support/result-row.ts';
import {PODS, pod, podWire, requests, SIZE} from './support/runtime-pods.ts';

const ROUNDS = 20;
const EVENTS = 200;

async function makeCache(): Promise<{cache: InformerCache; wire: TestWire; stop: AbortController}> {
  const wire = podWire();
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
class Work {
  seen = 0;
  #left = 0;
  #done = () => {};
  readonly #cache: InformerCache;

  constructor(cache: InformerCache) {
    this.#cache = cache;
  }

  /** Resolves when so many keys are done. */
  expect(left: number): Promise<void> {
    this.#left = left;
    return new Promise(resolve => {
      this.#done = resolve;
    });
  }

  readonly run = async (request: Request): Promise<void> => {
    const found = await this.#cache.get(Pod, request);
    const {items} = await this.#cache.list(Pod, {fields: {node: found.spec?.nodeName ?? ''}});
    await Promise.resolve();
    this.seen += items.length;
    if (--this.#left === 0) this.#done();
  };
}

class HandWritten {
  readonly #waiting = new Set<string>();
  readonly #work: Work;

  constructor(work: Work) {
    this.#work = work;
  }

  add(request: Request): void {
    this.#waiting.add(keyText(request));
  }

  async drain(): Promise<void> {
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      await this.#work.run(requestOf(key));
    }
  }
}

class OnRuntime {
  readonly controller: Controller;
  add: (request: Request) => void = () => {};

  constructor(work: Work) {
    this.controller = new Controller('bench', work.run, {log: silentLogger, clock: systemClock});
    void this.controller.watch(
      rawSource('bench', enqueue => {
        this.add = enqueue;
      }),
    );
  }
}

function used(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function rates(): Promise<Row[]> {
  const before = used();
  const {cache, stop} = await makeCache();
  const cached = used() - before;
  const ours = new Work(cache);
  const theirs = new Work(cache);
  const runtime = new OnRuntime(ours);
  const hand = new HandWritten(theirs);
  const running = runtime.controller.start(stop.signal);
  await new Promise(resolve => setImmediate(resolve));
  const fast: number[] = [];
  const floor: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.();
    let start = worked();
    const done = ours.expect(SIZE);
    for (const request of requests) runtime.add(request);
    await done;
    fast.push(worked() - start);
    globalThis.gc?.();
    start = worked();
    for (const request of requests) hand.add(request);
    await hand.drain();
    floor.push(worked() - start);
  }
  const wrong = ours.seen === theirs.seen ? {} : {wrong: `${ours.seen} and ${theirs.seen} rows were seen`};
  runtime.controller.pause();
  const empty = used();
  for (const request of requests) runtime.add(request);
  const queued = used() - empty;
  for (const request of requests) hand.add(request);
  const byHand = used() - empty - queued;
  const memory = (cached + queued) / (cached + byHand);
  stop.abort();
  await running;
  return [
    {
      name: 'RT reconciles/s 10k',
      value: (SIZE / median(fast)) * 1000,
      unit: '',
      others: {'hand-written': (SIZE / median(floor)) * 1000},
      goals: [atLeast(0.7, median(floor) / median(fast), 'of a hand-written loop')],
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
  const typical = median(times);
  return {
    name: 'RT event to reconcile',
    value: typical,
    unit: 'ms',
    goals: [{text: '< 2 ms at the median', holds: typical < 2}],
  };
}

function atLeast(limit: number, figure: number, what: string): Goal {
  return {text: `≥ ${limit} ${what} (${figure.toFixed(2)})`, holds: figure >= limit};
}

const bench: Bench = {
  name: 'RT',
  async run() {
    return [...(await rates()), await latency()];
  },
};
export default bench;
