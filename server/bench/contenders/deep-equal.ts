// The generic structural equality of the floors and of the port: plain values only, as fast as we can write it.

export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i])) return false;
    return true;
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  let n = 0;
  for (const k in left) {
    const x = left[k];
    const y = right[k];
    if (x !== y && !deepEqual(x, y)) return false;
    n++;
  }
  for (const _ in right) n--;
  return n === 0;
}
