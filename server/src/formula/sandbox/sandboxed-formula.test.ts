import {expect, onTestFinished, test} from 'vitest';
import {
  createEngine,
  newCollection,
  newIndex,
  newManyCollection,
  newSingleton,
  newStaticCollection,
} from '../../krt/index.ts';
import {type CompiledFormulaKind, compileFormula} from '../compile/formula-compiler.ts';
import {labelsOf, namespaceOf} from './row-keys.ts';
import {FormulaRowSizes} from './row-sizes.ts';
import {SandboxedFormula} from './sandboxed-formula.ts';
import {forgetRegisteredNames} from './symbol-registry.ts';

interface Thing {
  metadata: {name: string; namespace: string; labels: Record<string, string>};
  n: number;
  list: number[];
}

const thing = (name: string, n = 0): Thing => ({
  metadata: {name, namespace: 'ns', labels: {app: name}},
  n,
  list: [1, 2],
});

async function rig(code: string, kind: CompiledFormulaKind = 'one', things = [thing('a', 1), thing('b', 2)]) {
  const engine = createEngine({checks: 'off'});
  const Things = newStaticCollection<Thing>(engine, things, {name: 'Things'});
  const compiled = await compileFormula(code, kind, kind === 'singleton' ? undefined : 'Things');
  const byPath = newIndex(Things, item => [String(item.n)], {name: 'n'} as never);
  const formula = new SandboxedFormula(
    {name: 'Rows', kind, compiled},
    {collection: name => (name === 'Things' ? (Things as never) : undefined), index: () => byPath as never},
  );
  const options = {
    name: 'Rows',
    key: (row: unknown) => formula.keys.of(row),
    labels: labelsOf,
    namespace: namespaceOf,
  };
  const run = (ctx: unknown, item?: unknown) => formula.run(ctx as never, item) as never;
  const rows =
    kind === 'one'
      ? newCollection(Things, run, options)
      : kind === 'many'
        ? newManyCollection(Things, run, options)
        : newSingleton(engine, run, options);
  return {
    engine,
    Things,
    rows,
    errors: () => things.map(({metadata}) => rows.rowState(`ns/${metadata.name}`)?.error),
  };
}

async function errorOf(code: string, kind: CompiledFormulaKind = 'one'): Promise<string> {
  const {rows, errors} = await rig(code, kind, [thing('a', 1)]);
  return (
    (kind === 'singleton' ? rows.rowState('static')?.error : errors()[0]) ??
    `no error: ${JSON.stringify(rows.list())}`
  );
}

test("a formula is a collection like any other: fetches, recomputes, the input's key", async () => {
  const {rows, Things} = await rig(
    '(ctx, item) => ({twice: item.n * 2, all: ctx.fetch(Things, namespace("ns")).length})',
  );
  expect(rows.list()).toEqual([
    {twice: 2, all: 2},
    {twice: 4, all: 2},
  ]);
  expect(rows.getKey('ns/a')).toEqual({twice: 2, all: 2});
  Things.updateObject(thing('c', 3));
  expect(rows.getKey('ns/a')).toEqual({twice: 2, all: 3});
  expect(rows.list()).toHaveLength(3);
});

