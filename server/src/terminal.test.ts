import {expect, test} from 'vitest';
import {escapeControlCharacters, faultText, toOneLine} from './terminal.ts';

test('a terminal is not spoken to by data: titles, colours, another direction of writing', () => {
  const title = '\u001b]0;owned\u0007';
  expect(escapeControlCharacters(`a${title}b`)).toBe('a\\u001b]0;owned\\u0007b');
  expect(escapeControlCharacters('\u009b2J')).toBe('\\u009b2J');
  expect(escapeControlCharacters('\u202etxt.exe')).toBe('\\u202etxt.exe');
  expect(escapeControlCharacters('\u200fcart\u200b\u061c')).toBe('\\u200fcart\\u200b\\u061c');
  expect(escapeControlCharacters('a\u2028b')).toBe('a\\u2028b');
  expect(escapeControlCharacters('\rover')).toBe('\\u000dover');
});

test('text is left as it is', () => {
  expect(escapeControlCharacters('a\n\tß€😀')).toBe('a\n\tß€😀');
});

test('what has to be one line is one', () => {
  expect(toOneLine('no such context: \u001b[31m\nkrtscope: all is well')).toBe(
    'no such context: \\u001b[31m krtscope: all is well',
  );
});

test('an error is told with its stack, and no line of it begins like one of ours', () => {
  const text = faultText(new Error('of "\u001b[2J\nkrtscope: all is well"'));
  const [first, second, third] = text.split('\n');
  expect([first, second]).toEqual(['Error: of "\\u001b[2J', '    krtscope: all is well"']);
  expect(third).toMatch(/^ {4}at .*terminal\.test\.ts/);
  expect(faultText('plain')).toBe('plain');
  expect(faultText(undefined)).toBe('undefined');
  expect(faultText({stack: 5})).toBe('[object Object]');
});
