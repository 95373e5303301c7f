import {expect, test} from 'vitest';
import {
  batchedEventFilter,
  createEngine,
  dummyContext,
  engineStats,
  eventTracker,
  fetch,
  fetchOne,
  filterKey,
  mockInputs,
  newStaticCollection,
  partialFetch,
} from '../index.ts';
import {type Thing, thing} from './objects.ts';

test('[A1] U-01 a dummy context fetches, records nothing and refuses to discard', () => {
  const engine = createEngine();
  const things = newStaticCollection(engine, [thing('a', 1), thing('b', 2)]);
  const ctx = dummyContext();
  expect([fetch(ctx, things).length, fetchOne(ctx, things, filterKey('b'))?.v]).toEqual([2, 2]);
  expect(partialFetch(ctx, things, t => t.v, filterKey('a'))).toEqual([1]);
  expect(() => ctx.discardResult()).toThrow(/no run/);
  expect(engineStats(engine).dependencies).toBe(0);
});

test('[A1] U-02 mock inputs by type; inputs that nobody took fail the test', () => {
  const mock = mockInputs(createEngine(), [
    {kind: 'Pod', ...thing('n/a')},
    {kind: 'Service', ...thing('n/s')},
    new Date(0),
  ]);
  expect(mock.collection<Thing>('Pod').list()).toEqual([{kind: 'Pod', ...thing('n/a')}]);
  expect(() => mock.done()).toThrow(/Date, Service/);
  mock.collection<Thing>('Service');
  mock.collection(Date, {key: String});
  mock.done();
});

test('[A1] a tracker writes event/key, and a batch with commas', () => {
  const engine = createEngine();
  const list = newStaticCollection<string>(engine, []);
  const one = eventTracker<string>();
  const batched = eventTracker<string>();
  list.register(one.track);
  list.registerBatch(batched.trackBatch);
  engine.batch(() => {
    list.updateObject('b');
    list.updateObject('a');
  });
  expect([one.taken().sort(), batched.taken(), one.taken()]).toEqual([
    ['add/a', 'add/b'],
    ['add/a,add/b'],
    [],
  ]);
});

test('[A2] U-04 equal projections are dropped; nothing left is no call', () => {
  const engine = createEngine();
  const things = newStaticCollection<Thing>(engine, [thing('a', {n: 1}), thing('b', {n: 1})]);
  const calls: string[] = [];
  const handler = batchedEventFilter<Thing, unknown>(
    t => t.v,
    changes => void calls.push(changes.map(c => `${c.event}/${c.key}`).join()),
  );
  things.registerBatch(handler, false);
  things.updateObject(thing('a', {n: 1}));
  expect(calls).toEqual([]);
  engine.batch(() => {
    things.updateObject(thing('a', {n: 2}));
    things.updateObject(thing('b', {n: 1}));
    things.updateObject(thing('c', {n: 1}));
  });
  things.deleteObject('c');
  expect(calls).toEqual(['update/a,add/c', 'delete/c']);
});
