// A draft is kept ready between two tries, and still sees changed rows, collections and texts.
import {expect, test} from 'vitest';
import {compileFormula} from '../../formula/compile/formula-compiler.ts';
import {createEngine} from '../../krt/index.ts';
import {tryDraft} from './draft-trial.ts';
import {RowCopies} from './row-copies.ts';

const things = (...names: string[]) =>
  JSON.stringify(names.map(name => [name, {metadata: {name, labels: {app: name}}}]));

function lab() {
  const held = new RowCopies(createEngine({checks: 'off'}));
  const take = (collection: string, names: string[], reset = false) =>
    held.take({type: 'rows', collection, reset, rows: things(...names), gone: [], synced: true});
  const give = async (code: string) => {
    const compiled = await compileFormula(code, 'one', 'Things');
    const draft = {name: 'draft', kind: 'one' as const, compiled, input: 'Things'};
    return tryDraft(held, draft, {running: () => {}});
  };
  return {take, give};
}

test('the same text over other rows, and over a collection that was made anew', async () => {
  const {take, give} = lab();
  take('Things', ['a', 'b']);
  take('Others', ['a']);
  const code = '(ctx, thing) => ({n: ctx.fetch(Others, label(thing.metadata.labels)).length})';
  const found = async () => (await give(code)).rows.map(({input, items}) => [input, items]);
  expect(await found()).toEqual([
    ['a', [{n: 1}]],
    ['b', [{n: 0}]],
  ]);
  take('Others', ['b']);
  expect(await found()).toEqual([
    ['a', [{n: 1}]],
    ['b', [{n: 1}]],
  ]);
  take('Others', [], true);
  expect(await found()).toEqual([
    ['a', [{n: 0}]],
    ['b', [{n: 0}]],
  ]);
});

test('rows, lines and checks of a text are its own, whatever was tried between', async () => {
  const {take, give} = lab();
  take('Things', ['a', 'b', 'c']);
  const two =
    '(ctx, thing) => {\n  ctx.fetch(Things, key("a"));\n  return ctx.fetch(Things, key("b")).length;\n}';
  const first = await give(two);
  for (const n of [1, 2, 3, 4, 5]) expect((await give(`(ctx, thing) => ${n}`)).rows[0]?.items).toEqual([n]);
  const again = await give(two);
  expect(again.rows.map(({fetches}) => fetches.map(({line}) => line))).toEqual([
    [2, 3],
    [2, 3],
    [2, 3],
  ]);
  expect(again.checks.filter(({code}) => code !== 'cost')).toEqual(
    first.checks.filter(({code}) => code !== 'cost'),
  );
  expect(again.checks.find(({code}) => code === 'fan-out')?.message).toBe(
    '3 items from 3 rows; one change of Things/a runs 3 of 3',
  );
});

test('rows that fail come first, however many are shown', async () => {
  const {take, give} = lab();
  take('Things', ['a', 'b', 'c']);
  const {rows, failed} = await give(
    '(ctx, thing) => { if (nameOf(thing) === "c") throw new Error("no"); return 1; }',
  );
  expect([rows.map(({input}) => input), failed]).toEqual([['c', 'a', 'b'], 1]);
});
