// Freshness in wall time while the wall clock steps. The sources themselves use monotonic time.
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {SourceFresh} from '../engine/link/engine-link.ts';
import type {Informer} from '../kube/informer/informer.ts';
import {FreshnessMonitor} from './freshness-monitor.ts';

const HOUR = 3_600_000;
let reports: SourceFresh[] = [];
let steps: string[] = [];
let monitor: FreshnessMonitor;
let informer: {state: {phase: string}; asOf: number};

beforeEach(() => {
  reports = [];
  steps = [];
  monitor = new FreshnessMonitor(
    {freshen: news => void reports.push(...news)},
    () => {},
    reason => void steps.push(reason),
  );
  informer = {state: {phase: 'synced'}, asOf: performance.now()};
  monitor.add('Pods', informer as unknown as Informer);
  monitor.check();
});

afterEach(() => {
  monitor.stop();
  vi.restoreAllMocks();
});

function stepClock(ms: number): void {
  const real = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => real() + ms);
}

test.each([-HOUR, HOUR])(
  'a step of %d ms is noticed once, and no source is current until it is heard again',
  step => {
    expect(monitor.worst).toMatchObject({current: true});
    stepClock(step);
    monitor.check();
    monitor.check();
    expect(steps).toEqual([`the clock of this machine stepped ${step > 0 ? 'forward' : 'back'} by 60 min`]);
    expect(monitor.worst).toMatchObject({current: false});
    expect(monitor.worst?.asOf).toBeLessThanOrEqual(Date.now());

    informer.asOf = performance.now();
    monitor.check();
    expect(monitor.worst).toMatchObject({current: true});
    expect(Math.abs((monitor.worst?.asOf ?? 0) - Date.now())).toBeLessThan(5000);
    expect(reports.at(-1)).toMatchObject({collection: 'Pods', current: true});
  },
);

test('a process that was stopped for minutes asks again, also if a buffered event looks new', () => {
  const real = performance.now.bind(performance);
  const wall = Date.now;
  vi.spyOn(performance, 'now').mockImplementation(() => real() + 180_000);
  vi.spyOn(Date, 'now').mockImplementation(() => wall() + 180_000);
  informer.asOf = performance.now();
  monitor.check();
  monitor.check();
  expect(steps).toEqual(['krtscope did not run for 3 min']);
  expect(monitor.worst).toMatchObject({current: false});
  informer.asOf = performance.now() + 1;
  monitor.check();
  expect(monitor.worst).toMatchObject({current: true});
});

test('a small correction of the clock changes nothing', () => {
  stepClock(2000);
  monitor.check();
  expect(steps).toEqual([]);
  expect(monitor.worst).toMatchObject({current: true});
});
