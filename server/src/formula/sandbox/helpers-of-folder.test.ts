// The functions of helpers.ts in formulas: what a formula gets of them, their limits, and the words of their errors.
import {expect, test} from 'vitest';
import {createEngine, newCollection, newStaticCollection} from '../../krt/index.ts';
import {compileFormula} from '../compile/formula-compiler.ts';
import {SandboxedFormula} from './sandboxed-formula.ts';

const HELPERS = `// Shared by all formulas of the folder.
type Priced = {n: number};
const limits = {low: 2, high: 24 * 60};
export function price(item: Priced): number {
  return item.n * factor;
}
export const factor = 3;
export const isLow = (item: Priced): boolean => item.n < limits.low;
export function others(ctx: Context) {
  return ctx.fetch(Others).length;
}
export function broken(item: any) {
  if (item.n > 1)
    throw new Error('too much');
  return item.missing.field;
}
`;

async function rowsOf(code: string, helpers = HELPERS): Promise<Record<string, unknown>> {
  const compiled = await compileFormula(code, 'one', 'Things', undefined, helpers);
  const engine = createEngine({checks: 'off'});
  const things = newStaticCollection(
    engine,
    [
      {key: 'a', n: 1},
      {key: 'b', n: 5},
    ],
    {name: 'Things', key: one => one.key},
  );
  const others = newStaticCollection(engine, [{key: 'x'}], {name: 'Others', key: one => one.key});
  const formula = new SandboxedFormula(
    {name: 'Rows', kind: 'one', compiled},
    {
      collection: name => ({Things: things, Others: others})[name] as never,
      index: () => undefined as never,
    },
  );
  const rows = newCollection(things, (ctx, item) => formula.run(ctx, item) as {v: unknown}, {
    name: 'Rows',
    key: row => formula.keys.of(row),
  });
  return Object.fromEntries(
    ['a', 'b'].map(key => [
      key,
      rows.rowState(key)?.error ?? (rows.getKey(key) as {v: unknown} | undefined)?.v,
    ]),
  );
}

const problemOf = async (code: string, helpers?: string) =>
  compileFormula(code, 'one', 'Things', undefined, helpers ?? HELPERS).then(
    () => 'no problem',
    error => error.problems[0].message as string,
  );

test('a formula calls helpers, which call each other and fetch', async () => {
  expect(await rowsOf('(ctx, item) => ({v: price(item)})')).toEqual({a: 3, b: 15});
  expect(await rowsOf('(ctx, item) => ({v: isLow(item) && factor})')).toEqual({a: 3, b: false});
  expect(await rowsOf('(ctx, item) => ({v: others(ctx)})')).toEqual({a: 1, b: 1});
  // A local name hides a helper.
  expect(await rowsOf('(ctx, item) => { const price = 7; return {v: price}; }')).toEqual({a: 7, b: 7});
});

test('a formula depends on the helpers that it uses, and on the collections that they name', async () => {
  const compile = (code: string, helpers: string) =>
    compileFormula(code, 'one', 'Things', undefined, helpers);
  const code = '(ctx, item) => ({v: price(item)})';
  const own = await compile(code, HELPERS);
  expect(own.names).toEqual([]);
  expect(own.helpers?.source).not.toContain('others');
  // Another helper may change, move or go.
  const elsewhere = HELPERS.replace('return ctx.fetch(Others).length', 'return 1');
  expect((await compile(code, elsewhere)).hash).toBe(own.hash);
  expect((await compile(code, HELPERS.replace('factor = 3', 'factor = 4'))).hash).not.toBe(own.hash);
  expect((await compile('(ctx, item) => ({v: 1})', HELPERS)).helpers).toBe(undefined);
  expect((await compile('(ctx, item) => others(ctx)', HELPERS)).names).toEqual(['Others']);
  // The part that it uses is enough to compile it again.
  expect((await compile(code, own.helpers?.source ?? '')).hash).toBe(own.hash);
});

test('an error in a helper names its line, and the line of the formula that called it', async () => {
  const code = '(ctx, item) => {\n  return {v: broken(item)};\n}';
  expect(await rowsOf(code)).toEqual({
    a: expect.stringMatching(/missing|undefined.*\(helpers\.ts:15\) \(line 2\)/),
    b: 'too much (helpers.ts:14) (line 2)',
  });
});

test('helpers keep no state, run on the fuel of the formula, and cannot run before it', async () => {
  const endless = 'export function endless() { for (;;) {} }';
  expect(await rowsOf('() => endless()', endless)).toEqual({
    a: expect.stringContaining('ran too long'),
    b: expect.stringContaining('ran too long'),
  });
  const store =
    'export const store = {n: 0};\nexport function count() { store.n += 1; return {v: store.n}; }';
  expect(await rowsOf('() => count()', store)).toEqual({
    a: expect.stringContaining('cannot change its input or shared objects'),
    b: expect.stringContaining('cannot change its input or shared objects'),
  });
  const onFunction = 'export function count() { count.n = 1; return {v: 1}; }';
  expect((await rowsOf('() => count()', onFunction)).a).toContain('cannot change');
  const refused = async (helpers: string) => problemOf('(ctx, item) => ({v: x})', helpers);
  const atOnce = 'a constant of helpers.ts is a function or a literal; call other functions inside functions';
  for (const value of [
    "'x'.repeat(2 ** 28)",
    '(() => { for (;;) {} })()',
    'new Array(9)',
    '[...list]',
    '9 + [1].length',
    '{get a() { return 1; }}',
  ])
    expect([value, await refused(`export const x = ${value};`)]).toEqual([value, atOnce]);
  const only =
    'helpers.ts contains functions and constants only: export function name(…) {…}, export const name = …';
  for (const text of [
    'let x = 1;',
    'export default 1;',
    'for (;;) {}',
    'class X {}',
    "import {x} from './other.ts';",
    'export * from "./a.ts";',
  ])
    expect([text, await refused(text)]).toEqual([text, only]);
  expect(await refused('export const key = 1;')).toBe(
    '"key" has another meaning in a formula; choose another name',
  );
  expect(await problemOf('() => bad()', 'export function bad() { return Date.now(); }')).toContain(
    'time is not pure',
  );
  expect(await problemOf('() => bad()', 'export function bad() {\n  return process.pid;\n}')).toMatch(
    /^helpers\.ts:2: process/,
  );
});
