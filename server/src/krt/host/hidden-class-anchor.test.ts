// Asks V8 itself which objects have the same hidden class.

import {expect, test} from 'vitest';
import type {CollectionCore} from '../graph/collection-core.ts';
import type {InputEntry} from '../run/input-entry.ts';
import {createEngine, hiddenClassAnchors} from './create-engine.ts';
import {HiddenClassAnchor} from './hidden-class-anchor.ts';

type Same = (a: unknown, b: unknown) => boolean;

function sameLook(): Same {
  const {setFlagsFromString} = process.getBuiltinModule('node:v8');
  setFlagsFromString('--allow-natives-syntax');
  try {
    const same = new Function('a', 'b', 'return %HaveSameMap(a, b)') as Same;
    // Compile it while that is still allowed.
    if (same({a: 1}, {b: 1})) throw new Error('it cannot tell two looks apart');
    return same;
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

const same = sameLook();

test('[Z4] what a later engine is made of looks like what is kept', () => {
  for (let n = 0; n < 3; n++) createEngine();
  expect(hiddenClassAnchors).toHaveLength(1);
  const [kept] = hiddenClassAnchors as [HiddenClassAnchor];
  const later = new HiddenClassAnchor(createEngine({checks: 'off'}));
  expect(same(kept.engine, later.engine)).toBe(true);
  const pairs = kept.collections.map(
    (core, i) => [core, later.collections[i]] as unknown as [CollectionCore, CollectionCore],
  );
  for (const [a, b] of pairs) {
    expect(same(a, b)).toBe(true);
    const [first, second] = [a, b].map(({rows}) => [...rows.values()][0]);
    expect(first).toBeDefined();
    expect(same(first, second)).toBe(true);
    expect(same(first?.owner, second?.owner)).toBe(true);
  }
  expect(
    pairs[2]?.map(({rows}) => [...rows.values()].map(({owner}) => (owner as InputEntry).nodes.length)),
  ).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(kept.engine.violations()).toEqual([]);
});

test('[Z4] it is nobody’s: an engine knows its own collections alone, and counts from the first uid', () => {
  const engine = createEngine();
  expect(engine.collections()).toEqual([]);
  expect(new HiddenClassAnchor(engine).collections.map(({uid}) => uid)).toEqual([2, 3, 4]);
});
