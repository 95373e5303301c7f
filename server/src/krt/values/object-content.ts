// What an object of a class says of itself: the content of what the language has, and whether a class of the user's
// keeps everything in its fields.

type ItemClass = abstract new (...args: never[]) => object;

// Each by what it stands for, as something that compare() can look into. Asked in this order, and by the language's own
// methods: a class of the user's over it may have others, which say less.
const CONTENTS: readonly (readonly [ItemClass, (value: never) => unknown])[] = [
  [Date, (date: Date) => Date.prototype.getTime.call(date)],
  [Map, (map: Map<unknown, unknown>) => new Map(Map.prototype.entries.call(map))],
  [Set, (set: Set<unknown>) => new Set(Set.prototype.values.call(set))],
  [RegExp, patternOf],
  [Error, (error: AggregateError) => [error.name, error.message, error.cause, error.errors]],
  [ArrayBuffer, (buffer: ArrayBuffer) => [...new Uint8Array(buffer)]],
  [Number, (value: number) => Number.prototype.valueOf.call(value)],
  [String, (value: string) => String.prototype.valueOf.call(value)],
  [Boolean, (value: boolean) => Boolean.prototype.valueOf.call(value)],
];

// A copy has what the pattern was made with, whatever the getters of its class say.
function patternOf(pattern: RegExp): unknown {
  const {source, flags} = new RegExp(pattern);
  return [source, flags, pattern.lastIndex];
}

const BUFFER_VIEWS: readonly ItemClass[] = [Object.getPrototypeOf(Uint8Array), DataView];

// Known to some hosts only, and equal if they say the same.
const STRING_COMPARED_CLASSES = ['URL', 'URLSearchParams'];
const TEMPORAL_CLASSES = [
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
  for (const type of stringComparedClasses()) {
    if (value instanceof type) return [(type.prototype as object).toString.call(value)];
  }
  return undefined;
}

let saying: ItemClass[] | null = null;

function stringComparedClasses(): readonly ItemClass[] {
  if (saying === null) {
    const known = globalThis as unknown as Record<string, unknown>;
    const times = (known.Temporal ?? {}) as Record<string, unknown>;
    const found = [
      ...STRING_COMPARED_CLASSES.map(name => known[name]),
      ...TEMPORAL_CLASSES.map(name => times[name]),
    ];
    saying = found.filter(type => typeof type === 'function') as ItemClass[];
  }
  return saying;
}

const open = new WeakMap<object, boolean>();

/**
 * True if everything an object is made of are its fields, or a content that can be had, as far as its classes' own text
 * says.
 */
export function hasOnlyVisibleState(value: object): boolean {
  const proto = Object.getPrototypeOf(value) as object | null;
  if (proto === null || proto === Object.prototype || proto === Array.prototype) return true;
  let known = open.get(proto);
  if (known === undefined) {
    known = isBuiltInClass(proto) || (isClassWithoutPrivateState(proto) && hasOnlyVisibleState(proto));
    open.set(proto, known);
  }
  return known;
}

// A class of the language's own whose content contentOf() gives: there is nothing else to it.
function isBuiltInClass(proto: object): boolean {
  const classes = [...CONTENTS.map(([type]) => type), ...BUFFER_VIEWS, ...stringComparedClasses()];
  if (classes.some(type => type.prototype === proto)) return true;
  // Those below them, as TypeError and Uint8Array are.
  return classes.some(type => proto instanceof type) && NATIVE.test(classTextOf(proto));
}

// No text of the user's ends like this: it would not compile.
const NATIVE = /\{\s*\[native code\]\s*\}$/;

function classTextOf(proto: object): string {
  const type: unknown = Object.hasOwn(proto, 'constructor') ? proto.constructor : undefined;
  return typeof type === 'function' ? Function.prototype.toString.call(type) : '';
}

// Private names, which may begin with an escape, and automatic accessors, as they are written or as compilers write them
// for older engines (TypeScript, esbuild, Babel, SWC).
const PRIVATE_STATE = /#[\p{ID_Start}_$\\]|\baccessor\b\s*[\p{ID_Start}_$['"\\\d]|\b_+(?:class_?)?private/iu;

// Such a name in the text of a class, or no text at all, as of what the host made: something may be hidden.
function isClassWithoutPrivateState(proto: object): boolean {
  const type = Object.hasOwn(proto, 'constructor') ? proto.constructor : undefined;
  if (type === undefined) return true;
  // Another class than the one that made it: whose text that is says nothing.
  if (typeof type !== 'function' || type.prototype !== proto) return false;
  const text = classTextOf(proto);
  return !text.includes('[native code]') && !PRIVATE_STATE.test(text);
}
