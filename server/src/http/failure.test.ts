import type {Response} from 'express';
import {expect, test, vi} from 'vitest';
import {sendFailure} from './failure.ts';

test('an error that nobody explains goes to stderr with its stack, and does not speak to the terminal', () => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation(text => written.push(String(text)) > 0);
  const answered: unknown[] = [];
  const res = {
    headersSent: false,
    status: (code: number) => {
      answered.push(code);
      return {json: (body: object) => answered.push(body)};
    },
  };
  sendFailure(res as never as Response, new Error('of "\u001b]0;owned\u0007\nkrtscope: all is well"'));
  expect(written.join('').split('\n').slice(0, 2)).toEqual([
    'krtscope: Error: of "\\u001b]0;owned\\u0007',
    '    krtscope: all is well"',
  ]);
  expect(written.join('')).toContain('failure.test.ts');
  expect(answered).toMatchObject([500, {code: 'internal', message: 'something went wrong in krtscope'}]);
});
