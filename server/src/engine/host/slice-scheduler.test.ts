import {setImmediate as turn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {SliceScheduler} from './slice-scheduler.ts';

function* busy(milliseconds: number): Generator<undefined, string> {
  const end = performance.now() + milliseconds;
  let spent = 0;
  for (let last = performance.now(); spent < milliseconds; last = performance.now()) {
    while (performance.now() - last < 0.2);
    spent += 0.2;
    yield;
  }
  return `done after ${end}`;
}

test('long work lets others have their turn, and short work is done at once', async () => {
  const slices = new SliceScheduler();
  const finished: string[] = [];
  const failed = (error: unknown) => finished.push(String(error));
  slices.run(busy(0.6), () => finished.push('short'), failed);
  expect(finished).toEqual(['short']);
  let turns = 0;
  let took = 0;
  slices.run(
    busy(120),
    (_, spent) => {
      took = spent;
      finished.push('long');
    },
    failed,
  );
  slices.run(busy(30), () => finished.push('second'), failed);
  while (finished.length < 3) {
    await turn();
    turns++;
  }
  expect(finished).toEqual(['short', 'second', 'long']);
  expect(turns).toBeGreaterThan(5);
  expect(took).toBeGreaterThan(100);
});

test('work that throws says so, and the rest goes on', async () => {
  const slices = new SliceScheduler();
  const said: string[] = [];
  // biome-ignore lint/correctness/useYield: it never gets that far
  function* broken(): Generator<undefined, string> {
    throw new Error('broken');
  }
  slices.run(busy(40), () => said.push('done'), String);
  slices.run(
    broken(),
    () => said.push('never'),
    error => said.push((error as Error).message),
  );
  while (said.length < 2) await turn();
  expect(said.sort()).toEqual(['broken', 'done']);
});

test('after each slice it is told: what ran in it does not run any more', async () => {
  let rests = 0;
  const slices = new SliceScheduler(() => rests++);
  let done = false;
  slices.run(
    busy(60),
    () => {
      done = true;
    },
    () => {},
  );
  expect([rests, done]).toEqual([1, false]);
  while (!done) await turn();
  expect(rests).toBeGreaterThan(2);
  slices.run(
    // biome-ignore lint/correctness/useYield: it fails before its first step is over
    (function* () {
      throw new Error('no');
    })(),
    () => {},
    () => {
      rests = 0;
    },
  );
  expect(rests).toBe(1);
});
