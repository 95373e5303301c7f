import {expect, test} from 'vitest';
import {
  type Collection,
  createEngine,
  dumpPieces,
  fetch,
  filterKey,
  joinCollection,
  nestedJoinWithMergeCollection,
  newCollection,
  newIndex,
  newManyCollection,
  newSingleton,
  newStatic,
  newStaticCollection,
  newStatusCollection,
} from '../index.ts';
import {keyOf, type Thing, thing} from '../testing/objects.ts';

test('[P1] B-01 B-02 B-03 outputs, inputs with sorted outputs and one dependency name per fetch', () => {
  const engine = createEngine();
  const pods = newStaticCollection(engine, [thing('p', ['b', 'a']), thing('q', [])], {name: 'pods'});
  const others = newStaticCollection<Thing>(engine, [], {name: 'others'});
  newManyCollection(
    pods,
    (ctx, t) => {
      if (keyOf(t) === 'p') for (const key of ['x', 'y']) fetch(ctx, others, filterKey(key));
      return t.v as string[];
    },
    {name: 'rows'},
  );
  expect(engine.dump()).toEqual([
    {uid: 2, name: 'pods', state: {outputs: {p: thing('p', ['b', 'a']), q: thing('q', [])}, synced: true}},
    {uid: 3, name: 'others', state: {synced: true}},
    {
      uid: 4,
      name: 'rows',
      state: {
        outputs: {a: 'a', b: 'b'},
        inputCollection: 'pods',
        inputs: {p: {outputs: ['a', 'b'], dependencies: ['others', 'others']}, q: {}},
        synced: true,
      },
    },
  ]);
});

test('[P1] B-04 B-05 singletons: the derived one names itself, the static one is at "static"', () => {
  const engine = createEngine();
  newSingleton(engine, () => 'v', {name: 'single'});
  newStatic<string>(engine, null, {name: 'empty'});
  newStatic(engine, 'bar', {name: 'full'});
  expect(engine.dump().map(e => e.state)).toEqual([
    {outputs: {v: 'v'}, inputCollection: 'single', inputs: {'': {outputs: ['v']}}, synced: true},
    {outputs: {static: null}, synced: true},
    {outputs: {static: 'bar'}, synced: true},
  ]);
});

test('[P1] B-07 a nested join names its members by number; plain joins are left out; rows have capitals', () => {
  const engine = createEngine();
  const member = newStaticCollection(engine, [thing('k', 1)], {name: 'member'});
  const mapped = newCollection(member, (_, t) => t, {name: 'mapped'});
  const container = newStaticCollection<Collection<Thing>>(engine, [mapped], {name: 'container'});
  nestedJoinWithMergeCollection(container, all => all[0], {name: 'nested'});
  joinCollection([member, mapped], {name: 'joined'});
  newIndex(member, 'v', t => [String(t.v)]).asCollection();
  newStatusCollection(member, () => ['fine', 'row'], {name: 'with'});
  const dump = Object.fromEntries(engine.dump().map(e => [e.name, e.state]));
  expect(dump.nested?.inputs).toEqual({[mapped.uid]: {outputs: ['k'], dependencies: ['k', 'member']}});
  expect(dump.container?.outputs).toEqual({[mapped.uid]: {}});
  expect(dump.joined).toBeUndefined();
  expect(dump['index/v']).toEqual({
    outputs: {1: {Key: '1', Objects: [thing('k', 1)]}},
    inputCollection: 'member',
    synced: true,
  });
  expect(dump['with/status']?.outputs).toEqual({k: {Obj: thing('k', 1), Status: 'fine'}});
});

test('[P2] B-08 B-10 what cannot be written is named in its place; Secrets are redacted', () => {
  const engine = createEngine();
  const loop: Record<string, unknown> = {...thing('loop')};
  loop.self = loop;
  const secret = {...thing('n/s'), kind: 'Secret', data: {password: 'hunter2'}, stringData: {token: 't'}};
  newStaticCollection<unknown>(engine, [loop, secret, {...thing('n'), big: 1n}], {name: 'things'});
  const outputs = engine.dump()[0]?.state.outputs as Record<string, unknown>;
  expect(outputs.loop).toEqual({error: expect.stringMatching(/cannot be written/)});
  expect(outputs.n).toEqual({error: expect.stringMatching(/cannot be written/)});
  expect(outputs['n/s']).toMatchObject({data: {password: 'redacted'}, stringData: {token: 'redacted'}});
  expect(JSON.stringify(engine.dump())).not.toContain('hunter2');
});

test('[P1 P2] the document in pieces is the document, indented or not, with what cannot be written named', () => {
  const engine = createEngine();
  const loop: Record<string, unknown> = {key: 'loop'};
  loop.self = loop;
  const pods = newStaticCollection<unknown>(
    engine,
    [
      thing('p', ['b', 'a']),
      thing('line\nbreak', []),
      loop,
      {key: 'f', kind: 'Secret', data: {a: 'hunter2'}},
    ],
    {name: 'po"ds', key: item => (item as {key?: string}).key ?? keyOf(item as Thing)},
  );
  newCollection(
    pods,
    (ctx, item) => ({key: String((item as {key?: string}).key), n: fetch(ctx, pods).length}),
    {
      name: 'rows',
      key: row => row.key,
    },
  );
  newIndex(pods, 'by', () => ['x']).asCollection();
  newStatic(engine, undefined, {name: 'none'});
  newStaticCollection(engine, [], {name: 'empty'});
  for (const indent of [0, 2]) {
    const text = [...dumpPieces(engine, () => true, indent)].join('');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(engine.dump())));
    expect(text).toBe(JSON.stringify(engine.dump(), null, indent));
  }
  expect(JSON.parse([...dumpPieces(engine, name => name === 'empty')].join(''))).toHaveLength(1);
  expect([...dumpPieces(createEngine(), () => true, 2)].join('')).toBe('[]');
});

test('[P2] an item that cannot be looked at is named in its place', () => {
  const engine = createEngine({checks: 'off'});
  const {proxy, revoke} = Proxy.revocable({}, {});
  revoke();
  const container = newStaticCollection<Collection<string>>(engine, [proxy as never], {key: () => 'x'});
  const joined = nestedJoinWithMergeCollection(container, ([first]) => first);
  expect(joined.hasSynced()).toBe(true);
  container.deleteObject('x');
  newStaticCollection<object>(engine, [proxy, {}], {
    name: 'things',
    key: item => (item === proxy ? 'x' : 'y'),
  });
  const {state} = engine.dump().find(({name}) => name === 'things')!;
  expect(state.outputs).toEqual({x: {error: expect.stringContaining('cannot be written')}, y: {}});
  expect(JSON.parse([...dumpPieces(engine, name => name === 'things')].join(''))).toMatchObject([{state}]);
});
