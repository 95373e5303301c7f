import {expect, test} from 'vitest';
import {zoomLevel, zoomLevels} from './zoom-level.ts';

test('at every zoom the smallest text has at least 11 px on the screen', () => {
  for (const {level, from, text} of zoomLevels) {
    expect(zoomLevel(from)).toBe(level);
    if (level !== 'dots') expect(from * text).toBeGreaterThanOrEqual(11);
  }
});
