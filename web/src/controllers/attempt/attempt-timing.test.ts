import type {Attempt} from '@krtscope/shared/controllers.ts';
import {expect, test} from 'vitest';
import {axisTexts, durationText, ownWorkTime, resultText, stepsOf} from './attempt-timing.ts';

const attempt: Attempt = {
  run: 'r',
  attempt: 7,
  retry: 1,
  asked: 996,
  start: 1000,
  took: 231,
  result: 'requeue-after',
  after: 30_000,
  causes: [
    {reason: 'event', at: 996, event: 'update', kind: 'Secret', key: 'shop/tls', watch: 'Secret'},
    {reason: 'event', at: 997, event: 'update', kind: 'Secret', key: 'shop/tls', folded: true},
  ],
  reads: [
    {at: 1000, verb: 'get', kind: 'Certificate', from: 'cache', namespace: 'shop', name: 'tls', count: 1},
    {at: 1003, verb: 'list', kind: 'Ingress', from: 'cache', namespace: 'shop', count: 2},
  ],
  writes: [
    {
      at: 1229,
      verb: 'patch',
      kind: 'Certificate',
      namespace: 'shop',
      name: 'tls',
      subresource: 'status',
      dryRun: false,
    },
  ],
  log: [],
};

test('a way has its event, its folding, its wait, its reads and writes in order, and its end', () => {
  const steps = stepsOf(attempt, 0);
  expect(steps.map(({verb, text, from}) => `${verb} | ${text} | ${from}`)).toEqual([
    'enqueue | Secret shop/tls updated | event',
    'coalesce | 2 events coalesced into 1 request | queue',
    'wait | in the queue | wait',
    'get | Certificate shop/tls | cache',
    'work | own work, or a call outside the cluster | own work',
    'list | Ingress shop, 2 found | cache',
    'patch | Certificate shop/tls, status | API',
    'work | own work, or a call outside the cluster | own work',
    'return | requeue after 30.0 s | result',
  ]);
  expect(steps.find(({verb}) => verb === 'patch')).toMatchObject({start: 3, took: 226});
  expect(ownWorkTime(steps)).toBe(5);
});

test('a call begins when it was sent: a sleep before it is own work', () => {
  const [write] = attempt.writes;
  const same = {metadata: {name: 'tls'}};
  const slept = {...attempt, reads: [], writes: [{...write!, at: 1328, took: 28, before: same, after: same}]};
  const steps = stepsOf({...slept, took: 328}, 0).slice(3);
  expect(steps.map(({text, from, start, took}) => [text, from, start, took])).toEqual([
    ['own work, or a call outside the cluster', 'own work', 0, 300],
    ['Certificate shop/tls, status, no change', 'API', 300, 28],
    ['requeue after 30.0 s', 'result', 328, 0],
  ]);
});

test('a cached read shows its wait, and says when it was stale', () => {
  const read = {at: 1010, verb: 'get', kind: 'Pod', from: 'cache', name: 'a', count: 1, took: 8} as const;
  const steps = (more: object) =>
    stepsOf({...attempt, reads: [{...read, ...more}], writes: []}, 0).filter(({verb}) => verb === 'get');
  expect(steps({})).toEqual([{verb: 'get', text: 'Pod a', from: 'cache', start: 2, took: 8, failed: false}]);
  expect(steps({stale: true})[0]).toMatchObject({text: 'Pod a', stale: true});
});

test('what comes next is said with its retry and its wait', () => {
  expect(resultText({result: 'error', after: 80, retry: 4})).toBe('error, retry 4 in 80 ms');
  expect(resultText({result: 'terminal', retry: 1})).toBe('error, no retry');
  expect([0.16, 160, 1280, 18_400, 61_000, 3_600_000, 41 * 86_400_000].map(durationText)).toEqual([
    '0.2 ms',
    '160 ms',
    '1.28 s',
    '18.4 s',
    '1 m 1 s',
    '1 h',
    '41 d',
  ]);
});

test('an axis has one unit, and no two marks alike', () => {
  for (const span of [0.1, 0.23, 3.5, 9.9, 240, 999, 1000, 18_400, 59_999, 61_000, 600_000])
    expect(new Set(axisTexts(span)).size, String(span)).toBe(5);
  expect(axisTexts(240)).toEqual(['0', '60', '120', '180', '240 ms']);
  expect(axisTexts(0.23)).toEqual(['0', '0.06', '0.12', '0.17', '0.23 ms']);
  expect(axisTexts(18_400)).toEqual(['0', '4.6', '9.2', '13.8', '18.4 s']);
});
