import {expect, test} from 'vitest';
import {ManualClock} from '../../../test/manual-clock.ts';
import {AuditSchedule} from './audit-schedule.ts';
import type {Informer} from './informer.ts';

const MINUTE = 60_000;

function rig(kinds: Record<string, {size: number; requestMs: number}>) {
  const clock = new ManualClock();
  const log: {name: string; at: number}[] = [];
  let running = 0;
  let most = 0;
  const informers = Object.entries(kinds).map(([name, {size, requestMs}]) => ({
    cache: {size},
    audit: async () => {
      most = Math.max(most, ++running);
      log.push({name, at: clock.now()});
      await Promise.resolve();
      running--;
      return requestMs;
    },
  }));
  const schedule = new AuditSchedule(clock, () => informers as unknown as Informer[]);
  const advance = async (ms: number) => {
    for (let at = 0; at < ms; at += 10_000) {
      clock.advance(10_000);
      for (let n = 0; n < 10; n++) await Promise.resolve();
    }
  };
  const names = () => log.map(({name}) => name);
  return {schedule, advance, log, names, most: () => most};
}

test('every small kind is compared every ten minutes, one at a time', async () => {
  const {advance, log, names, most} = rig({
    Pods: {size: 100, requestMs: 20},
    Services: {size: 10, requestMs: 10},
  });
  await advance(9 * MINUTE);
  expect(names()).toEqual([]);
  await advance(2 * MINUTE);
  expect(names().sort()).toEqual(['Pods', 'Services']);
  await advance(10 * MINUTE);
  expect(log.length).toBe(4);
  expect(most()).toBe(1);
});

test('a large kind waits until its requests take less than one percent of the clock', async () => {
  const {advance, log, names} = rig({
    Pods: {size: 150_000, requestMs: 30_000},
    Services: {size: 1, requestMs: 1},
  });
  await advance(45 * MINUTE);
  expect(names()).not.toContain('Pods');
  await advance(120 * MINUTE);
  const spent = log.filter(({name}) => name === 'Pods').length * 30_000;
  expect(spent).toBeGreaterThan(0);
  expect(spent).toBeLessThanOrEqual(0.01 * 165 * MINUTE);
  expect(names().filter(name => name === 'Services').length).toBeGreaterThan(10);
});

test('a request compares all kinds at once, whatever the budget', async () => {
  const {schedule, names} = rig({
    Pods: {size: 150_000, requestMs: 30_000},
    Services: {size: 1, requestMs: 1},
  });
  await schedule.auditAll();
  expect(names()).toEqual(['Pods', 'Services']);
});

test('a stopped schedule compares nothing', async () => {
  const {schedule, advance, names} = rig({Pods: {size: 1, requestMs: 1}});
  schedule.stop();
  await advance(20 * MINUTE);
  expect(names()).toEqual([]);
});
