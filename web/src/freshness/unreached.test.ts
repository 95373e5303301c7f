import {expect, test} from 'vitest';
import {unreachedWords} from './unreached.ts';

test('what does not answer is said once, and a server that refuses is not said to be silent', () => {
  expect(unreachedWords(undefined)).toBe('does not answer');
  expect(unreachedWords('timeout')).toBe('does not answer: timeout');
  expect(unreachedWords('the server does not answer: GET https://a: refused')).toBe(
    'does not answer: GET https://a: refused',
  );
  expect(unreachedWords('the server does not accept these credentials: Unauthorized')).toBe(
    'does not accept these credentials: Unauthorized',
  );
});
