// Reuses the equal parts of two answers as the same objects. Neighbouring moments differ in a row or two, and equal
// parts must not be drawn again. Pure.

type SharableRecord = Record<string, unknown>;

function isRecord(value: unknown): value is SharableRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An element's identity in a list: a row's key, a collection's name, else its position. */
function nameOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const name = value.key ?? value.name ?? value.id;
  return typeof name === 'string' ? name : undefined;
}

function shareList(before: readonly unknown[], after: unknown[]): unknown[] {
  const named = new Map<string, unknown>();
  for (const one of before) {
    const name = nameOf(one);
    if (name !== undefined) named.set(name, one);
  }
  let same = before.length === after.length;
  const shared = after.map((one, place) => {
    const name = nameOf(one);
    const found = shareStructure(name === undefined ? before[place] : named.get(name), one);
    if (found !== before[place]) same = false;
    return found;
  });
  return same ? (before as unknown[]) : shared;
}

function shareParts(before: SharableRecord, after: SharableRecord): SharableRecord {
  const names = Object.keys(after);
  let same = names.length === Object.keys(before).length;
  const shared = names.map((name): [string, unknown] => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const found = shareStructure(old, after[name]);
    if (found !== old) same = false;
    return [name, found];
  });
  return same ? before : Object.fromEntries(shared);
}

/** Returns a value equal to `after` that reuses every equal part of `before`. Both are JSON. */
export function shareStructure<T>(before: unknown, after: T): T {
  if (before === after) return after;
  if (Array.isArray(after)) return (Array.isArray(before) ? shareList(before, after) : after) as T;
  if (isRecord(before) && isRecord(after)) return shareParts(before, after) as T;
  return after;
}
