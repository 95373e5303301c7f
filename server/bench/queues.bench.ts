// A hundred thousand keys queued and drained: the time must grow with their number and not faster.
import {systemClock} from '../src/kube/clock.ts';
import {PlainQueue} from '../src/runtime/queue/plain-queue.ts';
import {PriorityQueue} from '../src/runtime/queue/priority-queue.ts';
import type {Queue} from '../src/runtime/queue/queue.ts';
import {exponent, worked} from './support/measure.ts';
import type {Bench, Row} from './support/result-row.ts';

const MOST = 100_000;
const SIZES = [12_500, 25_000, 50_000, MOST];
const ROUNDS = 6;

function drain(queue: Queue, size: number): void {
  for (let i = 0; i < size; i++) queue.add(`ns-${i % 50}/key-${i}`, i % 3 === 0 ? {priority: -100} : {});
  for (let item = queue.take(); item; item = queue.take()) {
    queue.forget(item.key);
    queue.done(item.key);
  }
}

/** The least that holds each key once: how much of the growth is the machine's memory. */
function bareMap(size: number): void {
  const map = new Map<string, {key: string}>();
  const order: string[] = [];
  for (let i = 0; i < size; i++) {
    const key = `ns-${i % 50}/key-${i}`;
    map.set(key, {key});
    order.push(key);
  }
  for (const key of order) map.delete(key);
}

/** Milliseconds for one of this size: as many are filled and drained as make the largest one. */
function timed(op: (size: number) => void, size: number): number {
  const times = MOST / size;
  globalThis.gc?.();
  const start = worked();
  for (let i = 0; i < times; i++) op(size);
  return (worked() - start) / times;
}

function growth(op: (size: number) => void): {most: number; slope: number} {
  const best = SIZES.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, size] of SIZES.entries()) best[at] = Math.min(best[at]!, timed(op, size));
  return {most: best.at(-1)!, slope: exponent(SIZES.map((size, at) => [size, best[at]!]))};
}

function linear(name: string, make: () => Queue, bare: number): Row {
  const {most, slope} = growth(size => drain(make(), size));
  const text = `grows linearly: exponent ${slope.toFixed(2)}, a bare Map's ${bare.toFixed(2)}`;
  return {
    name: `${name} 100k keys`,
    value: most,
    unit: 'ms',
    goals: [{text, holds: slope <= Math.max(1.1, bare + 0.05)}],
  };
}

const bench: Bench = {
  name: 'queues',
  async run() {
    const bare = growth(bareMap).slope;
    return [
      linear('priority queue', () => new PriorityQueue({clock: systemClock}), bare),
      linear('plain queue', () => new PlainQueue({clock: systemClock}), bare),
    ];
  },
};
export default bench;
