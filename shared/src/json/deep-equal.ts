// Equality of JSON values. krt has an equality of its own, because its items may be instances of any class.

/** Whether two JSON values say the same. An undefined field equals a missing one, 0 equals -0, NaN equals NaN. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return Number.isNaN(a) && Number.isNaN(b);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, i) => deepEqual(item, b[i]));
  }
  return haveEqualFields(a as Record<string, unknown>, b as Record<string, unknown>);
}

function haveEqualFields(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let missing = 0;
  for (const field in a) {
    if (a[field] === undefined) continue;
    missing++;
    // Own fields only: every object inherits a `constructor`.
    if (!Object.hasOwn(b, field) || !deepEqual(a[field], b[field])) return false;
  }
  for (const field in b) if (b[field] !== undefined) missing--;
  return missing === 0;
}
