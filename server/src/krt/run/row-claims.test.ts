// Rows that several inputs yield: the owner at any time, and how often changes are announced.
import {expect, test} from 'vitest';
import {createEngine, inputsOf, newCollection, newStaticCollection, type Violation} from '../index.ts';

interface Item {
  key: string;
  of?: string;
  n?: number;
}

function rig(keys: readonly string[]) {
  const engine = createEngine({checks: 'off'});
  const told: Violation[] = [];
  engine.onViolation(violation => told.push(violation));
  const items = newStaticCollection<Item>(
    engine,
    keys.map(key => ({key})),
  );
  const rows = newCollection(items, (_, {key, of = 'same', n = 0}) => ({key: of, from: key, n}), {
    name: 'rows',
  });
  return {engine, items, rows, told, owner: () => rows.getKey('same')?.from};
}

test('[R8] the owner is the smallest, whoever comes and goes, in whatever order', () => {
  const {items, rows, owner, engine} = rig(['d', 'b', 'c']);
  expect([owner(), inputsOf(rows, 'same')]).toEqual(['b', ['b', 'c', 'd']]);
  items.updateObject({key: 'a'});
  expect(owner()).toBe('a');
  items.deleteObject('c');
  expect([owner(), inputsOf(rows, 'same')]).toEqual(['a', ['a', 'b', 'd']]);
  items.deleteObject('a');
  expect(owner()).toBe('b');
  // One that arrives after the next owner was chosen.
  items.updateObject({key: 'c'});
  items.deleteObject('b');
  expect([owner(), inputsOf(rows, 'same')]).toEqual(['c', ['c', 'd']]);
  items.deleteObject('c');
  expect([owner(), inputsOf(rows, 'same'), engine.violations()]).toEqual(['d', ['d'], []]);
  items.deleteObject('d');
  expect([rows.list(), engine.violations()]).toEqual([[], []]);
});

test('[R8] what an input that is not the owner yields counts once it is', () => {
  const {items, rows, owner} = rig(['a', 'b', 'c']);
  items.updateObject({key: 'b', n: 1});
  items.updateObject({key: 'c', n: 1});
  items.updateObject({key: 'c', n: 2});
  expect(rows.list()).toEqual([{key: 'same', from: 'a', n: 0}]);
  items.updateObject({key: 'a', of: 'other'});
  expect(rows.getKey('same')).toEqual({key: 'same', from: 'b', n: 1});
  items.updateObject({key: 'a'});
  expect(owner()).toBe('a');
  items.reset([{key: 'c', n: 2}]);
  expect(rows.list()).toEqual([{key: 'same', from: 'c', n: 2}]);
});

test('[V1] who shares a key is told once a batch, again only if others do, and the first twenty by name', () => {
  const keys = Array.from({length: 22}, (_, i) => `k${String(i).padStart(2, '0')}`);
  const {engine, items, told} = rig(keys.slice(0, 20));
  expect(told.map(({count, keys: [, ...named]}) => [count, named])).toEqual([[1, keys.slice(0, 20)]]);
  expect(told[0]?.message).toBe(
    `inputs ${keys.slice(0, 20).join(', ')} of "rows" all yield the key "same"; "k00" owns it until they differ`,
  );
  items.updateObject({key: 'k05', n: 1});
  expect(told).toHaveLength(1);
  engine.batch(() => {
    items.updateObject({key: 'k20'});
    items.updateObject({key: 'k21'});
  });
  expect(told.slice(1)).toMatchObject([{count: 2, keys: ['same', ...keys.slice(0, 20)]}]);
  expect(told[1]?.message).toContain(`${keys[19]} and 2 more of "rows"`);
  // Once only one duplicate is left, the violation is cleared silently.
  items.reset([{key: 'k21'}]);
  expect([told.length, engine.violations()]).toEqual([2, []]);
});

test('[V1] one that leaves the others is told, one more than twenty is counted, and what was told is not told again', () => {
  const keys = Array.from({length: 21}, (_, i) => `k${String(i).padStart(2, '0')}`);
  const {items, told} = rig(keys);
  expect(told[0]?.message).toContain('k19 and 1 more of "rows"');
  items.deleteObject('k00');
  expect(told.slice(1)).toMatchObject([{count: 2, keys: ['same', ...keys.slice(1)]}]);
  items.updateObject({key: 'x', of: 'other'});
  items.updateObject({key: 'y', of: 'other'});
  expect(told.slice(2)).toMatchObject([{count: 1, keys: ['other', 'x', 'y']}]);
});
