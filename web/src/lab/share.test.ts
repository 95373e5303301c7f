import {expect, test} from 'vitest';
import {decodeShared, encodeShared, sharedIn} from './share.ts';

const formula = {name: 'Zoë', kind: 'one' as const, input: 'Pods', code: '(ctx, pod) => "ü—🙂"'};

test('a formula goes into a link and comes out of it', async () => {
  const text = await encodeShared(formula);
  expect(text).toMatch(/^[\w-]+$/);
  expect(await decodeShared(sharedIn(`#z=${text}&x=1`)!)).toEqual(formula);
});

test('what is no formula is refused, whoever made the link', async () => {
  expect(await decodeShared('nonsense')).toBeUndefined();
  const wrong = await encodeShared({...formula, kind: 'async' as 'one'});
  expect(await decodeShared(wrong)).toBeUndefined();
  expect(sharedIn('#other=1')).toBeNull();
});

test('a few bytes that would unpack to megabytes are not unpacked', async () => {
  const bomb = await encodeShared({...formula, code: 'x'.repeat(4_000_000)});
  expect(bomb.length).toBeLessThan(10_000);
  expect(await decodeShared(bomb)).toBeUndefined();
});
