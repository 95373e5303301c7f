import {expect, test} from 'vitest';
import {testGraph, testNode} from '../testing-graph.ts';
import {closedGroupOf, groupSizes, groupSummary} from './collection-groups.ts';
import {createDrawing} from './create-drawing.ts';
import {collectionScene, layoutRequest} from './scene.ts';

const names = [
  ...Array.from({length: 30}, (_, at) => `ambient/${at % 2 ? 'informer/' : ''}A${at}`),
  ...Array.from({length: 20}, (_, at) => `gateway/G${at}`),
  'Mesh',
];
const graph = {
  ...testGraph(
    names.map(name => testNode(name)),
    [],
  ),
  edges: [
    {from: 'ambient/A0', to: 'gateway/G0', kind: 'input' as const, filters: []},
    {from: 'ambient/informer/A1', to: 'gateway/G1', kind: 'input' as const, filters: []},
    {from: 'Mesh', to: 'ambient/A2', kind: 'fetch' as const, filters: []},
  ],
};
const choice = {
  up: 2,
  down: 2,
  budget: 150,
  hidden: () => false,
  opened: new Set<string>(),
  openGroups: new Set<string>(),
  now: 0,
};

test('prefixes of many collections are groups, small graphs have none', () => {
  const sizes = groupSizes(names);
  expect([...sizes]).toEqual([
    ['ambient/', 30],
    ['ambient/informer/', 15],
    ['gateway/', 20],
  ]);
  expect(groupSizes(names.slice(0, 30)).size).toBe(0);
  expect(closedGroupOf('ambient/informer/A1', sizes, new Set())).toBe('ambient/');
  expect(closedGroupOf('ambient/informer/A1', sizes, new Set(['ambient/']))).toBe('ambient/informer/');
  expect(closedGroupOf('ambient/A0', sizes, new Set(['ambient/']))).toBeUndefined();
});

test('a closed group is one node with its sums, and its edges are joined', () => {
  const drawing = createDrawing(graph, choice);
  expect(drawing.nodes.map(node => [node.id, node.members?.length])).toEqual([
    ['Mesh', undefined],
    ['ambient/', 30],
    ['gateway/', 20],
  ]);
  expect(drawing.edges.map(edge => edge.id)).toEqual(['ambient/→gateway/:input', 'Mesh→ambient/:fetch']);
  expect(drawing.shownBy.get('gateway/G3')).toBe('gateway/');
  const failing = {...testNode('x/A'), size: 2, failed: 1};
  expect(groupSummary('x/', [failing, {...testNode('x/B'), size: 3, synced: false}])).toMatchObject({
    name: 'x/',
    size: 5,
    failed: 1,
    synced: false,
  });
});

test('an open group shows its members; the selection opens its own group', () => {
  const open = createDrawing(graph, {...choice, openGroups: new Set(['gateway/'])});
  expect(open.nodes.filter(node => node.id.startsWith('gateway/'))).toHaveLength(20);
  const focused = createDrawing(graph, {...choice, focus: 'gateway/G0'});
  expect(focused.nodes.map(node => node.id)).toContain('gateway/G0');
  expect(focused.nodes.map(node => node.id)).toContain('ambient/');
  expect(focused.groups.find(group => group.id === 'gateway/')?.open).toBe(true);
});

test('the same collections ask for the same layout, whatever happens in them and in whichever order they come', () => {
  const open = {...choice, openGroups: new Set(['gateway/'])};
  const request = (input: typeof graph) =>
    JSON.stringify(layoutRequest(collectionScene(createDrawing(input, open), undefined)));
  const busy = {
    ...graph,
    collections: [...graph.collections]
      .reverse()
      .map((node, at) => ({...node, rate: at % 5, failed: at % 7 === 0 ? 1 : 0})),
    edges: [...graph.edges].reverse(),
  };
  expect(request(busy)).toBe(request(graph));
});
