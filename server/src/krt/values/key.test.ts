import {expect, test} from 'vitest';
import {
  createEngine,
  equal,
  fetchOrList,
  filterNamespace,
  items,
  keyOf,
  latest,
  Named,
  newCollection,
  newStaticCollection,
  ObjectWithCluster,
  tracked,
} from '../index.ts';
import {rig, type Thing, thing} from '../testing/objects.ts';

test('[K1] K-01 the key of a text is the text', () => {
  const texts = newStaticCollection(createEngine(), ['a', 'b']);
  expect(texts.getKey('a')).toBe('a');
});

test('[K1] K-02 K-03 the key of a Kubernetes object is namespace/name, or name without a namespace', () => {
  const list = newStaticCollection(createEngine(), [thing('ns/a'), thing('node')]);
  expect([list.getKey('ns/a'), list.getKey('node')]).toEqual([thing('ns/a'), thing('node')]);
});

test('[K1] K-05 a Named without namespace has the key /name, and name finds nothing', () => {
  const list = newStaticCollection(createEngine(), [new Named('a')]);
  expect(list.getKey('/a')).toBeInstanceOf(Named);
  expect(list.getKey('a')).toBeUndefined();
});

test('[K1] K-06 an object without any key throws, and the message names its type and the fix', () => {
  const list = newStaticCollection<unknown>(createEngine(), [], {name: 'things'});
  expect(() => list.updateObject({kind: 'Widget'})).toThrow(/"things".*Widget.*key option/);
  expect(list.list()).toEqual([]);
});

test('[K1] K-07 a collection as an item has its number as its key', () => {
  const engine = createEngine();
  const inner = newStaticCollection<string>(engine, []);
  const outer = newStaticCollection(engine, [inner]);
  expect(outer.getKey(String(inner.uid))).toBe(inner);
});

test('[K2] K-08 a difference that equals() ignores is no change, and the old object stays', () => {
  class Row {
    readonly name: string;
    readonly noise: unknown;
    constructor(name: string, noise: unknown) {
      this.name = name;
      this.noise = noise;
    }
    resourceName(): string {
      return this.name;
    }
    equals(other: Row): boolean {
      return this.name === other.name;
    }
  }
  const {engine, runs} = rig();
  const source = newStaticCollection(engine, [thing('a', 1)], {name: 's'});
  const rows = newCollection(source, (_, t) => new Row('a', t.v), {name: 'rows'});
  const first = rows.getKey('a');
  const tracker = tracked(rows);
  runs();
  source.updateObject(thing('a', 2));
  expect(runs()).toEqual(['rows a equal <- s a update']);
  expect(tracker.taken()).toEqual([]);
  expect(rows.getKey('a')).toBe(first);
});

test('[K2] K-09 without equals() every field counts', () => {
  const engine = createEngine();
  const source = newStaticCollection<Thing>(engine, [thing('a')]);
  const rows = newCollection(source, (_, t) => ({...t}), {name: 'rows'});
  const tracker = tracked(rows);
  source.updateObject({metadata: {name: 'a', labels: {note: 'x'}}});
  expect(tracker.taken()).toEqual(['update/a']);
});

test('[K2] missing equals undefined, empty does not equal missing; NaN, Date, Map and Set compare by content', () => {
  expect(equal({a: 1, b: undefined}, {a: 1})).toBe(true);
  expect(equal({a: []}, {})).toBe(false);
  expect(equal({a: {}}, {})).toBe(false);
  expect(equal([Number.NaN], [Number.NaN])).toBe(true);
  expect(equal(new Date(1), new Date(1))).toBe(true);
  expect(equal(new Date(1), new Date(2))).toBe(false);
  expect(equal(new Map([['a', {n: 1}]]), new Map([['a', {n: 1}]]))).toBe(true);
  expect(equal(new Map([['a', {n: 1}]]), new Map([['a', {n: 2}]]))).toBe(false);
  expect(equal(new Set([1]), new Set([2]))).toBe(false);
  expect(equal({toString: 1}, {})).toBe(false);
  expect(equal([], {})).toBe(false);
});

test('[K3] K-11 items are old before new, latest is the newest', () => {
  expect(items({event: 'update', key: 'a', old: 1, new: 2})).toEqual([1, 2]);
  expect(latest({event: 'update', key: 'a', old: 1, new: 2})).toBe(2);
  expect(items({event: 'delete', key: 'a', old: 1})).toEqual([1]);
  expect(latest({event: 'delete', key: 'a', old: 1})).toBe(1);
});

test('[K2] K-12 one object seen in another cluster has the same key and is not equal', () => {
  const engine = createEngine();
  const list = newStaticCollection(engine, [new ObjectWithCluster('c1', thing('ns/a'))]);
  const tracker = tracked(list);
  list.conditionalUpdateObject(new ObjectWithCluster('c1', thing('ns/a')));
  expect(tracker.taken()).toEqual([]);
  list.conditionalUpdateObject(new ObjectWithCluster('c2', thing('ns/a')));
  expect(tracker.taken()).toEqual(['update/ns/a']);
});

test.each([
  ['undefined', undefined],
  ['null', null],
  ['a number', 5],
  ['an object', {}],
])('[K1] %s is no key, whoever gives it', (_, given) => {
  const list = newStaticCollection<unknown>(createEngine(), [], {name: 'list'});
  expect(() => list.updateObject({resourceName: () => given})).toThrow(
    /"list".*keys are texts.*resourceName/,
  );
  expect(() => keyOf({resourceName: () => given})).toThrow('keys are texts');
  if (typeof given === 'number') return;
  expect(() => list.updateObject({registerBatch: () => {}, uid: given})).toThrow('keys are texts');
  expect(list.list()).toEqual([]);
});

test.each([{}, 5, 0, true, Symbol('n'), ['n']])(
  '[K1] a namespace that is %s is refused: it is no text',
  namespace => {
    expect(() => keyOf({metadata: {name: 'a', namespace}})).toThrow(/keys are texts.*the namespace/);
  },
);

test('[K1] a key is read once: what a getter says the next time does not count', () => {
  let reads = 0;
  const turning = {
    get key() {
      return reads++ === 0 ? 'a' : 5;
    },
  };
  expect(keyOf(turning)).toBe('a');
});

test('[K1] what cannot be looked at is refused in words, too', () => {
  const {proxy, revoke} = Proxy.revocable({}, {});
  revoke();
  const list = newStaticCollection<unknown>(createEngine(), [], {name: 'list', key: () => 5 as never});
  expect(() => list.updateObject(proxy)).toThrow('"list": the key of Object');
  expect(() => list.updateObject(Object.assign(Object.create(null), {n: 1n}))).toThrow('"list": the key of');
});

test('[K4] a namespace that is no text counts as empty, and is reported', () => {
  const engine = createEngine({checks: 'off'});
  const list = newStaticCollection(engine, [{key: 'a', getNamespace: () => ({})}]);
  expect(fetchOrList(null, list, filterNamespace('[object Object]'))).toEqual([]);
  expect(engine.violations()).toMatchObject([{code: 'attribute-failed', keys: ['a', 'namespace']}]);
  const given = newStaticCollection(engine, [{key: 'b'}], {namespace: () => 5 as never});
  expect(fetchOrList(null, given, filterNamespace(''))).toHaveLength(1);
  expect(engine.violations()).toHaveLength(2);
});

test('[K1] Named takes texts alone', () => {
  expect(() => new Named(undefined as never)).toThrow('takes texts');
  expect(() => new Named('a', null as never)).toThrow('takes texts');
});
