import {expect, test} from 'vitest';
import {ManualClock} from '../../../test/manual-clock.ts';
import {PlainQueue} from './plain-queue.ts';
import {lowPriority, PriorityQueue} from './priority-queue.ts';
import type {Queue, QueueObserver} from './queue.ts';
import {atMost, bucket, exponential, fastThenSlow} from './rate-limiter.ts';

const kinds: [string, (clock: ManualClock, observer?: QueueObserver) => Queue][] = [
  ['priority', (clock, observer) => new PriorityQueue({clock, observer})],
  ['plain', (clock, observer) => new PlainQueue({clock, observer})],
];

for (const [name, make] of kinds) {
  test(`[92] ${name}: a key added five times before a worker is free is handed out once`, () => {
    const queue = make(new ManualClock());
    const added = Array.from({length: 5}, () => queue.add('a'));
    expect(added).toEqual(['ready', 'folded', 'folded', 'folded', 'folded']);
    expect(queue.take()?.key).toBe('a');
    queue.done('a');
    expect(queue.take()).toBeUndefined();
  });

  test(`[93] ${name}: added three times during its run, it runs exactly once more, after the first ended`, () => {
    const queue = make(new ManualClock());
    queue.add('a');
    queue.take();
    expect(queue.add('a')).toBe('again');
    queue.add('a');
    queue.add('a');
    expect(queue.take()).toBeUndefined();
    queue.done('a');
    expect(queue.take()?.key).toBe('a');
    queue.done('a');
    expect(queue.take()).toBeUndefined();
  });

  test(`[95] ${name}: waits double from 5 ms to 655.36 s and stay at 1000 s; forgetting starts over`, () => {
    const clock = new ManualClock();
    const queue = make(clock);
    const waits: number[] = [];
    for (let failure = 0; failure < 20; failure++) {
      queue.add('a', {rateLimited: true});
      waits.push(clock.waits()[0]!);
      clock.advance(waits.at(-1)! - 1);
      expect(queue.take(), 'too early').toBeUndefined();
      clock.advance(1);
      expect(queue.take()?.key).toBe('a');
      queue.done('a');
    }
    const doubling = Array.from({length: 18}, (_, failure) => 5 * 2 ** failure);
    expect(waits).toEqual([...doubling, 1_000_000, 1_000_000]);
    expect(waits[17]).toBe(655_360);
    expect(queue.retries('a')).toBe(20);
    queue.forget('a');
    queue.add('a', {rateLimited: true});
    expect(clock.waits()[0]).toBe(5);
  });

  test(`${name}: a worker that waits is given what is added, and undefined when the queue is shut down`, async () => {
    const queue = make(new ManualClock());
    const first = queue.get();
    const second = queue.get();
    queue.add('a');
    expect((await first)?.key).toBe('a');
    queue.shutDown();
    queue.shutDown();
    expect(await second).toBeUndefined();
    expect(queue.add('b')).toBe('refused');
    expect(await queue.get()).toBeUndefined();
  });

  test(`${name}: a hundred thousand keys go in and come out in order`, () => {
    const queue = make(new ManualClock());
    for (let at = 0; at < 100_000; at++) queue.add(`k${at}`);
    for (let at = 0; at < 100_000; at++) {
      const item = queue.take();
      if (item?.key !== `k${at}`) expect(item?.key).toBe(`k${at}`);
      queue.done(item!.key);
    }
    expect(queue.length).toBe(0);
  });

  test(`${name}: a timer that fires too soon hands out nothing`, () => {
    const clock = new ManualClock();
    const cut = Object.assign(Object.create(clock), {
      now: () => clock.now(),
      after: (ms: number, run: () => void) => clock.after(Math.min(ms, 1000), run),
    });
    const queue = make(cut);
    queue.add('a', {after: 5000});
    clock.advance(4999);
    expect(queue.take()).toBeUndefined();
    clock.advance(1);
    expect(queue.take()?.key).toBe('a');
  });

  test(`${name}: an observer hears of every stage`, () => {
    const clock = new ManualClock();
    const heard: string[] = [];
    const tell =
      (what: string) =>
      (...rest: unknown[]) =>
        heard.push([what, ...rest].join(' '));
    const queue = make(clock, {
      onReady: tell('ready'),
      onTaken: tell('taken'),
      onDone: tell('done'),
      onRetry: tell('retry'),
    });
    queue.add('a', {after: 10});
    clock.advance(10);
    clock.advance(3);
    queue.take();
    clock.advance(7);
    expect(queue.running()).toEqual([7]);
    queue.done('a');
    expect(heard).toEqual(['retry a 10', 'ready a 0', 'taken a 0 3', 'done a 7']);
  });
}

