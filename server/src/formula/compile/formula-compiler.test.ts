import {expect, test} from 'vitest';
import {FormulaError} from './code-problem.ts';
import {columnOf, compileFormula} from './formula-compiler.ts';
import {formulaNameProblem} from './scope-names.ts';

async function problems(code: string): Promise<string[]> {
  try {
    await compileFormula(code, 'one', 'Pods');
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return error.problems.map(({line, column, message}) => `${line}:${column} ${message}`);
  }
  return [];
}

test('types are stripped, and the names that nothing declares are the collections it reads', async () => {
  const {names, bare, text} = await compileFormula(
    `(ctx, pod: Pod): Row => {
      const found = ctx.fetch(Services, namespace(pod.metadata.namespace as string));
      const key = (x: number) => x;
      return {n: found.map(({metadata: Nodes}) => Nodes), key, odd: ctx.fetchOne(collection('a/b')), m: Math.max(1, later())};
      function later() { return 1; }
    }`,
    'one',
    'Pods',
  );
  expect([names, bare]).toEqual([['Services', 'a/b'], ['Services']]);
  expect(text).not.toContain('Row');
  expect(text).toContain('--$krtFuel<0');
});

test('a local name hides a collection, in every way that a name can be declared', async () => {
  const local = [
    '(ctx, Services) => Services',
    '(ctx, {a: Services = 1, ...Rest}) => [Services, Rest]',
    '(ctx, [Services]) => Services',
    '(ctx) => { for (const Services of []) Services; }',
    '(ctx) => { try { f(); } catch (Services) { Services; } function f() {} }',
    '(ctx) => { { var Services = 1; } return Services; }',
    '(ctx) => class Services { static x = Services; }',
    '(ctx) => function Services() { return Services; }',
    '(ctx) => ({Services: 1}).Services',
    '(ctx) => { Services: for (;;) break Services; }',
  ];
  for (const code of local) expect([code, (await compileFormula(code, 'one')).names]).toEqual([code, []]);
  expect(
    (await compileFormula('(ctx) => { { const Services = 1; } return Services; }', 'one')).names,
  ).toEqual(['Services']);
  expect((await compileFormula('(ctx) => ({Services})', 'one')).names).toEqual(['Services']);
  expect((await compileFormula('(ctx) => b`x` + a[Services]', 'one')).names).toEqual(['b', 'a', 'Services']);
});

test('what cannot be part of a formula is refused with its line and column', async () => {
  expect((await problems('async (ctx) => 1'))[0]).toMatch(/^1:1 async is refused/);
  expect((await problems('(ctx) => {\n  return async () => 1;\n}'))[0]).toMatch(/^2:10 async/);
  expect((await problems('async (ctx) => {\n  await 1;\n}')).join()).toMatch(/2:3 await/);
  expect((await problems('function* (ctx) { yield 1; }'))[0]).toMatch(/generators/);
  expect((await problems("(ctx) => import('fs')"))[0]).toMatch(/^1:10 import/);
  expect((await problems("(ctx) => 'import(x)'"))[0]).toMatch(/^1:11 the text "import\("/);
  expect(await problems('(ctx) => 1 // -->')).toEqual([]);
  expect((await problems('(ctx) => "-->"'))[0]).toMatch(/-->/);
  expect(await problems('(ctx, pod) => pod.spec.')).toEqual([
    expect.stringContaining('a name is expected here'),
  ]);
  expect((await problems('(ctx) => Date.now()'))[0]).toMatch(/current time/);
  expect((await problems('(ctx) => new Date()'))[0]).toMatch(/current time/);
  expect(await problems('(ctx) => new Date(item.at)')).toEqual([]);
  expect((await problems('(ctx) => Math["random"]()'))[0]).toMatch(/not pure/);
  expect((await problems('(ctx) => process.exit()'))[0]).toMatch(/^1:10 process is not available/);
  expect((await problems('(ctx) => new ArrayBuffer(9)'))[0]).toMatch(/raw memory/);
  expect((await problems('(ctx) => ctx.fetch(collection(x))'))[0]).toMatch(/string literal/);
  expect((await problems("(ctx) => index(Pods, 'a' + 'b', 1)"))[0]).toMatch(/string literal/);
  expect((await problems('(ctx) => $krtFuel = 9'))[0]).toMatch(/\$krt/);
});

test('what is no formula at all says what one is', async () => {
  expect((await problems(''))[0]).toMatch(/no code/);
  expect((await problems('(ctx) =>'))[0]).toMatch(/^1:\d+ /);
  expect((await problems('(ctx) => 1; (ctx) => 2'))[0]).toMatch(/^1:\d+ /);
  expect((await problems('1'))[0]).toMatch(/is a function/);
  expect((await problems('(() => { let n = 0; return () => n++; })()'))[0]).toMatch(/is a function/);
  expect((await problems('1)(2'))[0]).toMatch(/^1:/);
  expect((await problems('(ctx) => {\n  let a: ;\n}'))[0]).toMatch(/^2:10 /);
  expect((await problems('(ctx) => {\n  enum A {x}\n}'))[0]).toMatch(/^2:3 TypeScript enum/);
  expect((await problems(`(ctx) => ${'['.repeat(30_000)}`))[0]).toMatch(/^1:/);
  // The broken part works again.
  expect(await problems('(ctx: X) => 1')).toEqual([]);
  expect((await problems(`(ctx) => "${'x'.repeat(70_000)}"`))[0]).toMatch(/64 KB/);
});

