import {expect, test} from 'vitest';
import {unreachableText} from './unreachable-text.ts';

test('what does not answer is said once, and a server that refuses is not said to be silent', () => {
  expect(unreachableText(undefined)).toBe('does not answer');
  expect(unreachableText('timeout')).toBe('does not answer: timeout');
  expect(unreachableText('the server does not answer: GET https://a: refused')).toBe(
    'does not answer: GET https://a: refused',
  );
  expect(unreachableText('the server does not accept these credentials: Unauthorized')).toBe(
    'does not accept these credentials: Unauthorized',
  );
});
