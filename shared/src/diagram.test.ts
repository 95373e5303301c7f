import {expect, test} from 'vitest';
import {toDot, toMermaid} from './diagram.ts';
import type {CollectionNode, Graph} from './graph.ts';

const node = (name: string, more: Partial<CollectionNode> = {}): CollectionNode => ({
  name,
  uid: 2,
  kind: 'derived',
  size: 3,
  synced: true,
  runs: 0,
  failed: 0,
  rate: 0,
  equal: 0,
  spark: [],
  fields: [],
  ...more,
});

const graph: Graph = {
  sequence: 1,
  collections: [node('Pods', {kind: 'source'}), node('Work', {runs: 7, synced: false, waitingFor: 'Pods'})],
  edges: [
    {from: 'Pods', to: 'Work', kind: 'input', filters: []},
    {from: 'Pods', to: 'Work', kind: 'fetch', filters: ['key = a', 'labels {x}', 'all'], via: 'scan'},
  ],
};

test('Mermaid: a shape a kind, a line an edge, labels with entities', () => {
  expect(toMermaid(graph)).toBe(
    [
      'flowchart LR',
      '  c0[["Pods<br/>source, 3"]]',
      '  c1("Work<br/>derived, 3, 7 runs<br/>waiting for Pods")',
      '  c0 ==> c1',
      '  c0 -.->|"key = a #124; labels #123;x#125; (+1) (scan)"| c1',
      '',
    ].join('\n'),
  );
});

test('Graphviz: the same with quotes escaped', () => {
  const dot = toDot({...graph, collections: [node('a"b\\'), node('Work')], edges: []});
  expect(dot).toContain('c0 [label="a\\"b\\\\\\nderived, 3", shape=box, style=rounded];');
  expect(toDot(graph)).toContain('c0 -> c1 [style=dashed, label="key = a | labels {x} (+1) (scan)"];');
});
