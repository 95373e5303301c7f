// Both queues against models, and their rules over any history: one worker for each key, nothing lost, no second run
// for one add, no shortened delay.

import fc from 'fast-check';
import {expect, test} from 'vitest';
import {ManualClock} from '../../../test/manual-clock.ts';
import {PlainQueue} from './plain-queue.ts';
import {PriorityQueue} from './priority-queue.ts';
import type {Queue} from './queue.ts';
import {exponential, type RateLimiter} from './rate-limiter.ts';
import {type ModelQueue, PlainModel, PriorityModel} from './testing-queue-model.ts';

type Step =
  | {do: 'add'; key: string; after: number; priority: number}
  | {do: 'limited'; key: string; after: number; priority: number}
  | {do: 'take'}
  | {do: 'done'; nth: number}
  | {do: 'forget'; key: string}
  | {do: 'advance'; ms: number};

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const priority = fc.constantFrom(-100, 0, 0, 0, 7);
const after = fc.constantFrom(0, 0, 0, 5, 20, 100);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {weight: 5, arbitrary: fc.record({do: fc.constant('add' as const), key, after, priority})},
    {weight: 2, arbitrary: fc.record({do: fc.constant('limited' as const), key, after, priority})},
    {weight: 4, arbitrary: fc.record({do: fc.constant('take' as const)})},
    {weight: 3, arbitrary: fc.record({do: fc.constant('done' as const), nth: fc.nat(7)})},
    {weight: 1, arbitrary: fc.record({do: fc.constant('forget' as const), key})},
    {
      weight: 3,
      arbitrary: fc.record({do: fc.constant('advance' as const), ms: fc.integer({min: 1, max: 60})}),
    },
  ),
  {maxLength: 120},
);

const kinds: [
  string,
  (clock: ManualClock, rateLimiter: RateLimiter) => Queue,
  () => ModelQueue & {inFlight: Set<string>},
][] = [
  ['priority', (clock, rateLimiter) => new PriorityQueue({clock, rateLimiter}), () => new PriorityModel()],
  ['plain', (clock, rateLimiter) => new PlainQueue({clock, rateLimiter}), () => new PlainModel()],
];

for (const [name, makeQueue, makeModel] of kinds) {
  test(`the ${name} queue hands out the same keys in the same order as its model`, () => {
    fc.assert(
      fc.property(steps, history => {
        const clock = new ManualClock();
        const queue = makeQueue(clock, exponential());
        const limiter = exponential();
        const model = makeModel();
        for (const step of history) {
          if (step.do === 'add') {
            queue.add(step.key, {after: step.after, priority: step.priority});
            model.add(step.key, step.after, step.priority);
          } else if (step.do === 'limited') {
            queue.add(step.key, {after: step.after, priority: step.priority, rateLimited: true});
            const limited = limiter.when(step.key);
            const wait = step.after > 0 ? Math.min(step.after, limited) : limited;
            model.add(step.key, wait, step.priority);
          } else if (step.do === 'take') {
            expect(queue.take()?.key).toBe(model.take());
          } else if (step.do === 'done') {
            const one = [...model.inFlight][step.nth];
            if (one === undefined) continue;
            queue.done(one);
            model.done(one);
          } else if (step.do === 'forget') {
            queue.forget(step.key);
            limiter.forget(step.key);
          } else {
            clock.advance(step.ms);
            (model as PlainModel | PriorityModel).advance(step.ms);
          }
          const view = queue.view();
          expect(view.ready.map(item => item.key)).toEqual(model.ready);
          expect(view.delayed.map(item => item.key)).toEqual(model.delayed);
          expect(view.inFlight).toEqual([...model.inFlight]);
        }
      }),
      {numRuns: 400},
    );
  });

  test(`the ${name} queue keeps its promises to workers that come and go`, async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({min: 1, max: 4}), async (history, workers) => {
        const clock = new ManualClock();
        const queue = makeQueue(clock, exponential());
        const adds = new Map<string, {due: number; unused: boolean; answered: boolean}[]>();
        const running = new Set<string>();
        const ends: (() => void)[] = [];
        const runs: string[] = [];
        const work = async () => {
          for (let item = await queue.get(); item; item = await queue.get()) {
            expect(running.has(item.key), 'two workers with one key').toBe(false);
            const asked = adds.get(item.key) ?? [];
            const due = asked.filter(add => add.unused && add.due <= clock.now());
            expect(due.length, 'a run that no add asked for, or one that came too early').toBeGreaterThan(0);
            for (const add of asked) {
              add.answered = true;
              // The priority queue answers a wait with the next run. The plain queue runs again after it.
              if (name === 'priority' || add.due <= clock.now()) add.unused = false;
            }
            running.add(item.key);
            runs.push(item.key);
            await new Promise<void>(resolve => ends.push(resolve));
            running.delete(item.key);
            queue.done(item.key);
          }
        };
        const all = Array.from({length: workers}, work);
        for (const step of history) {
          if (step.do === 'add') {
            const now = clock.now();
            const asked = adds.get(step.key) ?? [];
            asked.push({due: now + step.after, unused: true, answered: false});
            adds.set(step.key, asked);
            queue.add(step.key, {after: step.after, priority: step.priority});
          } else if (step.do === 'done') ends.splice(step.nth, 1)[0]?.();
          else if (step.do === 'advance') clock.advance(step.ms);
          await settled();
        }
        // All work is finished.
        for (let left = 0; left < 100; left++) {
          clock.advance(1000);
          for (const end of ends.splice(0)) end();
          await settled();
        }
        for (const [one, asked] of adds)
          expect(
            asked.filter(add => !add.answered),
            `adds of ${one} that were lost`,
          ).toEqual([]);
        const count = [...adds.values()].reduce((sum, asked) => sum + asked.length, 0);
        expect(runs.length).toBeLessThanOrEqual(count);
        queue.shutDown();
        await Promise.all(all);
      }),
      {numRuns: 200},
    );
  });
}

/** Resolved promises have run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await Promise.resolve();
}
