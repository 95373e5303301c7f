import {expect, test} from 'vitest';
import {
  fetch,
  newStaticCollection,
  newStatusCollection,
  newStatusManyCollection,
  newSyncLatch,
  tracked,
} from '../index.ts';
import {keyOf, rig, type Thing, thing} from '../testing/objects.ts';

function services() {
  const all = rig();
  const pods = newStaticCollection<Thing>(all.engine, [], {name: 'pods'});
  const source = newStaticCollection<Thing>(all.engine, [thing('s')], {name: 'services'});
  const [status, endpoints] = newStatusManyCollection(
    source,
    (ctx, service) => {
      const found = fetch(ctx, pods).filter(p => p.v);
      if (service.v === 'fail') throw new Error('no');
      if (service.v === 'discard') ctx.discardResult();
      const rows = found.map(p => ({key: `${keyOf(service)}/${keyOf(p)}`, ip: p.v}));
      return [service.v === 'none' ? undefined : {count: rows.length}, rows];
    },
    {name: 'endpoints', key: row => row.key, metadata: {m: 1}},
  );
  return {...all, pods, source, status, endpoints, ofStatus: tracked(status), ofRows: tracked(endpoints)};
}

test('[T4] T-01 T-02 outputs and status change on their own', () => {
  const {pods, ofStatus, ofRows, status} = services();
  pods.updateObject(thing('p', '1'));
  expect([ofRows.taken(), ofStatus.taken()]).toEqual([['add/s/p'], ['update/s']]);
  pods.updateObject(thing('p', '2'));
  expect([ofRows.taken(), ofStatus.taken()]).toEqual([['update/s/p'], []]);
  expect(status.list()).toEqual([{obj: thing('s'), status: {count: 1}}]);
});

test('[T4] T-03 T-04 a status goes and comes back; it goes with its input', () => {
  const {pods, source, ofStatus, ofRows, status} = services();
  pods.updateObject(thing('p', '1'));
  ofStatus.taken();
  ofRows.taken();
  source.updateObject(thing('s', 'none'));
  source.updateObject(thing('s'));
  expect([ofStatus.taken(), ofRows.taken()]).toEqual([['delete/s', 'add/s'], []]);
  source.deleteObject('s');
  expect([ofStatus.taken(), ofRows.taken(), status.list()]).toEqual([['delete/s'], ['delete/s/p'], []]);
});

test('[T4] T-05 the same status on a changed object is an update', () => {
  const {source, ofStatus, ofRows} = services();
  source.updateObject(thing('s', 'note'));
  expect([ofStatus.taken(), ofRows.taken()]).toEqual([['update/s'], []]);
});

test('[T4] a discarded run writes its status, a failed one leaves it', () => {
  const {pods, source, status, endpoints} = services();
  pods.updateObject(thing('p', '1'));
  source.updateObject(thing('s', 'discard'));
  pods.updateObject(thing('q', '1'));
  expect([status.getKey('s')?.status, endpoints.list().length]).toEqual([{count: 2}, 1]);
  source.updateObject(thing('s', 'fail'));
  expect(status.getKey('s')?.status).toEqual({count: 2});
});

test('[T4] T-07 T-08 names, sync after the outputs, and no status for an input that goes while it waits', () => {
  const {engine} = rig();
  const latch = newSyncLatch(engine);
  const late = newStaticCollection<Thing>(engine, [], {synced: latch});
  const source = newStaticCollection<Thing>(engine, [thing('a'), thing('b')]);
  const [status, rows] = newStatusCollection(source, (ctx, t) => [fetch(ctx, late).length, keyOf(t)], {
    name: 'rows',
  });
  expect([rows.name, status.name, status.hasSynced()]).toEqual(['rows', 'rows/status', false]);
  source.deleteObject('a');
  latch.markSynced();
  expect([status.hasSynced(), rows.list(), status.list()]).toEqual([
    true,
    ['b'],
    [{obj: thing('b'), status: 0}],
  ]);
});

test('[N1] both halves return the metadata', () => {
  const {status, endpoints} = services();
  expect([status.metadata(), endpoints.metadata()]).toEqual([{m: 1}, {m: 1}]);
});
