import {expect, test} from 'vitest';
import {judge} from './write-history.ts';

test('a write counts as late if another process holds the lease at its revision', () => {
  const write = (revision: bigint, by: string) => ({revision, lease: false, by});
  const lease = (revision: bigint, by: string) => ({revision, lease: true, by});
  expect(
    judge([write(1n, 'a'), lease(2n, 'a'), write(7n, 'a'), write(3n, 'a'), lease(5n, 'b'), write(6n, 'b')]),
  ).toEqual({
    writes: 3,
    late: ['revision 7 is of a; b holds the lease since revision 5'],
  });
});
