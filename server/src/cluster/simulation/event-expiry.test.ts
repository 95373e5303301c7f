import {expect, test} from 'vitest';
import {Api} from '../api.ts';
import {expireEvents} from './event-expiry.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

function apiWith(ages: number[]): Api {
  const api = new Api({now: () => start});
  ages.forEach((minutes, i) => {
    const lastTimestamp = api.timestamp(start - minutes * 60_000);
    const metadata = {name: `e${i}`, namespace: 'default'};
    api.storage.put('events', `default/e${i}`, {apiVersion: 'v1', kind: 'Event', metadata, lastTimestamp});
  });
  return api;
}

const left = (api: Api) => [...api.storage.resourceStore('events').objects.keys()];

test('an Event goes an hour after it was last seen, and no earlier', () => {
  const api = apiWith([59, 61]);
  expireEvents(api, 1);
  expect(left(api)).toEqual(['default/e0']);
});

test('at ten times the pace an hour has six minutes; at pace 0 it has sixty', () => {
  const fast = apiWith([5, 7]);
  expireEvents(fast, 10);
  expect(left(fast)).toEqual(['default/e0']);
  const still = apiWith([5, 7]);
  expireEvents(still, 0);
  expect(left(still)).toHaveLength(2);
});

test('beyond three thousand the oldest go', () => {
  const api = apiWith(Array.from({length: 3002}, (_, i) => i / 100));
  expireEvents(api, 1);
  expect(left(api)).toHaveLength(3000);
  expect(left(api)).not.toContain('default/e3001');
});
