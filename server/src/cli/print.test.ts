import {expect, test} from 'vitest';
import {harmless} from './print.ts';

test('what a value says to a terminal is written out instead of obeyed', () => {
  const title = '\u001b]0;owned\u0007';
  expect(harmless(`a${title}b`)).toBe('a\\u001b]0;owned\\u0007b');
  expect(harmless('\u009b2J')).toBe('\\u009b2J');
  expect(harmless('\u202etxt.exe')).toBe('\\u202etxt.exe');
  expect(harmless('a\u2028b')).toBe('a\\u2028b');
  expect(harmless('\rover')).toBe('\\u000dover');
});

test('lines, tabs and letters of any language stay', () => {
  expect(harmless('a\n\tß€😀')).toBe('a\n\tß€😀');
});
