import {expect, test} from 'vitest';
import {createEngine, newStaticCollection} from '../index.ts';

interface Odd {
  readonly label: number;
  readonly key?: string;
  readonly metadata?: {readonly name: unknown; readonly namespace?: unknown} | null;
  readonly resourceName?: () => string;
}

const NAMES = ['a', 'b', 'a/b', 'b/a', '/a', ''];
const NAMESPACES = [undefined, null, '', 'a', 'a/b', 'b', 7, 0];

// Every way to a key that another object may have, too.
function shapes(label: number): Odd[] {
  const named = NAMES.flatMap(name => NAMESPACES.map(namespace => ({label, metadata: {name, namespace}})));
  const others = NAMES.flatMap(key => [
    {label, key},
    {label, key, metadata: null},
    {label, key, metadata: {name: 7}},
    {label, metadata: {name: 'a', namespace: 'b'}, resourceName: () => key},
  ]);
  return [...named, ...others];
}

function keyOf({key, metadata, resourceName}: Odd): string {
  if (resourceName !== undefined) return resourceName();
  if (typeof metadata?.name === 'string') {
    return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name;
  }
  return key as string;
}

/** A namespace that is not a string, in an object whose key comes from it. */
function isRefused({metadata, resourceName}: Odd): boolean {
  return (
    typeof metadata?.name === 'string' && typeof metadata.namespace === 'number' && resourceName === undefined
  );
}

/** A seeded generator: the same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('objects come, change and go by their keys, whichever names or functions make those', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const next = numbers(seed);
    const engine = createEngine({checks: 'off'});
    const odd = newStaticCollection<Odd>(engine, [], {name: 'odd'});
    const told = new Map<string, Odd>();
    odd.registerBatch(changes => {
      for (const {event, key, new: now} of changes) {
        expect(told.has(key), `${event} of ${key}`).toBe(event !== 'add');
        if (now === undefined) told.delete(key);
        else told.set(key, now);
      }
    });
    const expected = new Map<string, Odd>();
    const write = (label: number) => {
      const all = shapes(label);
      const object = all[next(all.length)] as Odd;
      if (isRefused(object)) {
        expect(() => odd.updateObject(object)).toThrow('keys are texts');
        return;
      }
      const key = keyOf(object);
      if (next(3) === 0) {
        odd.deleteObject(key);
        expected.delete(key);
      } else {
        odd.updateObject(object);
        expected.set(key, object);
      }
    };
    for (let label = 0; label < 200; label++) {
      if (next(4) === 0) {
        engine.batch(() => {
          for (let i = 0; i < 3; i++) write(label);
        });
      } else write(label);
      expect(new Set(odd.list())).toEqual(new Set(expected.values()));
    }
    expect(told).toEqual(expected);
  }
});

test('an object without a namespace that was written twice, goes and comes again is there', () => {
  const engine = createEngine();
  const nodes = newStaticCollection<{metadata: {name: string}; n: number}>(engine, []);
  for (const n of [1, 2]) nodes.updateObject({metadata: {name: 'node'}, n});
  nodes.deleteObject('node');
  nodes.updateObject({metadata: {name: 'node'}, n: 3});
  expect(nodes.list()).toEqual([{metadata: {name: 'node'}, n: 3}]);
});

test.each([
  ['a name', {first: {name: 'a'}, later: {name: 'b'}}, 'a', 'b'],
  ['a namespace', {first: {name: 'a', namespace: 'x'}, later: {name: 'a', namespace: 'y'}}, 'x/a', 'y/a'],
])(
  '[K1] an object that says %s and later another leaves the row of the other alone',
  (_, {first, later}, own, other) => {
    // Either of the readings may say otherwise.
    for (let asked = 0; asked < 8; asked++) {
      const objects = newStaticCollection<object>(createEngine({checks: 'off'}), [{metadata: first, n: 1}]);
      let left = asked;
      objects.updateObject({
        get metadata() {
          return left-- > 0 ? first : later;
        },
      });
      objects.updateObject({metadata: first, n: 2});
      objects.updateObject({metadata: later, n: 3});
      expect([objects.getKey(own), objects.getKey(other)]).toEqual([
        {metadata: first, n: 2},
        {metadata: later, n: 3},
      ]);
    }
  },
);