test('keys: a text, the field key, metadata, the input; many must have one, a singleton is static', async () => {
  const keys = async (code: string, kind: CompiledFormulaKind = 'one') => {
    const {rows} = await rig(code, kind);
    const known = ['ns/a', 'a', 'x', 'q/z', 'static', 'a1'];
    return known.filter(key => rows.getKey(key) !== undefined);
  };
  expect(await keys('(ctx, i) => i.metadata.name')).toEqual(['a']);
  expect(await keys('(ctx, i) => ({key: i.n === 1 ? "x" : "y"})')).toEqual(['x']);
  expect(await keys('(ctx, i) => i.n === 1 ? ({metadata: {name: "z", namespace: "q"}}) : null')).toEqual([
    'q/z',
  ]);
  expect(await keys('(ctx, i) => ({v: 1})')).toEqual(['ns/a']);
  expect(await keys('(ctx, i) => i.n')).toEqual(['ns/a']);
  expect(await keys('(ctx, i) => [{key: i.metadata.name + 1}]', 'many')).toEqual(['a1']);
  expect(await keys('(ctx) => ({key: "x"})', 'singleton')).toEqual(['static']);
  expect(await errorOf('(ctx, i) => [{v: 1}]', 'many')).toMatch(/needs a key/);
  expect(await errorOf('(ctx, i) => ({key: 7})')).toMatch(/must be a string/);
  expect(await errorOf('(ctx, i) => ({key: ""})')).toMatch(/must be a string/);
  expect(await errorOf('(ctx, i) => 1', 'many')).toMatch(/returns an array/);
});

test('a function has no "this" that leads to its own meter, or that keeps anything between runs', async () => {
  for (const code of [
    'function (ctx, i) { this.refuel(1e15); for (let n = 0; n < 3e6; n++); return {ran: 1} }',
    'function (ctx, i) { this.seen = (this.seen ?? 0) + 1; return {seen: this.seen} }',
    'function (ctx, i) { return {is: typeof this.fuel} }',
  ])
    expect(await errorOf(code), code).toMatch(/undefined/);
  expect(
    await errorOf('function (ctx, i) { return ctx.fetch(Things, generic(function (t) { return this.x })) }'),
  ).toMatch(/undefined/);
  const {rows} = await rig('function (ctx, i) { return {is: typeof this} }');
  expect(rows.list()).toEqual([{is: 'undefined'}, {is: 'undefined'}]);
});

test('a key of any length counts, and one that no address can hold is refused', async () => {
  expect(await errorOf('(ctx, i) => ({["k".repeat(2 ** 23)]: 1})')).toMatch(/larger than 256 KB/);
  expect(await errorOf('(ctx, i) => ({a: {["k".repeat(2 ** 23)]: 1}})')).toMatch(/larger than 256 KB/);
  expect(await errorOf('(ctx, i) => ({key: "a\\ud800"})')).toMatch(/half a character/);
  expect(await errorOf('(ctx, i) => "\\udfff"')).toMatch(/half a character/);
  expect(await errorOf('(ctx, i) => ({metadata: {name: "\\ud83d"}})')).toMatch(/half a character/);
  expect(await errorOf('(ctx, i) => ({key: "\\ud83d\\ude00", odd: "\\ud800"})')).toMatch(/^no error/);
});

test('every filter and helper is in scope', async () => {
  const {rows} = await rig(
    `(ctx) => ({
    key: ctx.fetch(Things, key('ns/a')).length, keys: ctx.fetch(Things, keys(['ns/a', 'ns/b'])).length,
    name: ctx.fetchOne(Things, name('a', 'ns')).n, namespace: ctx.fetch(Things, namespace('no')).length,
    label: ctx.fetch(Things, label({app: 'a'})).length, selects: ctx.fetch(Things, selects({})).length,
    nonEmpty: ctx.fetch(Things, selectsNonEmpty({})).length, generic: ctx.fetch(Things, generic(t => t.n > 1)).length,
    index: ctx.fetch(Things, index(Things, 'n', 2)).length, odd: ctx.fetch(collection('Things')).length,
    helpers: [keyOf({metadata: {name: 'a', namespace: 'b'}}), quantity('250m'), quantity('1Ki'), sum([1, 2]),
      unique([1, 1]), countBy([1, 2, 3], x => x % 2), groupBy([1, 2], x => x % 2), time('1970-01-01T00:00:01Z'),
      matches({matchExpressions: [{key: 'a', operator: 'Exists'}]}, {a: ''}), matches({constructor: 'x'}, {})]})`,
    'singleton',
  );
  expect(rows.list()[0]).toEqual({
    key: 1,
    keys: 2,
    name: 1,
    namespace: 0,
    label: 1,
    selects: 2,
    nonEmpty: 0,
    generic: 1,
    index: 1,
    odd: 2,
    helpers: ['b/a', 0.25, 1024, 3, [1], {0: 1, 1: 2}, {0: [2], 1: [1]}, 1000, true, false],
  });
});

