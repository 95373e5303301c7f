import type {Incident, Symptom} from '@krtscope/shared/incidents.ts';
import {expect, test} from 'vitest';
import {countOpen, durationWord, firstToShow, isRecovered, stateWord} from './incident-state.ts';

const incident = (symptoms: Partial<Symptom>[], rest: Partial<Incident> = {}) =>
  ({severity: 'warning', title: 'Service selects nothing', symptoms, ...rest}) as Incident;

test('an incident whose symptoms are all gone has recovered, and does not count as open', () => {
  const open = incident([{ended: 3}, {}]);
  const recovered = incident([{ended: 3}]);
  const ended = incident([{ended: 3}], {ended: 9});
  expect([open, recovered, ended].map(isRecovered)).toEqual([false, true, false]);
  expect([open, recovered, ended].map(stateWord)).toEqual([
    'degraded',
    'recovered, watching for 60 s',
    'ended',
  ]);
  expect(countOpen([open, recovered, ended])).toBe(1);
});

test('an open incident is shown before a recovered one, and only it is called open', () => {
  const open = incident([{}]);
  const recovered = incident([{ended: 3}]);
  const ended = incident([{ended: 3}], {ended: 9});
  expect(firstToShow([recovered, open])).toBe(open);
  expect(firstToShow([recovered])).toBe(recovered);
  expect([open, recovered, ended].map(durationWord)).toEqual(['open ', 'began ', 'lasted ']);
});
