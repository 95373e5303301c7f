// Items, keys and labels that users rarely write on purpose.
import {expect, test} from 'vitest';
import {
  createEngine,
  equal,
  fetch,
  filterKey,
  filterKeys,
  filterLabel,
  filterSelects,
  inputs,
  joinCollection,
  mapCollection,
  newCollection,
  newSingleton,
  newStatic,
  newStaticCollection,
  tracked,
} from '../index.ts';

const keys = [
  '',
  '__proto__',
  'constructor',
  'a\nb',
  'a\tb',
  'a, b',
  '0',
  '\ud800',
  'k1:a',
  ' '.repeat(10_000),
];

test('[K1] any text is a key, in every kind of collection, in fetches and in the dump', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<{key: string}>(engine, []);
  const rows = newCollection(source, (_, item) => ({key: item.key}), {name: 'rows'});
  const joined = joinCollection([mapCollection(rows, row => ({key: row.key}))]);
  const found = newCollection(source, (ctx, item) => ({
    key: item.key,
    n: fetch(ctx, joined, filterKey(item.key)).length + fetch(ctx, joined, filterKeys(item.key, 'no')).length,
  }));
  engine.batch(() => {
    for (const key of keys) source.updateObject({key});
  });
  expect(found.list().map(({key, n}) => [key, n])).toEqual(keys.map(key => [key, 2]));
  expect(joined.list()).toHaveLength(keys.length);
  const {outputs, inputs: written} = engine.dump().find(({name}) => name === 'rows')!.state;
  expect(Object.keys(outputs!).sort()).toEqual([...keys].sort());
  expect(Object.keys(written!).sort()).toEqual([...keys].sort());
  source.reset([]);
  expect([found.list(), joined.list()]).toEqual([[], []]);
});

test('[K1] nothing is no item, and a filter by what is no text is refused in words', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<{key: string}>(engine, [{key: 'a'}], {name: 'source', key: () => 'a'});
  for (const nothing of [undefined, null]) {
    expect(() => source.updateObject(nothing as never)).toThrow('is no item');
    expect(() => source.reset([nothing as never])).toThrow('is no item');
  }
  expect(source.list()).toEqual([{key: 'a'}]);
  for (const filter of [
    () => filterKey(undefined as never),
    () => filterKeys(5 as never),
    () => filterKeys([null as never]),
  ]) {
    const rows = newCollection(source, ctx => String(fetch(ctx, source, filter()).length));
    expect(inputs(rows)).toMatchObject([{outcome: 'failed', error: expect.stringContaining('takes texts')}]);
  }
});

test('[B3] NaN is itself: set again it is no change', () => {
  const engine = createEngine({checks: 'off'});
  const one = newStatic<number>(engine, Number.NaN);
  const tracker = tracked(one);
  one.set(Number.NaN);
  expect(tracker.taken()).toEqual([]);
  one.set(1);
  expect(tracker.taken()).toEqual(['update/static']);
});

class Hidden {
  readonly shown: number;
  #n: number;

  constructor(shown: number, n: number) {
    this.shown = shown;
    this.#n = n;
  }

  get n(): number {
    return this.#n;
  }
}

class Sublist extends Array<number> {
  note = '';
}

const noted = (note: string) => Object.assign(Sublist.of(1, 2) as Sublist, {note});
const pair = <T>(make: (n: number) => T): [T, T, T] => [make(1), make(1), make(2)];

test.each<[string, [unknown, unknown, unknown]]>([
  ['a list with a field of its own', pair(n => Object.assign([1, 2], {n}))],
  ['a match of a pattern', pair(n => 'a'.repeat(n).match(/a$/))],
  ['a list of a class of its own', pair(n => noted(String(n)))],
  ['several errors', pair(n => new AggregateError([new Error(String(n))], 'm'))],
  ['a map with a field of its own', pair(n => Object.assign(new Map([[1, 1]]), {n}))],
  ['an array in a map in a set', pair(n => new Set([new Map([[1, [n]]])]))],
  ['a big number', pair(n => BigInt(n))],
  ['a date', pair(n => new Date(n))],
  ['bytes', pair(n => new Uint8Array([n]))],
  ['an error', pair(n => Object.assign(new Error('m'), {code: n}))],
])('[K2] %s: equal content is equal, other content is not', (_, [a, same, other]) => {
  expect(equal({v: a}, {v: same})).toBe(true);
  expect(equal({v: a}, {v: other})).toBe(false);
});

