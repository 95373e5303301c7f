// Two engines have two clocks, so parts of one cannot be built into the other.
import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  joinCollection,
  joinWithMergeCollection,
  nestedJoinWithMergeCollection,
  newStaticCollection,
  newSyncLatch,
} from '../index.ts';

function rig() {
  const here = createEngine();
  const there = createEngine();
  const own = newStaticCollection<string>(here, ['a'], {name: 'own'});
  newStaticCollection(there);
  const foreign = newStaticCollection<string>(there, ['b'], {name: 'foreign'});
  return {here, there, own, foreign};
}

test('[G4] joins and merges of another engine are refused by name', () => {
  const {own, foreign} = rig();
  expect(() => joinCollection([own, foreign])).toThrow('"foreign"');
  expect(() => joinWithMergeCollection([own, foreign], all => all[0])).toThrow('"foreign"');
  expect(() => joinCollection([])).toThrow('at least one');
});

test('[G4] a latch of another engine is refused', () => {
  const {here, there} = rig();
  expect(() => newStaticCollection(here, [], {name: 'late', synced: newSyncLatch(there)})).toThrow('latch');
});

test('[G4] a member of another engine is left out of a nested join, and reported while it is there', () => {
  const {here, own, foreign} = rig();
  const members = newStaticCollection<Collection<string>>(here, [own]);
  const joined = nestedJoinWithMergeCollection(members, all => all[0], {name: 'joined'});
  members.updateObject(foreign);
  expect(joined.list()).toEqual(['a']);
  expect(here.violations()).toMatchObject([{code: 'foreign-member', collection: 'joined'}]);
  members.deleteObject(String(foreign.uid));
  expect(here.violations()).toEqual([]);
});
