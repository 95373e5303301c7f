// The difference between two plain values, as the delta that turns one into the other.
// Values are JSON-like; any other value is written whole.

/** `[0, value]` replaces; `[1, parts, removed]` patches an object; `[2, length, parts]` patches a list. */
export type Delta = [0, unknown] | [1, Record<string, Delta>, string[]] | [2, number, [number, Delta][]];

/** The pieces of a text, in a reused list: joining them one by one would make garbage. */
export class TextPieces {
  readonly list: string[] = [];
  count = 0;

  add(text: string): void {
    this.list[this.count++] = text;
  }

  toString(): string {
    return this.list.slice(0, this.count).join('');
  }
}

/** Adds what turns `from` into `to`, as the JSON of a Delta; false when nothing does. Throws what JSON.stringify does. */
export function addDelta(from: unknown, to: unknown, into: TextPieces): boolean {
  if (from === to) return false;
  if (Array.isArray(from) && Array.isArray(to)) return addListDelta(from, to, into);
  if (isPlain(from) && isPlain(to)) return addObjectDelta(from, to, into);
  if (Number.isNaN(from) && Number.isNaN(to)) return false;
  return addWhole(to, into);
}

export function addWhole(value: unknown, into: TextPieces): boolean {
  into.add('[0,');
  into.add(JSON.stringify(value) ?? 'null');
  into.add(']');
  return true;
}

/** Field names are few and repeat. */
const quoted = new Map<string, string>();
const MAX_NAMES = 2000;

function quote(name: string): string {
  const known = quoted.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (quoted.size < MAX_NAMES) quoted.set(name, text);
  return text;
}

function addObjectDelta(from: DeltaObject, to: DeltaObject, into: TextPieces): boolean {
  const start = into.count;
  let kept = 0;
  let changed = 0;
  into.add('[1,{');
  for (const name in to) {
    const value = to[name];
    if (value === undefined) continue;
    const before = from[name];
    if (before === value) {
      kept += 1;
      continue;
    }
    const own = into.count;
    if (changed > 0) into.add(',');
    into.add(quote(name));
    into.add(':');
    if (addDelta(before, value, into)) changed += 1;
    else {
      kept += 1;
      into.count = own;
    }
  }
  let removed = '';
  for (const name in from) {
    if (from[name] !== undefined && !has(to, name)) {
      removed += removed === '' ? quote(name) : `,${quote(name)}`;
    }
  }
  if (changed === 0 && removed === '') {
    into.count = start;
    return false;
  }
  // Without a common part the whole value is shorter.
  if (kept === 0 && removed !== '') {
    into.count = start;
    return addWhole(to, into);
  }
  into.add(removed === '' ? '},[]]' : `},[${removed}]]`);
  return true;
}

// Check own properties only: every object inherits `constructor` and `__proto__`.
function has(object: DeltaObject, name: string): boolean {
  const value = object[name];
  if (value === undefined) return false;
  return (typeof value !== 'function' && name !== '__proto__') || Object.hasOwn(object, name);
}

// Unchanged parts are the same object in both (share-structure.ts). A list of mostly new plain values is written whole.
// In a list of objects mostly a field or two changes.
function addListDelta(from: readonly unknown[], to: readonly unknown[], into: TextPieces): boolean {
  const {length} = to;
  let moved = 0;
  for (let i = 0; i < length; i++) if (i >= from.length || from[i] !== to[i]) moved += 1;
  if (moved === 0 && from.length === length) return false;
  if (moved * 2 > length && !isPlain(to[0])) return addWhole(to, into);
  into.add(`[2,${length},[`);
  let changed = 0;
  for (let i = 0; i < length; i++) {
    if (i < from.length && from[i] === to[i]) continue;
    const own = into.count;
    into.add(changed > 0 ? `,[${i},` : `[${i},`);
    if (addDelta(i < from.length ? from[i] : undefined, to[i], into)) {
      into.add(']');
      changed += 1;
    } else into.count = own;
  }
  into.add(']]');
  return true;
}

/** Does not change `from`, and shares its unchanged parts; `copied` receives the number of copied fields. */
export function applyDelta(from: unknown, delta: Delta, copied?: (fields: number) => void): unknown {
  switch (delta[0]) {
    case 0:
      return delta[1];
    case 1: {
      const value: DeltaObject = {...(from as DeltaObject)};
      copied?.(Object.keys(value).length);
      for (const name of delta[2]) delete value[name];
      for (const [name, part] of Object.entries(delta[1])) {
        // A key called __proto__ must become a key, not a prototype.
        Object.defineProperty(value, name, {
          value: applyDelta((from as DeltaObject)[name], part, copied),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return value;
    }
    case 2: {
      const list = (from as unknown[]).slice(0, delta[1]);
      copied?.(list.length);
      for (const [i, part] of delta[2]) list[i] = applyDelta(list[i], part, copied);
      return list;
    }
  }
}

type DeltaObject = Record<string, unknown>;

function isPlain(value: unknown): value is DeltaObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