test('[98] an event replaces a pending wait in the priority queue; in the plain queue both run', () => {
  const runs = (make: (clock: ManualClock) => Queue) => {
    const clock = new ManualClock();
    const queue = make(clock);
    queue.add('a', {after: 30_000});
    const at: number[] = [];
    for (let second = 1; second <= 40; second++) {
      clock.advance(1000);
      if (second === 5) queue.add('a');
      const item = queue.take();
      if (!item) continue;
      at.push(second);
      queue.done(item.key);
    }
    return at;
  };
  expect(runs(clock => new PriorityQueue({clock}))).toEqual([5]);
  expect(runs(clock => new PlainQueue({clock}))).toEqual([5, 30]);
});

test('[102] [103] what changed goes before what was there at the start, and raising moves to the end', () => {
  const queue = new PriorityQueue({clock: new ManualClock()});
  for (let at = 0; at < 3; at++) queue.add(`initial${at}`, {priority: lowPriority});
  queue.add('changed');
  queue.add('initial1');
  queue.add('later');
  queue.add('initial1', {priority: lowPriority});
  const order = Array.from({length: 5}, () => queue.take());
  expect(order.map(item => item?.key)).toEqual(['changed', 'initial1', 'later', 'initial0', 'initial2']);
  expect(order.map(item => item?.priority)).toEqual([0, 0, 0, -100, -100]);
});

test('a key that was held back by its own run returns to its place, not to the end', () => {
  const queue = new PriorityQueue({clock: new ManualClock()});
  queue.add('a');
  queue.take();
  queue.add('a');
  queue.add('b');
  queue.done('a');
  expect([queue.take()?.key, queue.take()?.key]).toEqual(['a', 'b']);
});

test('keys that are added together are handed to waiting workers by priority', async () => {
  const queue = new PriorityQueue({clock: new ManualClock()});
  const first = queue.get();
  queue.add('low', {priority: lowPriority});
  queue.add('high', {priority: 9});
  expect((await first)?.key).toBe('high');
});

test('with a wait and a rate limit the smaller positive wait is used', () => {
  const clock = new ManualClock();
  const queue = new PriorityQueue({clock});
  queue.add('a', {after: 2, rateLimited: true});
  queue.add('b', {after: 60_000, rateLimited: true});
  expect(queue.view().delayed.map(({key, due}) => [key, due])).toEqual([
    ['a', 2],
    ['b', 5],
  ]);
});

test('[104] a burst of 150 failing keys: the plain queue delays the last 50, the priority queue does not', () => {
  const delays = (make: (clock: ManualClock) => Queue) => {
    const clock = new ManualClock();
    const queue = make(clock);
    for (let at = 0; at < 150; at++) queue.add(`k${at}`, {rateLimited: true});
    return queue.view().delayed.map(({due}) => Math.round(due));
  };
  const plain = delays(clock => new PlainQueue({clock}));
  expect(plain.slice(0, 100)).toEqual(Array(100).fill(5));
  expect(plain.slice(100)).toEqual(Array.from({length: 50}, (_, at) => (at + 1) * 100));
  expect(delays(clock => new PriorityQueue({clock}))).toEqual(Array(150).fill(5));
});

test('[105] shut down with ten keys inside: the priority queue drops them, the plain queue drains them', async () => {
  const drained = async (queue: Queue) => {
    for (let at = 0; at < 10; at++) queue.add(`k${at}`);
    queue.shutDown();
    let count = 0;
    for (let item = await queue.get(); item; item = await queue.get(), count++) queue.done(item.key);
    return count;
  };
  expect(await drained(new PriorityQueue())).toBe(0);
  expect(await drained(new PlainQueue())).toBe(10);
});

test('a drain ends when the last worker is done', async () => {
  const queue = new PlainQueue();
  queue.add('a');
  queue.take();
  queue.add('a');
  let over = false;
  const drain = queue.shutDownWithDrain().then(() => {
    over = true;
  });
  queue.done('a');
  await Promise.resolve();
  expect(over).toBe(false);
  expect(queue.take()?.key).toBe('a');
  queue.done('a');
  await drain;
});

test('levels of priorities that are used once do not pile up', () => {
  const queue = new PriorityQueue();
  for (let at = 0; at < 1000; at++) {
    queue.add('a', {priority: at});
    expect(queue.take()?.priority).toBe(at);
    queue.done('a');
    queue.take();
  }
  expect(queue.take()).toBeUndefined();
});

test('the other limiters keep to their numbers', () => {
  const fast = fastThenSlow({fast: 5, slow: 10_000, attempts: 3});
  expect([1, 2, 3, 4, 5].map(() => fast.when('a'))).toEqual([5, 5, 5, 10_000, 10_000]);
  expect(fast.retries('a')).toBe(5);
  fast.forget('a');
  expect(fast.when('a')).toBe(5);
  const capped = atMost(12, exponential());
  expect([1, 2, 3].map(() => capped.when('a'))).toEqual([5, 10, 12]);
  const clock = new ManualClock();
  const tokens = bucket(clock, {qps: 10, burst: 2});
  expect([tokens.when('a'), tokens.when('b'), tokens.when('c')]).toEqual([0, 0, 100]);
  clock.advance(200);
  expect(tokens.when('d')).toBe(0);
});
