import {expect, test} from 'vitest';
import {withoutRepeats} from './problem-log.ts';

test('a problem that repeats is reported once in ten minutes, another one at once', () => {
  const reported: string[] = [];
  let time = 0;
  const report = withoutRepeats(problem => reported.push(problem), {now: () => time});
  for (let second = 0; second < 599; second++) {
    time = second * 1000;
    report('pods: a');
  }
  report('pods: b');
  expect(reported).toEqual(['pods: a', 'pods: b']);
  time = 600_000;
  report('pods: a');
  expect(reported).toEqual(['pods: a', 'pods: b', 'pods: a']);
});

test('very many problems take no more and more memory, and each is still reported', () => {
  let count = 0;
  const report = withoutRepeats(() => count++, {now: () => 0});
  for (let at = 0; at < 5000; at++) report(`problem ${at}`);
  expect(count).toBe(5000);
});
