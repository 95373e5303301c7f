// How the hand-written contenders call a function of the user's.

/**
 * Calls a function of the user's. An engine gets it at run time and has many, so the machine's compiler cannot put it
 * into the caller: neither may it here, and so this call has seen others before the first one counts.
 */
export function callUser<A, B, R>(f: (a: A, b: B) => R, a: A, b: B): R {
  return f(a, b);
}
const others: ((a: number, b: number) => unknown)[] = [
  (a, b) => a + b,
  (a, b) => ({a, b}),
  (a, b) => [a, b],
  (a, b) => `${a}/${b}`,
];
for (let i = 0; i < 1000; i++) for (const other of others) callUser(other, i, 1);
