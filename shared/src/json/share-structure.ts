// Lets similar JSON values share their equal parts, so that they take less memory and compare faster.

type SharableObject = Record<string, unknown>;

/**
 * Replaces every part of `fresh` that equals its counterpart in `old` by that counterpart. Returns `old` if nothing
 * differs. Changes `fresh`, which must belong to the caller.
 */
export function shareStructure<T>(old: unknown, fresh: T): T {
  return share(old, fresh) as T;
}

function share(old: unknown, fresh: unknown): unknown {
  if (old === fresh) return old;
  if (typeof old !== 'object' || typeof fresh !== 'object' || old === null || fresh === null) return fresh;
  if (Array.isArray(fresh)) return Array.isArray(old) ? shareList(old, fresh) : fresh;
  return Array.isArray(old) ? fresh : shareFields(old as SharableObject, fresh as SharableObject);
}

function shareList(old: readonly unknown[], fresh: unknown[]): unknown {
  let same = old.length === fresh.length;
  const common = Math.min(old.length, fresh.length);
  for (let i = 0; i < common; i++) {
    const value = share(old[i], fresh[i]);
    if (typeof value === 'object' || typeof value === 'string') fresh[i] = value;
    if (value !== old[i]) same = false;
  }
  return same ? old : fresh;
}

function shareFields(old: SharableObject, fresh: SharableObject): unknown {
  const names = Object.keys(fresh);
  let same = true;
  for (const name of names) {
    const before = old[name];
    const value = share(before, fresh[name]);
    if (value !== before || (value === undefined && !(name in old))) same = false;
    // Writing to a key called __proto__ would change the prototype, so such a value is not shared.
    else if ((typeof value === 'object' || typeof value === 'string') && name !== '__proto__')
      fresh[name] = value;
  }
  return same && Object.keys(old).length === names.length ? old : fresh;
}
