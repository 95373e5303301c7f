import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {RunRecord} from '@krtscope/shared/run.ts';
import {UNKNOWN_FILTER_TEXT} from '@krtscope/shared/vocabulary.ts';
import {expect, test} from 'vitest';
import {nextNode} from '../canvas/arrow-navigation.ts';
import {layout} from '../layout/layout.ts';
import {shopGraph, testNode} from '../testing-graph.ts';
import {toSvg} from '../toolbar/svg-export.ts';
import {recordedWave} from '../waves/recorded-wave.ts';
import {createDrawing} from './create-drawing.ts';
import {collectionScene, itemScene, layoutRequest, placeScene, wireLabel} from './scene.ts';

const drawing = createDrawing(shopGraph(), {
  focus: 'Workloads',
  up: 2,
  down: 2,
  budget: 150,
  hidden: () => false,
  opened: new Set(),
  now: 0,
});
const scene = collectionScene(drawing, 'Workloads');
const placed = placeScene(scene, layout(layoutRequest(scene)));

test('only fetches carry a label, and a long one is cut', () => {
  expect(scene.edges.filter(edge => edge.label !== '').every(edge => edge.kind === 'fetch')).toBe(true);
  expect(wireLabel(['selects-non-empty metadata.labels in namespace'], false)).toHaveLength(16);
  expect(wireLabel(['a', 'b', 'c'], false)).toBe('a +2');
  expect(wireLabel([UNKNOWN_FILTER_TEXT], true)).toBe('');
});

test('a node that came after the layout stands at the right edge and moves nobody', () => {
  const late = {...scene, nodes: [...scene.nodes, {...scene.nodes[0]!, id: 'Late'}]};
  const again = placeScene(late, layout(layoutRequest(scene)));
  for (const one of scene.nodes) expect(again.places.get(one.id)).toEqual(placed.places.get(one.id));
  expect(again.places.get('Late')!.x).toBeGreaterThan(placed.width);
});

test('arrow keys walk along edges, the primary input first', () => {
  expect(nextNode(placed, 'Workloads', 'ArrowLeft')).toBe('Pods');
  expect(nextNode(placed, 'Workloads', 'ArrowRight')).toBe('WorkloadServices');
  const down = nextNode(placed, 'Pods', 'ArrowDown') ?? nextNode(placed, 'Pods', 'ArrowUp');
  expect(placed.places.get(down!)!.x).toBe(placed.places.get('Pods')!.x);
});

test('the SVG has every node, every wire and every label', () => {
  const svg = toSvg(
    placed,
    token => `var(${token})`,
    one => [one.id, 'x'],
  );
  for (const one of scene.nodes) expect(svg).toContain(`>${one.id}<`);
  expect(svg.match(/key = name/g)).toHaveLength(scene.edges.filter(edge => edge.label !== '').length);
});

test('the item level shows what took part and what found no match, causes left and effects right', () => {
  const detail = {
    collection: 'Workloads',
    key: 'shop/a',
    outcome: 'changed',
    precedents: [
      {collection: 'Pods', key: 'shop/a'},
      {collection: 'Namespaces', key: 'shop', filter: 'key shop'},
    ],
    dependents: [{collection: 'WorkloadServices', key: 'shop/a/cart'}],
    dependencies: [{collection: 'Services', filter: 'labels app=cart', matched: 0, scanned: 13}],
  } as unknown as ItemDetail;
  const items = itemScene(
    detail,
    [detail],
    () => 'derived',
    () => 'input',
    40,
  );
  expect(items.nodes.map(one => [one.id, one.cone])).toEqual([
    ['Workloads shop/a', 'self'],
    ['Pods shop/a', 'cause'],
    ['Namespaces shop', 'cause'],
    ['Services labels app=cart', 'cause'],
    ['WorkloadServices shop/a/cart', 'effect'],
  ]);
  expect(items.edges.map(edge => [edge.kind, edge.label])).toEqual([
    ['input', ''],
    ['fetch', 'key shop'],
    ['fetch', 'no match'],
    ['input', ''],
  ]);
  expect(
    itemScene(
      detail,
      [detail],
      () => 'derived',
      () => 'input',
      2,
    ).left,
  ).toBe(3);
});

test('a recorded turn becomes the wave it was', () => {
  const run = (collection: string, outcome: string, from: string, root: boolean) =>
    ({
      sequence: 5,
      at: 9,
      collection,
      outcome,
      causes: [{kind: 'input', collection: from, key: 'k', event: 'update', ...(root ? {} : {run: '5.0'})}],
    }) as unknown as RunRecord;
  const wave = recordedWave(5, [
    run('B', 'changed', 'A', true),
    run('B', 'equal', 'A', true),
    run('C', 'equal', 'B', false),
  ]);
  expect(wave?.roots).toEqual([{collection: 'A', key: 'k', event: 'update'}]);
  expect(wave?.waves).toEqual([
    {from: 'A', to: 'B', outcomes: {changed: 1, equal: 1}},
    {from: 'B', to: 'C', outcomes: {equal: 1}},
  ]);
  expect(recordedWave(6, [])).toBeUndefined();
});

test('a hub reader keeps room for its chips above it', () => {
  expect(
    collectionScene(
      {
        ...drawing,
        nodes: [
          {
            id: 'X',
            collection: testNode('X'),
            indexes: ['i'],
            copies: [],
            quiet: {reads: ['Mesh'], readers: []},
            cone: 'off',
          },
        ],
        edges: [],
        quiet: [],
      },
      undefined,
    ).nodes[0]!.margin,
  ).toEqual({top: 16, bottom: 18});
});
