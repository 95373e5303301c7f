// Messages of a program that main must refuse before other code walks them.
import {expect, test} from 'vitest';
import {parseMessage} from './parse-message.ts';

test('a message that is nested deeper than the stack is refused in words', () => {
  const text = `{"type":"batch","changes":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  expect(parseMessage(text)).toEqual({
    refusal: {code: 'bad-message', message: 'a message is nested more than 500 levels deep', retry: false},
  });
});
