// Compares resource versions. Decimal versions are numbers of any length; others can only be equal or different.

const decimal = /^[0-9]+$/;

/** Negative when `a` is older than `b`; undefined when the order is unknown. */
export function compareVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  const left = BigInt(a);
  const right = BigInt(b);
  return left < right ? -1 : left > right ? 1 : 0;
}
