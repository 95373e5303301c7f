import {expect, test} from 'vitest';
import {pathDifferences} from './path-differences.ts';
import type {WhatIf} from './what-if.ts';
import {incidentSummary, rowSummary, whatIfMarkdown} from './what-if-text.ts';

const incident = {
  id: 'a',
  severity: 'warning' as const,
  title: 'Service a/b selects no Pod',
  sentence: '',
  symptoms: [],
};
const answer: WhatIf = {
  sequence: 7,
  at: 0,
  collections: {
    Services: [{key: 'a/b', old: {spec: {x: 1, y: [1]}}, new: {spec: {x: 2, y: [1]}}}],
    Pods: [
      {key: 'a/c', new: {}},
      {key: 'a/d', old: {}},
    ],
  },
  incidents: {begun: [], ended: []},
  runs: 3,
  stopped: [],
  notes: ['This holds before any controller reacts.'],
};

test('the summary counts rows and incidents', () => {
  expect(rowSummary(answer)).toBe('3 rows in 2 collections would change.');
  expect(rowSummary({...answer, collections: {}})).toBe('No row would change.');
  expect(incidentSummary(answer)).toBe('No incident would begin or end.');
  const with_ = (begun: number, ended: number) =>
    incidentSummary({
      ...answer,
      incidents: {begun: Array(begun).fill(incident), ended: Array(ended).fill(incident)},
    });
  expect(with_(0, 1)).toBe('Would end 1 incident, begin none.');
  expect(with_(2, 1)).toBe('Would end 1 incident, begin 2.');
  expect(with_(1, 0)).toBe('Would end no incident, begin 1 incident.');
});

test('paths that differ: fields one by one, lists of another length as a whole', () => {
  expect(pathDifferences({a: {b: 1}, l: [1, 2]}, {a: {b: 2, c: 3}, l: [1]})).toEqual([
    {path: 'a.b', old: 1, new: 2},
    {path: 'a.c', new: 3},
    {path: 'l', old: [1, 2], new: [1]},
  ]);
  expect(pathDifferences({l: [{a: 1}, {a: 2}]}, {l: [{a: 1}, {a: 3}]})).toEqual([
    {path: 'l[1].a', old: 2, new: 3},
  ]);
});

test('the Markdown has the table, the differences and the notes, and no fence of a value ends its own', () => {
  const text = whatIfMarkdown({
    ...answer,
    collections: {...answer.collections, ConfigMaps: [{key: 'a/x', old: {d: '1'}, new: {d: '```\n# hi'}}]},
    incidents: {begun: [incident], ended: []},
  });
  expect(text).toContain('| Pods | 1 added, 1 removed |');
  expect(text).toContain('- spec.x: 1\n+ spec.x: 2');
  expect(text).toContain('**Would begin**\n- warning: Service a/b selects no Pod');
  expect(text).toContain('- This holds before any controller reacts.');
  expect(text.match(/```/g)).toHaveLength(6);
});
