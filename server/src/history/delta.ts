// The difference of two plain values, small where they share most: what turns one into the other.
// Values are JSON-like; anything else is taken whole.

/** `[0, value]` replaces; `[1, parts, removed]` patches an object; `[2, length, parts]` patches a list. */
export type Delta = [0, unknown] | [1, Record<string, Delta>, string[]] | [2, number, [number, Delta][]];

/** What turns `from` into `to`; undefined when they are equal. */
export function deltaOf(from: unknown, to: unknown): Delta | undefined {
  if (from === to) return undefined;
  if (Array.isArray(from) && Array.isArray(to)) return listDelta(from, to);
  if (isPlain(from) && isPlain(to)) return objectDelta(from, to);
  if (Number.isNaN(from) && Number.isNaN(to)) return undefined;
  return [0, to];
}

function objectDelta(from: Plain, to: Plain): Delta | undefined {
  const parts: Record<string, Delta> = Object.create(null);
  const removed: string[] = [];
  let changed = false;
  let kept = 0;
  for (const name in to) {
    const value = to[name];
    if (value === undefined) continue;
    const part = deltaOf(from[name], value);
    if (part === undefined) kept += 1;
    else {
      parts[name] = part;
      changed = true;
    }
  }
  for (const name in from) {
    if (from[name] !== undefined && to[name] === undefined) {
      removed.push(name);
      changed = true;
    }
  }
  if (!changed) return undefined;
  // Nothing in common: the whole value says it shorter.
  return kept === 0 && removed.length > 0 ? [0, to] : [1, parts, removed];
}

function listDelta(from: readonly unknown[], to: readonly unknown[]): Delta | undefined {
  const parts: [number, Delta][] = [];
  for (let i = 0; i < to.length; i++) {
    const part = deltaOf(i < from.length ? from[i] : undefined, to[i]);
    if (part !== undefined) parts.push([i, part]);
  }
  if (parts.length === 0 && from.length === to.length) return undefined;
  return parts.length === to.length && to.length > 0 ? [0, to] : [2, to.length, parts];
}

/** Leaves `from` alone and shares with it whatever the delta does not touch. */
export function applyDelta(from: unknown, delta: Delta): unknown {
  switch (delta[0]) {
    case 0:
      return delta[1];
    case 1: {
      const value: Plain = {...(from as Plain)};
      for (const name of delta[2]) delete value[name];
      for (const [name, part] of Object.entries(delta[1])) {
        // A key called __proto__ must become a key, not a prototype.
        Object.defineProperty(value, name, {
          value: applyDelta((from as Plain)[name], part),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return value;
    }
    case 2: {
      const list = (from as unknown[]).slice(0, delta[1]);
      for (const [i, part] of delta[2]) list[i] = applyDelta(list[i], part);
      return list;
    }
  }
}

type Plain = Record<string, unknown>;

function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
