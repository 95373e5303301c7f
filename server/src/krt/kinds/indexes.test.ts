import {expect, test} from 'vitest';
import {
  createEngine,
  dropIndex,
  engineStats,
  fetchIndexObjects,
  newCollection,
  newIndex,
  newNamespaceIndex,
  newSingleton,
  newStaticCollection,
} from '../index.ts';
import {keyOf, rig, type Thing, thing, violated} from '../testing/objects.ts';

const tags = (t: Thing) => (t.v as string[] | undefined) ?? [];

test('[X1] P-02 an object may be in several buckets, or in none', () => {
  const things = newStaticCollection(createEngine(), [thing('a', ['x', 'y']), thing('b', ['y']), thing('c')]);
  const byTag = newIndex(things, 'tag', tags);
  expect([byTag.lookup('x').length, byTag.lookup('y').length, byTag.lookup('z')]).toEqual([1, 2, []]);
  byTag.lookup('y').pop();
  expect(byTag.lookup('y').length).toBe(2);
});

test('[F2] P-03 a fetch by index follows its bucket and no other', () => {
  const {engine, runs} = rig();
  const things = newStaticCollection<Thing>(engine, [], {name: 'things'});
  const byTag = newIndex(things, 'tag', tags);
  const found = newSingleton(engine, ctx => ({keys: byTag.fetch(ctx, 'x').map(keyOf).sort()}), {
    name: 'found',
  });
  things.updateObject(thing('a', ['x']));
  things.updateObject(thing('b', ['x', 'z']));
  expect(found.get()).toEqual({keys: ['a', 'b']});
  runs();
  things.updateObject(thing('c', ['y']));
  expect(runs()).toEqual([]);
  things.deleteObjects(() => true);
  expect(found.get()).toEqual({keys: []});
});

test('[X2] P-04 P-05 groups and counts follow an object from bucket to bucket', () => {
  const engine = createEngine();
  const things = newStaticCollection(engine, [thing('a', ['x']), thing('b', ['x'])]);
  const groups = newIndex(things, 'tag', tags).asCollection();
  const counts = newCollection(groups, (_, g) => `${g.key}:${g.objects.length}`);
  expect(groups.getKey('missing')).toBeUndefined();
  expect(counts.list()).toEqual(['x:2']);
  things.updateObject(thing('a', ['y']));
  expect(counts.list().sort()).toEqual(['x:1', 'y:1']);
});

test('[X2] P-06 a bucket is added, updated and deleted with true old and new', () => {
  const engine = createEngine();
  const things = newStaticCollection<Thing>(engine, []);
  const groups = newIndex(things, 'tag', tags).asCollection({metadata: {m: 1}});
  const seen: unknown[] = [];
  groups.register(c => void seen.push([c.event, c.old?.objects.length, c.new?.objects.length]));
  things.updateObject(thing('a', ['x']));
  things.updateObject(thing('b', ['x']));
  things.deleteObject('a');
  things.deleteObject('b');
  expect(seen).toEqual([
    ['add', undefined, 1],
    ['update', 1, 2],
    ['update', 2, 1],
    ['delete', 1, undefined],
  ]);
  expect([groups.name, groups.metadata()]).toEqual(['index/tag', {m: 1}]);
});

test('[X2] P-08 an index of an index throws', () => {
  const things = newStaticCollection<Thing>(createEngine(), []);
  const groups = newIndex(things, 'tag', tags).asCollection();
  expect(() => newIndex(groups, 'again', () => [])).toThrow(/cannot be indexed/);
});

test('[R8] P-09 rows of groups that leave out the bucket are a violation', () => {
  const engine = createEngine();
  const things = newStaticCollection(engine, [thing('a', ['x', 'y'])]);
  const groups = newIndex(things, 'tag', tags).asCollection();
  newCollection(groups, () => 'same', {name: 'rows'});
  expect(violated(engine)).toEqual(['duplicate-across-inputs rows same']);
});

