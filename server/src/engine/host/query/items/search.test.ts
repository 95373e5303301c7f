import type {SearchAnswer} from '@krtscope/shared/items.ts';
import {expect, test} from 'vitest';
import {createTestGraphHost, namespace, pod, service, type TestGraphHost} from '../testing-graph-host.ts';
import {searchAnswer, searchSteps} from './search.ts';

function shop(pods = 40): TestGraphHost {
  const r = createTestGraphHost();
  r.sync();
  r.write({Namespaces: [namespace('shop')], Services: [service('web', {app: 'web'})]});
  r.write({Pods: Array.from({length: pods}, (_, i) => pod(`web-${i}`, {app: 'web'}, {ip: `10.0.1.${i}`}))});
  return r;
}

/** Runs a search step by step and writes between the steps. */
function withWrites(r: TestGraphHost, q: string, every: number, write: (n: number) => void): SearchAnswer {
  const steps = searchSteps(r.records, q, 20);
  for (let n = 0; ; n++) {
    const {done, value} = steps.next();
    if (done) return value;
    if (n > 0 && n % every === 0 && n / every <= 8) write(n / every);
  }
}

const texts = ({hits, total}: SearchAnswer) => ({
  total,
  hits: hits.map(h => `${h.collection}/${h.key} ${h.where}`),
});

test('what changes while it goes on is as it is at the end', () => {
  const r = shop();
  const answer = withWrites(r, 'web-1', 7, n => {
    if (n % 3 === 0) r.write({Pods: [`shop/web-1${n}`]});
    else if (n % 3 === 1) r.write({Pods: [pod(`other-${n}`, {app: 'web-1'})]});
    else r.write({Pods: [pod(`web-${n}`, {app: 'web-12'})]});
  });
  expect(answer.sequence).toBe(r.records.newest());
  expect(texts(answer)).toEqual(texts(searchAnswer(r.records, 'web-1', 20)));
});

test('when all that would be shown goes while it goes on, what is left is shown', () => {
  const r = shop();
  const limit = 1;
  const steps = searchSteps(r.records, 'web-', limit);
  let answer: SearchAnswer | undefined;
  for (let n = 0; answer === undefined; n++) {
    const {done, value} = steps.next();
    if (done) answer = value;
    // After the Pods: remove the first ones by name, which it would show.
    else if (n === 200) r.write({Pods: Array.from({length: 30}, (_, i) => `shop/web-${i}`)});
  }
  expect(texts(answer)).toEqual(texts(searchAnswer(r.records, 'web-', limit)));
});

test('counts all, shows the best, and a state of the past stays what it was', () => {
  const r = shop(300);
  const before = r.records.newest();
  const then = searchAnswer(r.records, 'web', 20);
  expect(then.total).toBeGreaterThan(900);
  expect(then.hits.length).toBe(20);
  expect(then.hits[0]).toMatchObject({key: 'shop/web', where: 'key'});
  expect(then.hits.find(h => h.collection === 'Pods')?.outcome).toBe('added');
  r.write({Pods: ['shop/web-7', 'shop/web-8']});
  expect(texts(searchAnswer(r.records, 'web', 20, before))).toEqual(texts(then));
  expect(searchAnswer(r.records, 'web', 20).total).toBeLessThan(then.total);
  expect(searchAnswer(r.records, '  ', 20)).toMatchObject({hits: [], total: 0});
});
