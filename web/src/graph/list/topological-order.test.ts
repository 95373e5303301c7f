import {toMermaid} from '@krtscope/shared/diagram.ts';
import {expect, test} from 'vitest';
import {shopGraph} from '../testing-graph.ts';
import {visiblePart} from '../toolbar/export-menu.ts';
import {stripWires, topologicalOrder} from './topological-order.ts';

test('every collection stands after all it reads', () => {
  const base = shopGraph();
  const order = topologicalOrder({...base, collections: [...base.collections].reverse()}).map(
    one => one.name,
  );
  for (const edge of base.edges) expect(order.indexOf(edge.from)).toBeLessThan(order.indexOf(edge.to));
  expect(order).toHaveLength(base.collections.length);
});

test('a cycle is listed too', () => {
  const base = shopGraph();
  base.edges.push({from: 'Backends', to: 'Workloads', kind: 'fetch', filters: []});
  expect(topologicalOrder(base)).toHaveLength(base.collections.length);
});

test('wires are those of the selected collection, one hop each way', () => {
  const base = shopGraph();
  const order = topologicalOrder(base);
  const sides = stripWires(order, base, 'WorkloadServices').map(wire => [
    order[wire.from]?.name,
    wire.side,
    order[wire.to]?.name,
  ]);
  expect(sides).toEqual([
    ['Workloads', 'cause', 'WorkloadServices'],
    ['WorkloadServices', 'effect', 'Endpoints'],
  ]);
});

test('what is exported is what is on the screen', () => {
  const part = visiblePart(shopGraph(), new Set(['Pods', 'Workloads', 'Services']));
  expect(part.edges.map(edge => `${edge.from}>${edge.to}`)).toEqual(['Pods>Workloads', 'Services>Workloads']);
  expect(toMermaid(part)).toContain('Workloads');
  expect(toMermaid(part)).not.toContain('Endpoints');
});
