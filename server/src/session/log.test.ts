import {expect, test} from 'vitest';
import {logLine} from './log.ts';

test('what is told of others is one line that a terminal shows and does not obey', () => {
  expect(logLine('m\u001b[31mx.graph.ts is failing: \u001b]0;owned\u0007\nkrtscope: all is well')).toBe(
    'krtscope: m\\u001b[31mx.graph.ts is failing: \\u001b]0;owned\\u0007 krtscope: all is well\n',
  );
});
