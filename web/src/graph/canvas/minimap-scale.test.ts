import {expect, test} from 'vitest';
import {isPartlyHidden, minimapScale} from './minimap-scale.ts';

const drawing = {width: 4000, height: 1000};

test('the map keeps the proportions of the drawing within its limits', () => {
  expect(minimapScale(drawing) * drawing.width).toBe(180);
  expect(minimapScale({width: 100, height: 6000}) * 6000).toBe(120);
});

test('a map shows only while a part of the drawing is out of view', () => {
  const window = {width: 1000, height: 600};
  expect(isPartlyHidden(drawing, {x: 0, y: 0, zoom: 0.25, ...window})).toBe(false);
  expect(isPartlyHidden(drawing, {x: 0, y: 0, zoom: 1, ...window})).toBe(true);
  expect(isPartlyHidden(drawing, {x: -900, y: 0, zoom: 0.25, ...window})).toBe(true);
});