test('running on and on is a failed row, and neither catch nor finally outlives it', async () => {
  const endless = [
    '(ctx) => { for (;;); }',
    '(ctx) => { while (true) { try { for (;;) {} } catch {} finally { continue; } } }',
    '(ctx) => { do {} while (true) }',
    '(ctx) => { const f = n => { try { if (n < 20) f(n + 1) } catch { f(n) } finally { if (n < 20) f(n + 1) } }; for (;;) f(0) }',
    '(ctx) => { for (const x of {[Symbol.iterator]: () => ({next: () => ({value: 1})})}) x }',
    '(ctx) => { try { for (;;) {} } catch { return {ok: 1} } }',
    '(ctx) => ({get a() { for (;;); }})',
    '(ctx) => [1, 2, 3].sort(() => { for (;;); })',
    '(ctx) => { class A { static { for (;;); } } }',
    '(ctx) => { label: for (;;) { continue label; } }',
  ];
  for (const code of endless)
    expect([code, await errorOf(code)]).toEqual([code, expect.stringMatching(/ran too long|getter/)]);
});

test('deep recursion fails its row, also right before a fetch, and the engine goes on', async ({
  onTestFinished,
}) => {
  // The test runner maps every frame of every error back to its source, thousands of times here.
  const {stackTraceLimit} = Error;
  Error.stackTraceLimit = 0;
  onTestFinished(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  expect(await errorOf('(ctx) => { const f = () => f() + 1; return f(); }')).toMatch(/too deeply/);
  const {rows, Things, errors} = await rig(
    `(ctx, i) => { const f = n => { try { return f(n + 1) } catch { return ctx.fetch(Things, label({app: 'b'})).length } }; return i.n === 1 ? f(0) : ctx.fetch(Things, label({app: 'b'})).length }`,
  );
  expect(rows.getKey('ns/b')).toBe(1);
  expect(errors()[0]).toMatch(/too deeply/);
  Things.updateObject({...thing('c', 5), metadata: {name: 'c', namespace: 'ns', labels: {app: 'b'}}});
  expect(rows.getKey('ns/b')).toBe(2);
  expect(errors()[1]).toBeUndefined();
});

test('results are plain JSON or an error with the path', async () => {
  const wrong: [string, RegExp][] = [
    ['(ctx) => ({a: {b: () => 1}})', /^a\.b is a function/],
    ['(ctx) => ({toJSON() { return 1 }})', /toJSON is a function/],
    ['(ctx) => ({a: [1n]})', /a is a bigint/],
    ['(ctx) => ({a: Symbol("x")})', /symbol/],
    ['(ctx) => ({a: 0 / 0})', /NaN/],
    ['(ctx) => new Map()', /a Map/],
    ['(ctx) => ({at: new Date(0)})', /a Date/],
    ['(ctx) => ({get a() { return 1 }})', /getter/],
    ['(ctx) => Object.defineProperty({}, "a", {get: () => 1, enumerable: true})', /getter/],
    ['(ctx) => new (class A { x = 1 })', /instance of a class/],
    ['(ctx) => { const a = {}; a.a = a; return a }', /nested deeper/],
    ['(ctx) => { let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; return a }', /larger than 256 KB/],
    ['(ctx) => new Array(1e9)', /an array of 1000000000/],
    ['(ctx) => ({a: "x".repeat(2 ** 24)})', /larger than 256 KB/],
    ['(ctx) => Array.from({length: 9e5}, (_, i) => "r" + i)', /array of 900000/],
  ];
  for (const [code, words] of wrong)
    expect([code, await errorOf(code)]).toEqual([code, expect.stringMatching(words)]);
  expect(await errorOf('(ctx) => Array.from({length: 20001}, (_, i) => "r" + i)', 'many')).toMatch(
    /at most 10000 rows/,
  );
  const {rows} = await rig('(ctx) => JSON.parse(\'{"__proto__": {"x": 1}, "u": null}\')', 'one', [
    thing('a'),
  ]);
  expect(JSON.stringify(rows.list()[0])).toBe('{"__proto__":{"x":1},"u":null}');
});

test('what is thrown becomes words and a line', async () => {
  expect(await errorOf('(ctx, i) => {\n  return i.a.b;\n}')).toMatch(/^Cannot read.*\(line 2\)$/);
  expect(await errorOf('(ctx, i) => { throw "no" }')).toBe('the formula threw "no", which is not an Error');
  expect(await errorOf('(ctx, i) => { throw undefined }')).toMatch(/threw undefined/);
  expect(await errorOf('(ctx, i) => { throw {get message() { for (;;); }} }')).toMatch(
    /an object|ran too long/,
  );
  expect(
    await errorOf(
      '(ctx, i) => { const e = new Error("x"); Object.defineProperty(e, "message", {get() { throw 1 }}); throw e }',
    ),
  ).toMatch(/cannot be read/);
  expect(await errorOf('(ctx, i) => { throw new Error("x".repeat(1e6)) }')).toMatch(/^x{300}…/);
  expect(await errorOf('(ctx, i) => ctx.fetch(1)')).toMatch(/must be a collection/);
  expect(await errorOf('(ctx, i) => ctx.fetch(Things, {})')).toMatch(/expects filters/);
  expect(await errorOf('(ctx, i) => ctx.fetch(Things, key(1))')).toMatch(/expects a string/);
});

test('nothing given, shared or left behind can be changed', async () => {
  const wrong = [
    '(ctx, i) => { i.n = 9 }',
    '(ctx, i) => { i.metadata.labels.x = 1 }',
    '(ctx, i) => { i.list.push(3) }',
    '(ctx, i) => { ctx.fetch(Things)[0].n = 9 }',
    '(ctx, i) => { ctx.fetch(Things).push(1) }',
    '(ctx, i) => { ctx.stash = 1 }',
    '(ctx, i) => { Things.stash = 1 }',
    '(ctx, i) => { key.stash = 1 }',
    '(ctx, i) => { key("a").stash = 1 }',
    '(ctx, i) => { ctx.fetch.stash = 1 }',
    '(ctx, i) => { Object.prototype.polluted = 1 }',
    '(ctx, i) => { ({}).__proto__.polluted = 1 }',
    '(ctx, i) => { Array.prototype.map = 1 }',
    '(ctx, i) => { Math.stash = 1 }',
    '(ctx, i) => { i.constructor.prototype.polluted = 1 }',
    'function f(ctx, i) { f.n = 1 }',
  ];
  for (const code of wrong)
    expect([code, await errorOf(code)]).toEqual([
      code,
      expect.stringMatching(/cannot change|read only|not extensible|Cannot/),
    ]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('there is no way out', async () => {
  const ways = [
    '(ctx, i) => i.constructor.constructor("return process")()',
    '(ctx, i) => ctx.fetch.constructor("return process")()',
    '(ctx, i) => (() => 1).constructor("return 1")()',
    '(ctx, i) => Reflect.getPrototypeOf(function () {}).constructor("return 1")()',
    '(ctx, i) => Things.constructor("x")',
    '(ctx, i) => key("a").constructor.prototype.open',
  ];
  for (const code of ways) {
    const said = await errorOf(code);
    expect([code, said]).toEqual([
      code,
      expect.stringMatching(
        /not a valid constructor|not a function|undefined|no error: \[\]|instance of a class/,
      ),
    ]);
  }
  expect(
    await errorOf(
      '(ctx, i) => Object.getOwnPropertyNames(ctx.fetch(Things, index(Things, "n", 1))).length && Object.keys(index(Things, "n", 1)).length',
    ),
  ).toBe('no error: [0]');
});

test('a generic filter that fails outside a run makes the run tell', async () => {
  const {rows, Things} = await rig('(ctx, i) => ctx.fetch(Things, generic(t => t.list.length > 1)).length');
  expect(rows.getKey('ns/a')).toBe(2);
  Things.updateObject({...thing('c'), list: undefined as never});
  expect(rows.rowState('ns/a')?.error).toMatch(/undefined/);
  Things.deleteObject('ns/c');
  expect(rows.rowState('ns/a')?.error).toBeUndefined();
});

test('a discarded result keeps what was there', async () => {
  const {rows, Things} = await rig('(ctx, i) => { if (i.n > 5) ctx.discard(); return {n: i.n} }');
  Things.updateObject(thing('a', 9));
  expect(rows.getKey('ns/a')).toEqual({n: 1});
});

test('a key is no longer than an address can hold', async () => {
  expect(await errorOf('(ctx, i) => ({key: "x".repeat(1001)})')).toMatch(/more than 1000/);
  expect(await errorOf('(ctx, i) => "x".repeat(1001)')).toMatch(/more than 1000/);
  expect(await errorOf('(ctx, i) => ({metadata: {name: "x".repeat(1001)}})')).toMatch(/more than 1000/);
  expect(await errorOf('(ctx, i) => ({key: "x".repeat(1000)})')).toMatch(/^no error/);
});

test('a list is its items, whatever it says of how to walk through it', async () => {
  const {rows} = await rig(
    `(ctx, i) => {
  const list = ['x'];
  list[Symbol.iterator] = () => { let n = 0; return {next: () => ({done: n++ > 20000, value: 'k' + n})}; };
  return list;
}`,
    'many',
    [thing('a')],
  );
  expect(rows.list()).toEqual(['x']);
});

test('fields of a class are on the meter, too', async () => {
  const code =
    '(ctx, i) => { let d = 0; class A { x = d > 30 ? 0 : (d++, new A(), new A(), d--); } new A(); return {}; }';
  expect(await errorOf(code)).toMatch(/ran too long/);
  expect(
    await errorOf('(ctx, i) => { class A { x; static y = 2; z = i.n } return {...new A(), y: A.y}; }'),
  ).toBe('no error: [{"z":1,"y":2}]');
});

test('a row of more than 256 KB, and rows of more than 64 MB, fail at the row', async () => {
  expect(await errorOf('(ctx) => ({text: "x".repeat(4e6)})')).toBe(
    'a row is larger than 256 KB; return less of it',
  );
  expect(await errorOf('(ctx) => ({list: new Array(40_000).fill(1)})')).toMatch(/256 KB/);
  const sizes = new FormulaRowSizes(input => input !== 'gone');
  for (let i = 0; i < 255; i++) sizes.note(`i${i}`, 256 * 1024);
  sizes.note('gone', 256 * 1024);
  // The rows of an input that is gone do not count.
  sizes.note('other', 256 * 1024);
  expect(() => sizes.note('last', 1024)).toThrow('the rows of the formula are larger than 64 MB');
  sizes.note('other', 10);
  sizes.note('last', 1024);
});

test('symbols for good are counted', async () => {
  onTestFinished(forgetRegisteredNames);
  const code = '(ctx, i) => ({n: String(Symbol.for("a" + i.n)), own: String(Symbol("x"))})';
  const {rows} = await rig(code);
  expect(rows.getKey('ns/b')).toMatchObject({own: 'Symbol(x)'});
  const limited = /Symbol\.for.* is limited/;
  expect(await errorOf('(ctx) => Symbol.for("x".repeat(1000)).description.length')).toMatch(limited);
  expect(
    await errorOf(
      '(ctx) => { for (let i = 0; i < 2000; i++) Object(Symbol.iterator).constructor.for("f" + i); }',
    ),
  ).toMatch(limited);
});
