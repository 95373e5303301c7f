import {expect, test} from 'vitest';
import {shopGraph, testGraph, testNode} from '../testing-graph.ts';
import {createDrawing} from './create-drawing.ts';
import type {DrawingChoice} from './drawing.ts';
import {foldedWords, leftOutWords} from './node-rank.ts';

const all: DrawingChoice = {
  up: 2,
  down: 2,
  budget: 150,
  hidden: () => false,
  opened: new Set(),
  now: 1_000_000,
};
const names = (drawing: ReturnType<typeof createDrawing>) => drawing.nodes.map(one => one.id).sort();

test('without a focus everything is drawn and the index is a tab of its owner', () => {
  const drawing = createDrawing(shopGraph(), all);
  expect(drawing.of).toBe(14);
  expect(drawing.drawn).toBe(13);
  expect(foldedWords(drawing)).toBe('1 index as a tab');
  expect(names(drawing)).not.toContain('WorkloadsByNode');
  expect(drawing.nodes.find(one => one.id === 'Workloads')?.indexes).toEqual(['WorkloadsByNode']);
});

test('hops are counted from the focus, up and down apart', () => {
  const drawing = createDrawing(shopGraph(), {...all, focus: 'WorkloadServices', up: 1, down: 1});
  expect(names(drawing)).toEqual(['Endpoints', 'WorkloadServices', 'Workloads']);
  expect(leftOutWords(drawing, {up: 1, down: 1})).toBe('10 not drawn: idle, healthy');
});

test('a join in view keeps both of its legs', () => {
  expect(names(createDrawing(shopGraph(), {...all, focus: 'Endpoints', up: 0, down: 1}))).toEqual([
    'Backends',
    'Endpoints',
    'SliceEndpoints',
  ]);
});

test('what is broken or waiting is drawn wherever it is', () => {
  const base = shopGraph();
  base.collections.push(testNode('Secrets', 'source', {synced: false, state: 'forbidden'}));
  const drawing = createDrawing(base, {...all, focus: 'Endpoints', up: 1, down: 0});
  expect(names(drawing)).toContain('Secrets');
  expect(drawing.nodes.find(one => one.id === 'Secrets')?.cone).toBe('off');
});

test('the budget keeps the focus and the worst, and says what it left out', () => {
  const many = Array.from({length: 200}, (_, i) => testNode(`C${i}`));
  many[199] = testNode('C199', 'derived', {failed: 3});
  const drawing = createDrawing(testGraph(many, []), {...all, budget: 150});
  expect(drawing.nodes).toHaveLength(150);
  expect(names(drawing)).toContain('C199');
  expect(drawing.tooBig).toBe(true);
  expect(leftOutWords(drawing, all)).toBe('50 not drawn: over the budget');
});

test('a hub is drawn; its wires are counted at both ends until it is selected', () => {
  const readers = ['A', 'B', 'C', 'D', 'E'];
  const whole = testGraph(
    [testNode('Mesh', 'source'), ...readers.map(name => testNode(name))],
    readers.map(name => `Mesh->${name}:fetch`),
  );
  const drawing = createDrawing(whole, all);
  const of = (id: string) => drawing.nodes.find(one => one.id === id)?.quiet;
  expect(of('Mesh')).toEqual({reads: [], readers});
  expect(of('C')).toEqual({reads: ['Mesh'], readers: []});
  expect(drawing.edges).toEqual([]);
  expect(drawing.quiet).toHaveLength(5);
  expect(createDrawing(whole, {...all, focus: 'Mesh'}).edges).toHaveLength(5);
});

test('edges on the way to the focus are causes, those after it effects', () => {
  const drawing = createDrawing(shopGraph(), {...all, focus: 'Workloads'});
  const cone = (from: string, to: string) =>
    drawing.edges.find(edge => edge.from === from && edge.to === to)?.cone;
  expect(cone('Pods', 'Workloads')).toBe('cause');
  expect(cone('Workloads', 'WorkloadServices')).toBe('effect');
  expect(cone('Services', 'Endpoints')).toBe('off');
});

test('neighbours beyond the hops become a counted stub', () => {
  const drawing = createDrawing(shopGraph(), {...all, focus: 'Workloads', up: 1, down: 1});
  expect(drawing.stubs).toContainEqual({
    id: 'WorkloadServices:down',
    of: 'WorkloadServices',
    side: 'down',
    names: ['Endpoints'],
  });
});

test('second instances stack on the first', () => {
  const drawing = createDrawing(
    testGraph([testNode('Pods', 'source'), testNode('Pods#2', 'source')], []),
    all,
  );
  expect(names(drawing)).toEqual(['Pods']);
  expect(drawing.nodes[0]?.copies).toEqual(['Pods#2']);
  expect(drawing.drawn).toBe(1);
  expect(foldedWords(drawing)).toBe('1 stacked');
});

test('a collection that reads everything counts its wires; selected, they are drawn', () => {
  const sources = Array.from({length: 9}, (_, i) => testNode(`S${i}`, 'source'));
  const edges = sources.map(one => `${one.name}->Summary:fetch`);
  const whole = testGraph([...sources, testNode('Summary', 'singleton')], edges);
  expect(createDrawing(whole, all).nodes.find(one => one.id === 'Summary')?.quiet.reads).toHaveLength(9);
  expect(createDrawing(whole, {...all, focus: 'Summary'}).edges).toHaveLength(9);
});
