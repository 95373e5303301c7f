import {expect, test} from 'vitest';
import type {PlacedScene, SceneNode} from '../drawing/scene.ts';
import {nodeAt, nodesInView} from './visible-nodes.ts';

const node = (id: string): SceneNode => ({
  id,
  kind: 'derived',
  size: {width: 168, height: 56},
  margin: {top: 0, bottom: 0},
  cone: 'off',
});
const ids = Array.from({length: 400}, (_, at) => `n${at}`);
const placed: PlacedScene = {
  scene: {nodes: ids.map(node), edges: [], quiet: []},
  places: new Map(ids.map((id, at) => [id, {x: (at % 20) * 250, y: Math.floor(at / 20) * 90}])),
  routes: new Map(),
  width: 5000,
  height: 1800,
};

test('only nodes that touch the view become elements, the nearest to its middle first', () => {
  const near = nodesInView(placed, {x: 0, y: 0, zoom: 1, width: 800, height: 600});
  expect(near).toContain('n0');
  expect(near).not.toContain('n19');
  expect(near).not.toContain('n399');
  expect(near.length).toBeLessThan(60);
  const far = nodesInView(placed, {x: 0, y: 0, zoom: 0.1, width: 800, height: 600});
  expect(far.length).toBeLessThanOrEqual(180);
});

test('a click between nodes means none, a click on one means it', () => {
  expect(nodeAt(placed, {x: 260, y: 95})?.id).toBe('n21');
  expect(nodeAt(placed, {x: 200, y: 95})).toBeUndefined();
});
