import type {BatchPulse} from '@krtscope/shared/stream.ts';
import {expect, test} from 'vitest';
import {ActivityLog} from './activity.ts';

const write = (collection: string, at: number): BatchPulse => ({
  sequence: at,
  at,
  roots: [{collection, key: 'a', event: 'update'}],
  waves: [
    {from: collection, to: 'Workloads', outcomes: {changed: 1}},
    {from: collection, to: 'Services', outcomes: {equal: 4}},
  ],
});
const last = (at: number) => ({sequence: at, at, outcome: 'changed' as const, key: 'a'});

test('a change after silence is news, one of many is not, and an equal run is neither', () => {
  const log = new ActivityLog();
  log.add(write('Nodes', 10_000));
  log.add(write('Namespaces', 100_000));
  for (let at = 80_000; at <= 100_000; at += 4000) log.add(write('Pods', at));
  const of = (name: string) => log.activityOf({name, rate: 0, last: last(100_000)}, 101_000);
  expect(of('Namespaces')).toBe('news');
  expect(of('Pods')).toBe('busy');
  expect(of('Workloads')).toBe('busy');
  expect(log.activityOf({name: 'Services', rate: 0}, 101_000)).toBe('quiet');
});

test('news grow old, and what was busy becomes quiet', () => {
  const log = new ActivityLog();
  for (let at = 0; at <= 20_000; at += 4000) log.add(write('Pods', at));
  expect(log.activityOf({name: 'Pods', rate: 0, last: last(20_000)}, 90_000)).toBe('quiet');
  expect(log.activityOf({name: 'Nodes', rate: 0, last: last(20_000)}, 40_000)).toBe('quiet');
});
