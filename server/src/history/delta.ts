// The difference of two plain values, small where they share most: what turns one into the other.
// Values are JSON-like; anything else is taken whole.

/** `[0, value]` replaces; `[1, parts, removed]` patches an object; `[2, length, parts]` patches a list. */
export type Delta = [0, unknown] | [1, Record<string, Delta>, string[]] | [2, number, [number, Delta][]];

/** What turns `from` into `to`, as the JSON of a Delta; undefined when nothing does. Throws what JSON.stringify does. */
export function deltaText(from: unknown, to: unknown): string | undefined {
  if (from === to) return undefined;
  if (Array.isArray(from) && Array.isArray(to)) return listDelta(from, to);
  if (isPlain(from) && isPlain(to)) return objectDelta(from, to);
  if (Number.isNaN(from) && Number.isNaN(to)) return undefined;
  return whole(to);
}

// Written straight away: a tree of small parts would be garbage as soon as it is text.
function whole(value: unknown): string {
  if (typeof value === 'boolean') return value ? '[0,true]' : '[0,false]';
  return `[0,${JSON.stringify(value) ?? 'null'}]`;
}

/** The names of fields are few and come again and again. */
const quoted = new Map<string, string>();
const NAMES_HELD = 2000;

function quote(name: string): string {
  const known = quoted.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (quoted.size < NAMES_HELD) quoted.set(name, text);
  return text;
}

function objectDelta(from: Plain, to: Plain): string | undefined {
  let parts = '';
  let removed = '';
  let kept = 0;
  for (const name in to) {
    const value = to[name];
    if (value === undefined) continue;
    const before = from[name];
    const part = before === value ? undefined : deltaText(before, value);
    if (part === undefined) kept += 1;
    else parts += parts === '' ? `${quote(name)}:${part}` : `,${quote(name)}:${part}`;
  }
  for (const name in from) {
    if (from[name] !== undefined && to[name] === undefined) {
      removed += `${removed === '' ? '' : ','}${JSON.stringify(name)}`;
    }
  }
  if (parts === '' && removed === '') return undefined;
  // Nothing in common: the whole value says it shorter.
  return kept === 0 && removed !== '' ? whole(to) : `[1,{${parts}},[${removed}]]`;
}

// What did not change is the same object in both (intake.ts sees to it). A list of plain values with most of them
// new is written whole; of objects mostly a field or two has changed.
function listDelta(from: readonly unknown[], to: readonly unknown[]): string | undefined {
  const {length} = to;
  let moved = 0;
  for (let i = 0; i < length; i++) if (i >= from.length || from[i] !== to[i]) moved += 1;
  if (moved === 0 && from.length === length) return undefined;
  if (moved * 2 > length && !isPlain(to[0])) return whole(to);
  let parts = '';
  for (let i = 0; i < length; i++) {
    if (i < from.length && from[i] === to[i]) continue;
    const part = deltaText(i < from.length ? from[i] : undefined, to[i]);
    if (part !== undefined) parts += parts === '' ? `[${i},${part}]` : `,[${i},${part}]`;
  }
  return `[2,${length},[${parts}]]`;
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
