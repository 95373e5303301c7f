import {expect, test} from 'vitest';
import {draw} from './draw.ts';
import {shop} from './graph-rig.ts';
import {toMermaid} from './mermaid.ts';
import {stripWires, topological} from './topology.ts';

test('every collection stands after all it reads', () => {
  const base = shop();
  const order = topological({...base, collections: [...base.collections].reverse()}).map(one => one.name);
  for (const edge of base.edges) expect(order.indexOf(edge.from)).toBeLessThan(order.indexOf(edge.to));
  expect(order).toHaveLength(base.collections.length);
});

test('a cycle is listed too', () => {
  const base = shop();
  base.edges.push({from: 'Backends', to: 'Workloads', kind: 'fetch', filters: []});
  expect(topological(base)).toHaveLength(base.collections.length);
});

test('wires are those of the selected collection, one hop each way', () => {
  const base = shop();
  const order = topological(base);
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

test('mermaid has a line for each node and each edge with its filter', () => {
  const drawing = draw(shop(), {up: 9, down: 9, budget: 150, hidden: () => false, opened: new Set(), now: 0});
  const text = toMermaid(drawing);
  expect(text).toContain('{{"Backends<br/>1"}}');
  expect(text.match(/-->\|"key = name"\|/g)).toHaveLength(6);
  expect(text.match(/==>/g)).toHaveLength(6);
});
