import {expect, test, vi} from 'vitest';
import {pointAlong, routeEdges} from './edge-route.ts';
import {type LayoutRequest, layout, structureKey} from './layout.ts';
import {
  createLayoutClient,
  GIVE_UP_AFTER,
  type LayoutProgress,
  type LayoutWorkerPort,
  SLOW_AFTER,
} from './layout-client.ts';
import type {LayoutWorkerRequest, LayoutWorkerResponse} from './layout-worker.ts';

const request: LayoutRequest = {
  boxes: ['a', 'b', 'c'].map(id => ({id, width: 168, height: 56})),
  lines: [
    {id: 'ab', from: 'a', to: 'b', label: 0, weight: 3},
    {id: 'bc', from: 'b', to: 'c', label: 80, weight: 1},
    {id: 'ac', from: 'a', to: 'c', label: 0, weight: 1},
  ],
};

test('nodes go from left to right and never overlap', () => {
  const {places} = layout(request);
  expect(places.a!.x + 168).toBeLessThan(places.b!.x);
  expect(places.b!.x + 168).toBeLessThan(places.c!.x);
});

test('a wire that passes a column bends around it', () => {
  const placed = layout(request);
  const nodes = request.boxes.map(box => ({id: box.id, kind: 'derived' as const, size: box}));
  const found = routeEdges(
    nodes,
    request.lines.map(line => ({...line, kind: 'fetch' as const})),
    placed,
  );
  const b = placed.places.b!;
  const crosses = found
    .get('ac')!
    .points.some(p => p.x > b.x && p.x < b.x + 168 && p.y > b.y && p.y < b.y + 56);
  expect(crosses).toBe(false);
});

test('many nodes are packed: each column in its order, no taller than its nodes', () => {
  const boxes = Array.from({length: 120}, (_, at) => ({id: `n${at}`, width: 168, height: 56}));
  const lines = boxes.slice(60).map((box, at) => ({
    id: `l${at}`,
    from: `n${(at * 37) % 60}`,
    to: box.id,
    label: 0,
    weight: 4,
  }));
  const {places, height} = layout({boxes, lines});
  expect(height).toBeLessThan(65 * (56 + 34));
  for (const column of Map.groupBy(boxes, box => places[box.id]!.x).values()) {
    const tops = column.map(box => places[box.id]!.y).sort((a, b) => a - b);
    for (let at = 1; at < tops.length; at++) expect(tops[at]! - tops[at - 1]!).toBeGreaterThanOrEqual(56);
  }
});

test('a wire starts and ends level, and its arrow touches the consumer', () => {
  const placed = layout(request);
  const nodes = request.boxes.map(box => ({id: box.id, kind: 'derived' as const, size: box}));
  const wire = routeEdges(nodes, [{id: 'ab', from: 'a', to: 'b', kind: 'input'}], placed).get('ab')!;
  expect(wire.end.x).toBe(placed.places.b!.x);
  expect(pointAlong(wire.points, 0)).toEqual(wire.points[0]);
  expect(pointAlong(wire.points, 1)).toEqual(wire.end);
});

test('the structure key ignores order and sees every size', () => {
  const turned = {boxes: [...request.boxes].reverse(), lines: [...request.lines].reverse()};
  expect(structureKey(turned)).toBe(structureKey(request));
  const grown = {...request, boxes: request.boxes.map(box => ({...box, height: 60}))};
  expect(structureKey(grown)).not.toBe(structureKey(request));
});

function rig() {
  const asked: LayoutWorkerRequest[] = [];
  let listen: (answer: LayoutWorkerResponse) => void = () => {};
  let ended = 0;
  const open = (): LayoutWorkerPort => ({
    post: ask => asked.push(ask),
    onAnswer: heard => {
      listen = heard;
    },
    end: () => {
      ended++;
    },
  });
  const news: string[] = [];
  const tell = (one: LayoutProgress) => news.push(one.kind);
  return {
    arranger: createLayoutClient(open),
    asked,
    news,
    tell,
    answer: (a: LayoutWorkerResponse) => listen(a),
    ended: () => ended,
  };
}

test('the same structure is arranged once', () => {
  const {arranger, asked, news, tell, answer} = rig();
  arranger.arrange(request, tell);
  answer({id: asked[0]!.id, placement: layout(request)});
  arranger.arrange(request, tell);
  expect(asked).toHaveLength(1);
  expect(news).toEqual(['placed', 'placed']);
});

test('slow after two seconds, given up after fifteen, and the worker is ended', () => {
  vi.useFakeTimers();
  const {arranger, news, tell, ended} = rig();
  arranger.arrange(request, tell);
  vi.advanceTimersByTime(SLOW_AFTER);
  expect(news).toEqual(['slow']);
  vi.advanceTimersByTime(GIVE_UP_AFTER);
  expect(news).toEqual(['slow', 'given-up']);
  expect(ended()).toBe(1);
  vi.useRealTimers();
});

test('a newer request cancels the older one: its late answer tells nothing', () => {
  const {arranger, asked, news, tell, answer} = rig();
  arranger.arrange(request, tell);
  const other = {...request, lines: request.lines.slice(0, 1)};
  arranger.arrange(other, tell);
  answer({id: asked[0]!.id, placement: layout(request)});
  expect(news).toEqual([]);
  answer({id: asked[1]!.id, placement: layout(other)});
  expect(news).toEqual(['placed']);
});
