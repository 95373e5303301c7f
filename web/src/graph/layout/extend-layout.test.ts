import fc from 'fast-check';
import {expect, test} from 'vitest';
import {extendLayout} from './extend-layout.ts';
import {type LayoutRequest, layout} from './layout.ts';

/** Layers of boxes; every box after the first layer has one or two inputs in the layer before. */
const layered: fc.Arbitrary<LayoutRequest> = fc
  .array(fc.array(fc.tuple(fc.nat(), fc.nat()), {minLength: 1, maxLength: 6}), {minLength: 2, maxLength: 6})
  .map(layers => {
    const boxes = layers.flatMap((layer, at) =>
      layer.map((_, row) => ({id: `${at}.${row}`, width: 152 + ((at * 7 + row) % 4) * 20, height: 54})),
    );
    const lines = layers.slice(1).flatMap((layer, at) =>
      layer.flatMap((inputs, row) =>
        [...new Set(inputs.map(input => input % layers[at]!.length))].map(input => ({
          id: `${at}.${input}>${at + 1}.${row}`,
          from: `${at}.${input}`,
          to: `${at + 1}.${row}`,
          label: 0,
          weight: 1,
        })),
      ),
    );
    return {boxes, lines};
  });

const newBox = {id: 'new', width: 168, height: 54};
const lineTo = (from: string, to: string) => ({id: `${from}>${to}`, from, to, label: 0, weight: 1});

test('a collection that comes and reads others moves no node and covers none', () => {
  fc.assert(
    fc.property(layered, fc.nat(), (request, pick) => {
      const placement = layout(request);
      const input = request.boxes[pick % request.boxes.length]!;
      const grown = {
        boxes: [...request.boxes, newBox],
        lines: [...request.lines, lineTo(input.id, 'new')],
      };
      const extended = extendLayout({request, placement}, grown);
      // A narrow gap between columns may have no room for a wider box; such a graph is arranged anew.
      if (extended === undefined) return;
      for (const {id} of request.boxes) expect(extended.places[id]).toEqual(placement.places[id]);
      const at = extended.places.new!;
      expect(at.x).toBeGreaterThan(extended.places[input.id]!.x);
      for (const {id, width, height} of request.boxes) {
        const other = extended.places[id]!;
        const apart =
          at.x >= other.x + width ||
          other.x >= at.x + newBox.width ||
          at.y >= other.y + height ||
          other.y >= at.y + newBox.height;
        expect([id, apart]).toEqual([id, true]);
      }
    }),
  );
});

test('it finds room in the ordinary case', () => {
  const request: LayoutRequest = {
    boxes: ['a', 'b', 'c'].map(id => ({id, width: 168, height: 54})),
    lines: [lineTo('a', 'b'), lineTo('b', 'c')],
  };
  const placement = layout(request);
  const beside = extendLayout(
    {request, placement},
    {
      boxes: [...request.boxes, newBox],
      lines: [...request.lines, lineTo('a', 'new')],
    },
  )!;
  expect(beside.places.new!.x).toBe(placement.places.b!.x);
  expect(beside.places.new!.y).toBeGreaterThanOrEqual(placement.places.b!.y + 54);
  const after = extendLayout(
    {request, placement},
    {
      boxes: [...request.boxes, newBox],
      lines: [...request.lines, lineTo('c', 'new')],
    },
  )!;
  expect(after.places.new!.x).toBeGreaterThan(placement.places.c!.x + 168);
});

test('a collection that goes moves no node', () => {
  fc.assert(
    fc.property(layered, fc.nat(), (request, pick) => {
      const placement = layout(request);
      const gone = request.boxes[pick % request.boxes.length]!.id;
      const left = {
        boxes: request.boxes.filter(box => box.id !== gone),
        lines: request.lines.filter(line => line.from !== gone && line.to !== gone),
      };
      const extended = extendLayout({request, placement}, left);
      for (const {id} of left.boxes) expect(extended?.places[id]).toEqual(placement.places[id]);
    }),
  );
});

test('another size, many differences and a line backwards are arranged anew', () => {
  const request: LayoutRequest = {
    boxes: ['a', 'b', 'c'].map(id => ({id, width: 168, height: 54})),
    lines: [lineTo('a', 'b'), lineTo('b', 'c')],
  };
  const before = {request, placement: layout(request)};
  const taller = {...request, boxes: request.boxes.map(box => ({...box, height: 132}))};
  expect(extendLayout(before, taller)).toBeUndefined();
  expect(extendLayout(before, {...request, lines: [...request.lines, lineTo('c', 'a')]})).toBeUndefined();
  const many = ['d', 'e', 'f', 'g'].map(id => ({id, width: 168, height: 54}));
  expect(extendLayout(before, {...request, boxes: [...request.boxes, ...many]})).toBeUndefined();
});