test('[X1] P-10 P-11 the namespace index is one; a name with another function throws; unnamed ones are apart', () => {
  const things = newStaticCollection(createEngine(), [thing('n/a'), thing('m/b')]);
  expect(newNamespaceIndex(things).lookup('n')).toEqual([thing('n/a')]);
  expect(newNamespaceIndex(things)).toBe(newNamespaceIndex(things));
  expect(newIndex(things, 'tag', tags)).toBe(newIndex(things, 'tag', tags));
  expect(() => newIndex(things, 'tag', () => ['z'])).toThrow(/another function/);
  const make = (key: string) => newIndex(things, () => [key]);
  expect([make('p').lookup('p').length, make('q').lookup('p').length]).toEqual([2, 0]);
});

test('[X2] keys that are not texts need fromString', () => {
  const engine = createEngine();
  const things = newStaticCollection(engine, [thing('a', 7)]);
  const byN = newIndex<Thing, number>(things, 'n', t => [Number(t.v)]);
  expect(byN.lookup(7).length).toBe(1);
  expect(() => byN.asCollection()).toThrow(/fromString/);
  expect(byN.asCollection({fromString: Number}).list()[0]?.key).toBe(7);
});

test('[F2] P-14 a missing bucket, then it appears', () => {
  const {engine} = rig();
  const things = newStaticCollection<Thing>(engine, []);
  const groups = newIndex(things, 'tag', tags).asCollection();
  const found = newSingleton(engine, ctx => ({n: fetchIndexObjects(ctx, groups, 'x')?.length ?? 'none'}));
  expect(found.get()).toEqual({n: 'none'});
  things.updateObject(thing('a', ['x']));
  expect(found.get()).toEqual({n: 1});
});

test('[X2] the same items make the same row, in whatever order they came', () => {
  const objectsOf = (order: string[]) => {
    const things = newStaticCollection<Thing>(createEngine(), [], {name: 'things'});
    const groups = newIndex(things, 'tag', tags).asCollection({name: 'groups'});
    for (const name of order) things.updateObject(thing(name, ['x']));
    things.deleteObject('b');
    things.updateObject(thing('b', ['x']));
    return groups.getKey('x')?.objects.map(keyOf);
  };
  expect(objectsOf(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  expect(objectsOf(['c', 'a', 'b'])).toEqual(['a', 'b', 'c']);
});

test('[X4] [R7] [F2] a discarded run takes up no dependency again by an index that was dropped since', () => {
  const {engine, runs} = rig();
  const things = newStaticCollection<Thing>(engine, [thing('a', ['x'])], {name: 'things'});
  const inputs = newStaticCollection<Thing>(engine, [thing('i', 'accept')], {name: 'inputs'});
  const byTag = newIndex(things, 'tag', tags);
  newCollection(
    inputs,
    (ctx, {v}) => {
      if (v === 'fail') throw new Error('no');
      if (v === 'discard') ctx.discardResult();
      return thing('row', v === 'accept' ? byTag.fetch(ctx, 'x').length : 0);
    },
    {name: 'rows'},
  );
  things.updateObject(thing('a', ['x']));
  inputs.updateObject(thing('i', 'fail'));
  dropIndex(byTag);
  inputs.updateObject(thing('i', 'discard'));
  runs();
  things.updateObject(thing('b', ['y']));
  expect(runs()).toEqual([]);
});

test('[LK3] [Z2] what comes and goes in one batch, or is as it was in the end, leaves nothing on an index', () => {
  const engine = createEngine({checks: 'off'});
  const stays = {key: 'stays', n: 1};
  const items = newStaticCollection(engine, [stays], {name: 'items'});
  newIndex(items, 'n', ({n}) => [String(n)]);
  const {buckets} = engineStats(engine);
  engine.batch(() => {
    items.updateObject({key: 'comes', n: 2});
    items.updateObject({key: 'stays', n: 2});
    expect(engineStats(engine).buckets).toBeGreaterThan(buckets);
    items.deleteObject('comes');
    items.updateObject(stays);
  });
  expect(engineStats(engine).buckets).toBe(buckets);
});

test('[X1] an index without a function, or with a name that is no text, is refused', () => {
  const items = newStaticCollection(createEngine({checks: 'off'}), [{key: 'a'}], {name: 'items'});
  expect(() => newIndex(items, 'by name', undefined as never)).toThrow(
    'a name, which is a text, and a function',
  );
  expect(() => newIndex(items, () => ['x'], {name: Symbol('s') as never})).toThrow('which is a text');
});
