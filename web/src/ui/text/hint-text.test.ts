import {expect, test} from 'vitest';
import {adviceSentence, isCommand} from './hint-text.ts';

test('commands are told apart from advice', () => {
  expect(isCommand('kubectl auth can-i list pods')).toBe(true);
  expect(isCommand('istioctl admin log deploy/istiod --level krt:debug')).toBe(true);
  expect(isCommand('a narrower filter starts fewer runs')).toBe(false);
});

test('advice becomes a sentence', () => {
  expect(adviceSentence('a narrower filter starts fewer runs')).toBe('A narrower filter starts fewer runs.');
  expect(adviceSentence('Ask Why empty?')).toBe('Ask Why empty?');
});
