import type {Graph} from '@krtscope/shared/graph.ts';
import type {WhatIf} from '@krtscope/shared/what-if/what-if.ts';
import {expect, test} from 'vitest';
import {supposedSentence, supposedWave} from './supposed-wave.ts';

const edge = (from: string, to: string) => ({from, to, kind: 'fetch', filters: []}) as Graph['edges'][number];
const edges = [edge('Services', 'Workloads'), edge('Workloads', 'ByNode'), edge('Workloads', 'Routes')];
const changed = (key: string, from?: string) => ({
  key,
  old: {n: 1},
  new: {n: 2},
  ...(from === undefined
    ? {}
    : {
        run: {
          id: '1.0',
          input: key,
          outcome: 'changed' as const,
          causes: [{kind: 'fetch' as const, collection: from, key: 'a/b'}],
        },
      }),
});
const answer = {
  sequence: 7,
  at: 1,
  collections: {
    Services: [changed('a/b')],
    Workloads: [changed('a/w', 'Services'), changed('a/x', 'Services')],
    ByNode: [changed('n1')],
  },
  incidents: {begun: [], ended: []},
  runs: 4,
  stopped: [{collection: 'Routes', key: 'a/r'}],
  notes: [],
} as unknown as WhatIf;

test('the wave begins at written rows and goes along the causes; joins and equal rows follow the edges', () => {
  expect(supposedWave(answer, edges)).toEqual({
    sequence: 7,
    at: 1,
    roots: [{collection: 'Services', key: 'a/b', event: 'update'}],
    waves: [
      {from: 'Services', to: 'Workloads', outcomes: {changed: 2}},
      {from: 'Workloads', to: 'ByNode', outcomes: {changed: 1}},
      {from: 'Workloads', to: 'Routes', outcomes: {equal: 1}},
    ],
  });
  expect(supposedWave({...answer, collections: {}, stopped: []}, edges)).toBeUndefined();
});

test('the sentence names what would be written, what would differ and what would stay', () => {
  const text = (one: WhatIf) =>
    supposedSentence(one, supposedWave(one, edges))
      .map(part => ('text' in part ? part.text : 'code' in part ? part.code : ''))
      .join('');
  expect(text(answer)).toBe(
    '1 Service would be written. 2 Workloads, 1 ByNode would differ; 1 Route would run again and stay equal.',
  );
  expect(text({...answer, collections: {}, stopped: []})).toBe('No row would change.');
});