test('a formula may end in a semicolon or a comment', async () => {
  expect(await problems('(ctx) => 1; // so')).toEqual([]);
  expect(await problems('(ctx) => 1 /* ) */')).toEqual([]);
  expect(await problems('function (ctx, item) { return 1; }')).toEqual([]);
});

test('a column in what runs is found again in what was typed', async () => {
  const code = '(ctx, item) => item.list.map(x => x.a.b)';
  const {text, shifts} = await compileFormula(code, 'one', 'Pods');
  for (const word of ['item.list', 'x.a.b', 'map']) {
    expect(columnOf(shifts, 1, text.indexOf(word) + 1)).toBe(code.indexOf(word) + 1);
  }
});

test('indexes are known before anything runs', async () => {
  const {indexes} = await compileFormula(
    "(ctx, n) => ctx.fetch(Pods, index(Pods, 'spec.nodeName', n.metadata.name))",
    'one',
  );
  expect(indexes).toEqual([{collection: 'Pods', path: 'spec.nodeName'}]);
});

test('the hash is of code, kind and input', async () => {
  const hash = async (...args: Parameters<typeof compileFormula>) => (await compileFormula(...args)).hash;
  const one = await hash('(ctx) => 1', 'one', 'Pods');
  expect(await hash('(ctx) => 1', 'one', 'Pods')).toBe(one);
  expect(
    new Set([
      one,
      await hash('(ctx) => 2', 'one', 'Pods'),
      await hash('(ctx) => 1', 'many', 'Pods'),
      await hash('(ctx) => 1', 'one'),
    ]).size,
  ).toBe(4);
});

test('names of formulas', async () => {
  for (const name of ['Pods2', '_a', '$b', 'a'.repeat(63)]) expect(formulaNameProblem(name)).toBeUndefined();
  for (const name of ['', '2a', 'a-b', 'a'.repeat(64), 'class', 'key', 'Math', 'process', '$krtX', 'a b'])
    expect([name, formulaNameProblem(name)]).not.toEqual([name, undefined]);
});

test('a text that is nested too deeply is refused alone: whoever is read beside it is read', async () => {
  const deep = `(ctx) => ${'('.repeat(5000)}1${')'.repeat(5000)}`;
  const plain = (n: number) => `(ctx) => ({n: ${n}})`;
  const read = await Promise.all([plain(1), deep, plain(2), plain(3), deep, plain(4)].map(problems));
  const refused = [expect.stringContaining('nested too deeply')];
  expect(read).toEqual([[], refused, [], [], refused, []]);
});

test('of thousands of errors twenty are told, and how many more there are', async () => {
  const code = `(ctx) => [${'process,'.repeat(7000)}]`;
  const found = await problems(code);
  expect(found).toHaveLength(21);
  expect(found[20]).toMatch(/^1:\d+ and 6,980 more$/);
});

test.each([
  ['members', `(ctx, p) => p${'.a'.repeat(30_000)}`],
  ['calls', `(ctx, p) => p${'()'.repeat(20_000)}`],
  ['parentheses', `(ctx) => ${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
  ['lists', `(ctx) => ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['negations', `(ctx) => ${'!'.repeat(60_000)}1`],
  ['functions', `(ctx) => ${'a=>'.repeat(15_000)}1`],
  ['blocks', `(ctx) => ${'{'.repeat(20_000)}${'}'.repeat(20_000)}`],
  ['sums', `(ctx) => 1${'+1'.repeat(30_000)}`],
  ['branches', `(ctx) => ${'1?'.repeat(15_000)}1${':1'.repeat(15_000)}`],
  ['templates', `(ctx) => ${'`${'.repeat(10_000)}1${'}`'.repeat(10_000)}`],
  ['types', `(ctx: ${'['.repeat(20_000)}${']'.repeat(20_000)}) => 1`],
])('deep %s are compiled or refused, and nothing else happens', async (_what, code) => {
  const outcome = await compileFormula(code, 'singleton').then(
    () => 'compiled',
    error => (error instanceof FormulaError ? 'refused' : error),
  );
  expect(['compiled', 'refused']).toContain(outcome);
  expect((await compileFormula('(ctx) => 1', 'singleton')).names).toEqual([]);
});

test('main goes on while a long text is compiled', async () => {
  const names = Array.from({length: 6000}, (_, i) => `name${i}`);
  const code = `(ctx) => [${names.join(',')}]`;
  let turns = 0;
  let done = false;
  const turn = () => {
    turns += 1;
    if (!done) setImmediate(turn);
  };
  turn();
  const compiled = await compileFormula(code, 'singleton');
  done = true;
  expect(compiled.names).toHaveLength(6000);
  expect(turns).toBeGreaterThan(20);
});
