// What an object of a class says of itself: the content of what the language has, and whether a class of the user's
// keeps everything in its fields.

type Class = abstract new (...args: never[]) => object;

// Each by what it stands for, as something that compare() can look into. Asked in this order.
const CONTENTS: readonly (readonly [Class, (value: never) => unknown])[] = [
  [Date, (date: Date) => date.getTime()],
  [Map, (map: Map<unknown, unknown>) => new Map(map)],
  [Set, (set: Set<unknown>) => new Set(set)],
  [RegExp, ({source, flags, lastIndex}: RegExp) => [source, flags, lastIndex]],
  [Error, (error: AggregateError) => [error.name, error.message, error.cause, error.errors]],
  [ArrayBuffer, (buffer: ArrayBuffer) => [...new Uint8Array(buffer)]],
  [Number, Number],
  [String, String],
  [Boolean, (value: boolean) => value.valueOf()],
];

// Known to some hosts only, and equal if they say the same.
const SAYING = ['URL', 'URLSearchParams'];
const TIMES = [
  'Instant',
  'PlainDate',
  'PlainDateTime',
  'PlainMonthDay',
  'PlainTime',
  'PlainYearMonth',
  'ZonedDateTime',
  'Duration',
];

/** Something that is equal for two objects of one class exactly if their content is; undefined if it cannot be had. */
export function contentOf(value: object): unknown {
  if (ArrayBuffer.isView(value)) {
    return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  }
  for (const [type, content] of CONTENTS) if (value instanceof type) return content(value as never);
  for (const type of sayingClasses()) if (value instanceof type) return [String(value)];
  return undefined;
}

let saying: Class[] | null = null;

function sayingClasses(): readonly Class[] {
  if (saying === null) {
    const known = globalThis as unknown as Record<string, unknown>;
    const times = (known.Temporal ?? {}) as Record<string, unknown>;
    const found = [...SAYING.map(name => known[name]), ...TIMES.map(name => times[name])];
    saying = found.filter(type => typeof type === 'function') as Class[];
  }
  return saying;
}

const open = new WeakMap<object, boolean>();

/** True if everything an object is made of are its fields, as far as its classes' own text says. */
export function isOpen(value: object): boolean {
  const proto = Object.getPrototypeOf(value) as object | null;
  if (proto === null || proto === Object.prototype || proto === Array.prototype) return true;
  let known = open.get(proto);
  if (known === undefined) {
    known = isOpenClass(proto) && isOpen(proto);
    open.set(proto, known);
  }
  return known;
}

// Private names and automatic accessors, as they are written or as compilers write them for older engines.
const HIDING = /#[\p{ID_Start}_$]|\baccessor\s+[\p{ID_Start}_$['"]|__classPrivateField/u;

// Such a name in the text of a class, or no text at all, as of what the host made: something may be hidden.
function isOpenClass(proto: object): boolean {
  const type = Object.hasOwn(proto, 'constructor') ? proto.constructor : undefined;
  if (type === undefined) return true;
  if (typeof type !== 'function') return false;
  const text = Function.prototype.toString.call(type);
  return !text.includes('[native code]') && !HIDING.test(text);
}