test.each<[string, [unknown, unknown, unknown]]>([
  ['private fields', pair(n => new Hidden(0, n))],
  ['a function', pair(n => () => n)],
  ['a blob', pair(n => new Blob([String(n)]))],
  ['headers', pair(n => new Headers({n: String(n)}))],
  ['a promise', pair(n => Promise.resolve(n))],
  ['a weak map', pair(() => new WeakMap())],
  [
    'a generator',
    pair(function* (n) {
      yield n;
    }),
  ],
])(
  '[K2] %s: what hides its content equals itself alone, so that no update is lost',
  (_, [a, same, other]) => {
    expect(equal({v: a}, {v: a})).toBe(true);
    expect(equal({v: a}, {v: same})).toBe(false);
    expect(equal({v: a}, {v: other})).toBe(false);
  },
);

test('[R2] rows in a circle, or deeper than the stack, are announced and never lost', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<{key: string; n: number}>(engine, [{key: 'a', n: 1}]);
  const rows = newCollection(source, (_, {key, n}) => {
    const row: {key: string; n: number; self?: unknown; deep?: unknown} = {key, n};
    row.self = row;
    for (let i = 0; i < 50_000; i++) row.deep = {deep: row.deep};
    return row;
  });
  const tracker = tracked(rows);
  source.updateObject({key: 'a', n: 2});
  expect(tracker.taken()).toEqual(['update/a']);
  expect(rows.getKey('a')?.n).toBe(2);
});

test('[F4] labels that are undefined are none, on both sides', () => {
  const engine = createEngine({checks: 'off'});
  const labels: Record<string, string | undefined> = {app: 'x', tier: undefined};
  const pods = newStaticCollection(engine, [{metadata: {name: 'a', labels}, spec: {selector: labels}}]);
  const found = newSingleton(engine, ctx => [
    fetch(ctx, pods, filterLabel({app: 'x', tier: undefined} as never)).length,
    fetch(ctx, pods, filterSelects({app: 'x', zone: undefined} as never)).length,
    fetch(ctx, pods, filterLabel({tier: undefined} as never)).length,
  ]);
  expect(found.get()).toEqual([1, 1, 1]);
});

test('[C2] what a trace tells cannot be changed by who reads it', () => {
  const engine = createEngine({checks: 'off'});
  const source = newStaticCollection<{key: string; n: number}>(engine, [{key: 'a', n: 1}], {name: 'source'});
  newCollection(source, (ctx, item) => ({key: item.key, n: fetch(ctx, source, filterKeys('a', 'b')).length}));
  const texts: string[] = [];
  engine.onTrace(trace => {
    const fetched = trace.runs[0]?.fetches[0];
    texts.push(JSON.stringify(fetched));
    const spoil = (f: () => void) => {
      try {
        f();
      } catch {
        // A refusal is as good as no effect.
      }
    };
    spoil(() => void (fetched!.clauses as unknown[]).push('spoilt'));
    spoil(() => void Object.assign(fetched!.clauses[0]!, {text: 'spoilt'}));
    spoil(() => void (fetched!.clauses[0] as unknown as {keys: string[]}).keys.push('c'));
    spoil(() => void Object.assign(fetched!.via, {name: 'spoilt'}));
    spoil(() => void (fetched!.keys as string[]).push('spoilt'));
    spoil(() => void Object.assign(fetched!, {filter: 'spoilt'}));
  });
  source.updateObject({key: 'a', n: 2});
  source.updateObject({key: 'a', n: 3});
  expect(texts[1]).toBe(texts[0]);
});
