// Traces of rows without a formula: their origin, and why a merge or a map failed.
import {expect, test} from 'vitest';
import {
  type Collection,
  joinWithMergeCollection,
  mapCollection,
  nestedJoinWithMergeCollection,
  newStaticCollection,
  newStatusCollection,
  newSyncLatch,
} from '../index.ts';
import {type Item, item, rig} from '../testing/objects.ts';

const sum = (all: Item[]): Item => {
  const n = all.reduce((total, one) => total + one.n, 0);
  if (n < 0) throw new Error('below zero');
  return {...all[0]!, n};
};

test('[C4] a merge comes from every member that changed, in the same batch', () => {
  const {engine, traces} = rig();
  const [left, right] = ['left', 'right'].map(name => newStaticCollection<Item>(engine, [], {name}));
  joinWithMergeCollection([left!, right!], sum, {name: 'sum'});
  traces();
  engine.batch(() => {
    left!.updateObject(item('a'));
    right!.updateObject(item('a', 2));
  });
  const [trace] = traces();
  const merged = trace!.published.find(({collection}) => collection === 'sum')!;
  expect(merged.from?.map(at => trace!.published[at]?.collection)).toEqual(['left', 'right']);
});

test('[C4] a merge that fails is a run, for what changed or, failing that, for what has synced', () => {
  const {engine, runs, traces} = rig();
  const latch = newSyncLatch(engine);
  const left = newStaticCollection<Item>(engine, [item('a', -1)], {name: 'left'});
  const right = newStaticCollection<Item>(engine, [], {name: 'right', synced: latch});
  joinWithMergeCollection([left, right], sum, {name: 'sum'});
  runs();
  latch.markSynced();
  expect(runs()).toEqual(['sum a failed <- synced right']);
  left.updateObject(item('b', -2));
  const [trace] = traces();
  expect(trace!.runs.map(({collection, input, outcome}) => `${collection} ${input} ${outcome}`)).toEqual([
    'sum b failed',
  ]);
  expect(trace!.runs[0]!.causes).toEqual([
    {kind: 'input', collection: 'left', uid: left.uid, key: 'b', event: 'add', run: undefined, published: 0},
  ]);
});

test('[C4] a map that fails when it is made has no other reason', () => {
  const {engine, runs} = rig();
  const source = newStaticCollection<Item>(engine, [item('a', -1)], {name: 'source'});
  runs();
  mapCollection(source, one => sum([one]), {name: 'mapped'});
  expect(runs()).toEqual(['mapped a failed <- formula']);
});

test('[C4] rows of a member that comes or goes come from the row that names it', () => {
  const {engine, traces} = rig();
  const member = newStaticCollection<Item>(engine, [item('a')], {name: 'member'});
  const members = newStaticCollection<Collection<Item>>(engine, [], {name: 'members'});
  nestedJoinWithMergeCollection(members, sum, {name: 'joined'});
  traces();
  members.updateObject(member);
  members.deleteObject(String(member.uid));
  const from = traces().map(({published}) =>
    published
      .filter(({collection}) => collection === 'joined')
      .map(({event, from: places}) => `${event} ${places?.map(at => published[at]?.collection)}`),
  );
  expect(from).toEqual([['add members'], ['delete members']]);
});

test('[C4] a status comes from the input that it is about', () => {
  const {engine, traces} = rig();
  const source = newStaticCollection<Item>(engine, [item('a')], {name: 'source'});
  newStatusCollection(source, (_, one) => [{n: one.n}, undefined], {name: 'rows'});
  traces();
  source.updateObject(item('a', 2));
  const [trace] = traces();
  const status = trace!.published.find(({collection}) => collection === 'rows/status');
  expect(status?.from?.map(at => trace!.published[at]?.collection)).toEqual(['source']);
});
