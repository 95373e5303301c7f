import {expect, test} from 'vitest';
import {pickProtocol, protocolsWithToken, tokensInProtocols} from './socket-token.ts';

test.each(['plain-token_1', 'with space/=+,;"(x)', '100%', 'ü€', "it's*~!"])(
  'the token %s arrives whole, in names that a browser allows',
  token => {
    const offered = protocolsWithToken(token);
    for (const name of offered) expect(name).toMatch(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/);
    expect(tokensInProtocols(offered.join(', '))).toContain(token);
  },
);

test('other protocols carry no token; a broken escape is taken as it is', () => {
  expect(tokensInProtocols(undefined)).toEqual([]);
  expect(tokensInProtocols('vite-hmr, krtscope')).toEqual([]);
  expect(tokensInProtocols('krtscope.bearer.a%')).toEqual(['a%']);
});

test('the server repeats the token only if nothing else was offered', () => {
  expect(pickProtocol(new Set(['krtscope.bearer.x', 'krtscope']))).toBe('krtscope');
  expect(pickProtocol(new Set(['krtscope.bearer.x']))).toBe('krtscope.bearer.x');
  expect(pickProtocol(new Set())).toBe(false);
});
