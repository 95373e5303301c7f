import type {ControllerAnswer, RequestsAnswer} from '@krtscope/shared/controllers.ts';
import {expect, test} from 'vitest';
import {failingControllers, requestToOpen} from './failing-controllers.ts';

type Row = RequestsAnswer['requests'][number];

const row = (key: string, at: number, result?: 'done' | 'error') =>
  ({key, since: 0, last: result === undefined ? undefined : {at, result}}) as unknown as Row;

test('the failing request opens first, also if others succeeded later', () => {
  expect(requestToOpen([row('a', 10, 'done'), row('b', 5, 'error'), row('c', 20, 'done')])).toBe('b');
  expect(requestToOpen([row('a', 10, 'done'), row('c', 20, 'done')])).toBe('c');
  expect(requestToOpen([])).toBeUndefined();
});

test('a controller fails from its third failure in five minutes on', () => {
  const controller = (name: string, failed: number) =>
    ({name, results: [{failed: 1}, {failed}]}) as unknown as ControllerAnswer;
  expect(failingControllers([controller('a', 1), controller('b', 2)]).map(one => one.name)).toEqual(['b']);
});
