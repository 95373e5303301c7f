import {expect, test} from 'vitest';
import {Guesses} from './guesses.ts';

test('a few mistakes are told at once, then each refusal takes longer, to a limit', () => {
  const guesses = new Guesses(() => 0);
  const waits = Array.from({length: 14}, () => guesses.wrong('a'));
  expect(waits.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 100, 200]);
  expect(waits.at(-1)).toBe(5000);
  expect(guesses.wrong('b')).toBe(0);
});

test('a quiet minute is forgiven', () => {
  let now = 0;
  const guesses = new Guesses(() => now);
  for (let n = 0; n < 9; n++) guesses.wrong('a');
  now = 60_001;
  expect(guesses.wrong('a')).toBe(0);
});
