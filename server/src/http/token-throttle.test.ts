import {expect, test} from 'vitest';
import {TokenThrottle} from './token-throttle.ts';

/** Sends this many tokens at once from one address and returns how many were compared. */
function atOnce(guesses: TokenThrottle, address: string, count: number, name = 'g'): number {
  let looked = 0;
  for (let n = 0; n < count; n++) {
    const tokens = [`${name}${n}`];
    if (!guesses.mayTry(address, tokens)) continue;
    looked++;
    guesses.recordWrong(address, tokens);
  }
  return looked;
}

test('a few mistakes are told at once, then each refusal takes longer, to a limit', () => {
  const guesses = new TokenThrottle(() => 0);
  const waits = Array.from({length: 14}, (_, n) => guesses.recordWrong('10.0.0.1', [`g${n}`]));
  expect(waits.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 100, 200]);
  expect(waits.at(-1)).toBe(5000);
  expect(guesses.recordWrong('10.0.0.2', ['g'])).toBe(0);
});

test('a quiet minute is forgiven', () => {
  let now = 0;
  const guesses = new TokenThrottle(() => now);
  for (let n = 0; n < 9; n++) guesses.recordWrong('10.0.0.1', [`g${n}`]);
  now = 60_001;
  expect(guesses.recordWrong('10.0.0.1', ['g'])).toBe(0);
});

test('of many at once from one address a few are looked at, and then one a wait', () => {
  let now = 0;
  const guesses = new TokenThrottle(() => now);
  expect(atOnce(guesses, '10.0.0.1', 1000)).toBe(6);
  now = 99;
  expect(atOnce(guesses, '10.0.0.1', 1000, 'h')).toBe(0);
  now = 100;
  expect(atOnce(guesses, '10.0.0.1', 1000, 'h')).toBe(1);
  expect(guesses.mayTry('10.0.0.2', ['right'])).toBe(true);
});

test('a stranger locks nobody out where the right token has been shown, nor on the own machine', () => {
  const guesses = new TokenThrottle(() => 0);
  for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '2001:db8::1:1']) {
    guesses.recordRight('10.0.0.1');
    guesses.recordRight('2001:db8::2');
    atOnce(guesses, own, 100);
    expect([own, guesses.mayTry(own, ['right'])]).toEqual([own, true]);
  }
});

test('an open tab that shows its old token again and again causes no wait', () => {
  const guesses = new TokenThrottle(() => 0);
  for (let n = 0; n < 100; n++) expect(guesses.recordWrong('10.0.0.1', ['old'])).toBe(0);
  expect(guesses.mayTry('10.0.0.1', ['old', 'right'])).toBe(true);
  // It hides no other token.
  for (let n = 0; n < 100; n++) guesses.recordWrong('10.0.0.1', ['old', `g${n}`]);
  expect(guesses.mayTry('10.0.0.1', ['old', 'right'])).toBe(false);
});

test('the addresses of one network of IPv6 are one, those of another are others', () => {
  const guesses = new TokenThrottle(() => 0);
  atOnce(guesses, '2001:db8:0:1::1', 10);
  const may = (address: string) => guesses.mayTry(address, ['g']);
  expect(['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::', '2001:db8:0:2::1', '::2'].map(may)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
