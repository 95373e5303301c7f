import {expect, test} from 'vitest';
import {createDrawing} from '../drawing/create-drawing.ts';
import {collectionScene, layoutRequest, placeScene} from '../drawing/scene.ts';
import {layout} from '../layout/layout.ts';
import {testGraph, testNode} from '../testing-graph.ts';
import {hoverLabels} from './hover-labels.ts';

test('labels at one node do not cover each other', () => {
  const sources = Array.from({length: 6}, (_, at) => `S${at}`);
  const graph = testGraph(
    [...sources.map(name => testNode(name, 'source')), testNode('All')],
    sources.map(name => `${name}->All:fetch`),
  );
  const choice = {up: 2, down: 2, budget: 150, hidden: () => false, opened: new Set<string>(), now: 0};
  const scene = collectionScene(createDrawing(graph, choice), undefined);
  const placed = placeScene(scene, layout(layoutRequest(scene)));
  const heights = [...hoverLabels(placed, 'All').values()].map(({y}) => y).sort((a, b) => a - b);
  expect(heights).toHaveLength(6);
  for (let at = 1; at < heights.length; at++)
    expect(heights[at]! - heights[at - 1]!).toBeGreaterThanOrEqual(20);
  expect(hoverLabels(placed, undefined).size).toBe(0);
});
