import type {ControllerAnswer, RequestsAnswer} from '@krtscope/shared/controllers.ts';
import type {Incident} from '@krtscope/shared/incidents.ts';
import {expect, test} from 'vitest';
import {controllerProblems, controllerToOpen, requestToOpen} from './controller-incidents.ts';

type Row = RequestsAnswer['requests'][number];

const row = (key: string, at: number, result?: 'done' | 'error') =>
  ({key, since: 0, last: result === undefined ? undefined : {at, result}}) as unknown as Row;

const incident = (severity: string, controller: string, request: string, rest: object = {}) =>
  ({symptoms: [{severity, began: 1, reconcile: {controller, request}, ...rest}]}) as unknown as Incident;

const controller = (name: string, failed: number) =>
  ({name, done: 1, results: [{failed}]}) as unknown as ControllerAnswer;

test('the failing request opens first, also if others succeeded later', () => {
  expect(requestToOpen([row('a', 10, 'done'), row('b', 5, 'error'), row('c', 20, 'done')])).toBe('b');
  expect(requestToOpen([row('a', 10, 'done'), row('c', 20, 'done')])).toBe('c');
  expect(requestToOpen([])).toBeUndefined();
});

test('what an open incident names opens first, errors before warnings', () => {
  const problems = controllerProblems([
    incident('warning', 'loops', 'x'),
    incident('error', 'gone', 'y', {ended: 3}),
    incident('error', 'fails', 'z'),
    {...incident('error', 'over', 'w'), ended: 4},
  ]);
  expect(problems.map(one => one.reconcile.controller)).toEqual(['fails', 'loops']);
  const all = [controller('ok', 5), controller('loops', 0), controller('fails', 0)];
  expect(controllerToOpen(all, problems)?.name).toBe('fails');
  expect(controllerToOpen(all, [])?.name).toBe('ok');
  expect(requestToOpen([row('b', 5, 'error')], problems)).toBe('z');
});
