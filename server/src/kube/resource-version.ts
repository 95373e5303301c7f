// Resource versions, as far as they may be compared: decimal ones are numbers of any length, all others are
// only equal or not.

const decimal = /^[0-9]+$/;

/** Below zero when `a` is older than `b`; undefined when nobody can tell. */
export function compareVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  const left = BigInt(a);
  const right = BigInt(b);
  return left < right ? -1 : left > right ? 1 : 0;
}
