import {expect, test} from 'vitest';
import {decodeFormulaLink, encodeFormulaLink, formulaLinkIn} from './formula-link.ts';

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
