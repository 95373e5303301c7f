import type {Cell} from '@krtscope/shared/sheet.ts';
import {expect, test} from 'vitest';
import {ageStep, cellTone} from './SheetCell.tsx';

test('a cell is drawn again whenever its age shows: between two looks its tone is the same', () => {
  const at = 1_800_000_000_000;
  for (const outcome of ['added', 'changed', 'failed'] as const) {
    const cell: Cell = {key: 'a', fields: {phase: 'Running'}, outcome, at, sequence: 1, changed: ['phase']};
    const tones = new Map<number, string>();
    for (let age = 0; age <= 70_000; age += 250) {
      const tone = cellTone(cell, 'phase', at + age);
      const look = ageStep(cell, at + age);
      if (!tones.has(look)) tones.set(look, tone);
      expect([outcome, age, tone]).toEqual([outcome, age, tones.get(look)]);
    }
    expect(new Set(tones.values()).size).toBe(3);
  }
});
