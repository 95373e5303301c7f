// The content of built-in objects, and whether an object of a user's class keeps all its state in fields.

type ItemClass = abstract new (...args: never[]) => object;

// The content of each built-in class, in a form that compare() can read. Uses the built-in methods, because a
// subclass may override them.
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

// A copy ignores getters of a subclass.
function patternOf(pattern: RegExp): unknown {
  const {source, flags} = new RegExp(pattern);
  return [source, flags, pattern.lastIndex];
}

const BUFFER_VIEWS: readonly ItemClass[] = [Object.getPrototypeOf(Uint8Array), DataView];

// Not every host has these classes. They are equal if their texts are.
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

/**
 * A value that is equal for two objects of one class exactly if their contents are. Undefined if the content
 * cannot be read.
 */
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

let comparedByString: ItemClass[] | null = null;

function stringComparedClasses(): readonly ItemClass[] {
  if (comparedByString === null) {
    const globals = globalThis as unknown as Record<string, unknown>;
    const times = (globals.Temporal ?? {}) as Record<string, unknown>;
    const found = [
      ...STRING_COMPARED_CLASSES.map(name => globals[name]),
      ...TEMPORAL_CLASSES.map(name => times[name]),
    ];
    comparedByString = found.filter(type => typeof type === 'function') as ItemClass[];
  }
  return comparedByString;
}

const visibleByPrototype = new WeakMap<object, boolean>();

/**
 * True if all state of the object is in its fields, or in a content that contentOf() gives, as far as the
 * source text of its classes shows.
 */
export function hasOnlyVisibleState(value: object): boolean {
  const proto = Object.getPrototypeOf(value) as object | null;
  if (proto === null || proto === Object.prototype || proto === Array.prototype) return true;
  let visible = visibleByPrototype.get(proto);
  if (visible === undefined) {
    visible = isBuiltInClass(proto) || (isClassWithoutPrivateState(proto) && hasOnlyVisibleState(proto));
    visibleByPrototype.set(proto, visible);
  }
  return visible;
}

// A built-in class, whose content contentOf() gives.
function isBuiltInClass(proto: object): boolean {
  const classes = [...CONTENTS.map(([type]) => type), ...BUFFER_VIEWS, ...stringComparedClasses()];
  if (classes.some(type => type.prototype === proto)) return true;
  // Built-in subclasses, such as TypeError and Uint8Array.
  return classes.some(type => proto instanceof type) && NATIVE.test(classTextOf(proto));
}

// User code cannot end like this: it would not compile.
const NATIVE = /\{\s*\[native code\]\s*\}$/;

function classTextOf(proto: object): string {
  const type: unknown = Object.hasOwn(proto, 'constructor') ? proto.constructor : undefined;
  return typeof type === 'function' ? Function.prototype.toString.call(type) : '';
}

// Private names and automatic accessors, in source form or as TypeScript, esbuild, Babel and SWC compile them
// for older engines.
const PRIVATE_STATE = /#[\p{ID_Start}_$\\]|\baccessor\b\s*[\p{ID_Start}_$['"\\\d]|\b_+(?:class_?)?private/iu;

// Private names, or a class without source text, may hide state.
function isClassWithoutPrivateState(proto: object): boolean {
  const type = Object.hasOwn(proto, 'constructor') ? proto.constructor : undefined;
  if (type === undefined) return true;
  // The constructor belongs to another class, so its source text proves nothing.
  if (typeof type !== 'function' || type.prototype !== proto) return false;
  const text = classTextOf(proto);
  return !text.includes('[native code]') && !PRIVATE_STATE.test(text);
}
