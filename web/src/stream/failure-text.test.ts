import {expect, test} from 'vitest';
import {errorText} from './failure-text.ts';
import {RequestError} from './http.ts';

test('a hint does not run on from what was refused', () => {
  const refused = (message: string, hint: string) =>
    errorText(new RequestError({code: 'not-found', message, hint}, 400));
  expect(refused('it does not begin with "krtrec"', 'open a .krtrec file')).toBe(
    'it does not begin with "krtrec"; open a .krtrec file',
  );
  expect(refused('The server does not answer.', 'Is it still running?')).toBe(
    'The server does not answer. Is it still running?',
  );
  expect(errorText(new TypeError('no'))).toBe('TypeError: no');
});
