import {runInNewContext} from 'node:vm';
import ts from 'typescript';
import {expect, test} from 'vitest';
import {usedHelpers} from '../export/typescript-module.ts';
import {decodeFormulaLink, encodeFormulaLink, formulaLinkIn, withOwnHelpers} from './formula-link.ts';

const formula = {name: 'Zoë', kind: 'one' as const, input: 'Pods', code: '(ctx, pod) => "ü—🙂"'};

test('a formula goes into a link and comes out of it', async () => {
  const text = await encodeFormulaLink(formula);
  expect(text).toMatch(/^[\w-]+$/);
  expect(await decodeFormulaLink(formulaLinkIn(`#z=${text}&x=1`)!)).toEqual(formula);
});

test('what is no formula is refused, whoever made the link', async () => {
  expect(await decodeFormulaLink('nonsense')).toBeUndefined();
  const wrong = await encodeFormulaLink({...formula, kind: 'async' as 'one'});
  expect(await decodeFormulaLink(wrong)).toBeUndefined();
  expect(formulaLinkIn('#other=1')).toBeNull();
});

test('a few bytes that would unpack to megabytes are not unpacked', async () => {
  const bomb = await encodeFormulaLink({...formula, code: 'x'.repeat(4_000_000)});
  expect(bomb.length).toBeLessThan(10_000);
  expect(await decodeFormulaLink(bomb)).toBeUndefined();
});

const helperFile = `interface Counted {n: number}
const step = 2;
export const twice = (row: Counted) => row.n * step;
`;
const rowOf = (code: string, item: object) =>
  runInNewContext(ts.transpile(`const f = ${code};\nf`, {target: ts.ScriptTarget.ESNext}))({}, item);

test('a formula brings the helpers that it uses, and they work in a folder without them', async () => {
  const code = '(ctx, pod) => ({n: twice(pod)}); // with a helper; and a comment';
  const helpers = usedHelpers(code, helperFile);
  const link = await encodeFormulaLink({...formula, code, helpers, params: {price: 2}});
  const read = (await decodeFormulaLink(link))!;
  expect(read).toMatchObject({code, helpers, params: {price: 2}});
  // A folder that has the same helpers runs the code as it is.
  expect(withOwnHelpers(read, helperFile).code).toBe(code);
  const own = withOwnHelpers(read, helperFile.replace('2', '3'));
  expect(own).toMatchObject({name: 'Zoë', kind: 'one', input: 'Pods', params: {price: 2}});
  expect(rowOf(own.code, {n: 4})).toEqual({n: 8});
});

test('a code without helpers stays as it is', () => {
  expect(usedHelpers(formula.code, helperFile)).toBe('');
  expect(withOwnHelpers(formula, helperFile)).toEqual(formula);
});
