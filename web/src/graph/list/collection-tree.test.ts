import {expect, test} from 'vitest';
import {createDrawing} from '../drawing/create-drawing.ts';
import type {GraphScene} from '../drawing/scene.ts';
import {shopGraph} from '../testing-graph.ts';
import {collectionTree, itemTree} from './collection-tree.ts';

const drawing = createDrawing(shopGraph(), {
  up: 9,
  down: 9,
  budget: 150,
  hidden: () => false,
  opened: new Set(),
  now: 0,
});

test('the list has every collection of the drawing', () => {
  for (const focus of [undefined, 'Workloads']) {
    const names = new Set(collectionTree(drawing, focus, new Set()).map(row => row.name));
    expect([...names].sort()).toEqual(drawing.nodes.map(node => node.id).sort());
  }
});

test('around a selection causes and effects are told apart, with the real filter', () => {
  const rows = collectionTree(drawing, 'Workloads', new Set());
  expect(rows.find(row => row.name === 'Namespaces')).toMatchObject({
    side: 'cause',
    depth: 1,
    how: 'fetch key = name',
  });
  expect(rows.find(row => row.name === 'Endpoints')).toMatchObject({
    side: 'effect',
    depth: 2,
    how: 'primary input',
  });
});

test('a closed row hides what is below it', () => {
  const all = collectionTree(drawing, undefined, new Set());
  const pods = all.find(row => row.name === 'Pods')!;
  const fewer = collectionTree(drawing, undefined, new Set([pods.path]));
  expect(fewer.find(row => row.path.startsWith(`${pods.path}/`))).toBeUndefined();
  expect(fewer.length).toBeLessThan(all.length);
});

test('a collection that comes again does not repeat its children', () => {
  const rows = collectionTree(drawing, undefined, new Set());
  expect(rows.filter(row => row.again).length).toBeGreaterThan(0);
  expect(rows.filter(row => row.name === 'WorkloadServices')).toHaveLength(1);
});

test('the tree of items has the selected item, what it came from and what reads it', () => {
  const node = (id: string, focus = false) => ({id, item: {collection: 'C', key: id, focus}});
  const edge = (from: string, to: string, kind: string, title: string) => ({from, to, kind, title});
  const scene = {
    nodes: [node('shop/cart', true), node('pod'), node('service'), node('endpoint')],
    edges: [
      edge('pod', 'shop/cart', 'input', ''),
      edge('service', 'shop/cart', 'fetch', 'key = app'),
      edge('shop/cart', 'endpoint', 'input', ''),
    ],
  } as unknown as GraphScene;
  const rows = itemTree(scene, new Set()).map(({name, side, how}) => ({name, side, how}));
  expect(rows).toEqual([
    {name: 'shop/cart', side: undefined, how: ''},
    {name: 'pod', side: 'cause', how: 'primary input'},
    {name: 'service', side: 'cause', how: 'fetch key = app'},
    {name: 'endpoint', side: 'effect', how: 'primary input'},
  ]);
});
