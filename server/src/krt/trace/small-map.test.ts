import {expect, test} from 'vitest';
import {SmallMap} from './small-map.ts';

test('[C5] a small map behaves like a map, few pairs or many, and is empty once cleared', () => {
  const keys = Array.from({length: 20}, (_, i) => ({i}));
  const small = new SmallMap<{i: number}, number>();
  const real = new Map<{i: number}, number>();
  for (const size of [3, 8, 9, 20]) {
    for (const key of keys.slice(0, size)) {
      small.set(key, key.i);
      real.set(key, key.i);
    }
    small.set(keys[1]!, 100);
    real.set(keys[1]!, 100);
    small.delete(keys[0]!);
    real.delete(keys[0]!);
    small.delete({i: 1});
    for (const key of keys) expect(small.get(key)).toBe(real.get(key));
    small.clear();
    real.clear();
    for (const key of keys) expect(small.get(key)).toBeUndefined();
  }
});
