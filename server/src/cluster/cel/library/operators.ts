// Operators as functions: arithmetic, comparison, membership and index.
import type {CelFunctions} from '../functions.ts';
import {
  type CelDuration,
  CelError,
  CelKeyedList,
  CelOptional,
  type CelTimestamp,
  CelUint,
  checkDuration,
  checkInt,
  checkTimestamp,
  checkUint,
  compareValues,
  equalValues,
  lookUp,
  NONE,
} from '../values.ts';

const divide = (b: bigint | number): void => {
  if (b === 0n) throw new CelError('division by zero');
};
const remainder = (b: bigint): void => {
  if (b === 0n) throw new CelError('modulus by zero');
};

const arithmetic: CelFunctions = {
  '_+_(int, int): int': (a: bigint, b: bigint) => checkInt(a + b),
  '_+_(uint, uint): uint': (a: CelUint, b: CelUint) => checkUint(a.value + b.value),
  '_+_(double, double): double': (a: number, b: number) => a + b,
  '_+_(string, string): string': (a: string, b: string) => a + b,
  '_+_(bytes, bytes): bytes': (a: Uint8Array, b: Uint8Array) => Buffer.concat([a, b]),
  '_+_(list<A>, list<A>): list<A>': addLists,
  '_+_(timestamp, duration): timestamp': (a: CelTimestamp, b: CelDuration) =>
    checkTimestamp(a.nanos + b.nanos),
  '_+_(duration, timestamp): timestamp': (a: CelDuration, b: CelTimestamp) =>
    checkTimestamp(a.nanos + b.nanos),
  '_+_(duration, duration): duration': (a: CelDuration, b: CelDuration) => checkDuration(a.nanos + b.nanos),
  '_-_(int, int): int': (a: bigint, b: bigint) => checkInt(a - b),
  '_-_(uint, uint): uint': (a: CelUint, b: CelUint) => checkUint(a.value - b.value),
  '_-_(double, double): double': (a: number, b: number) => a - b,
  '_-_(timestamp, timestamp): duration': (a: CelTimestamp, b: CelTimestamp) =>
    checkDuration(a.nanos - b.nanos),
  '_-_(timestamp, duration): timestamp': (a: CelTimestamp, b: CelDuration) =>
    checkTimestamp(a.nanos - b.nanos),
  '_-_(duration, duration): duration': (a: CelDuration, b: CelDuration) => checkDuration(a.nanos - b.nanos),
  '_*_(int, int): int': (a: bigint, b: bigint) => checkInt(a * b),
  '_*_(uint, uint): uint': (a: CelUint, b: CelUint) => checkUint(a.value * b.value),
  '_*_(double, double): double': (a: number, b: number) => a * b,
  '_/_(int, int): int': (a: bigint, b: bigint) => {
    divide(b);
    return checkInt(a / b);
  },
  '_/_(uint, uint): uint': (a: CelUint, b: CelUint) => {
    divide(b.value);
    return checkUint(a.value / b.value);
  },
  '_/_(double, double): double': (a: number, b: number) => a / b,
  '_%_(int, int): int': (a: bigint, b: bigint) => {
    remainder(b);
    return a % b;
  },
  '_%_(uint, uint): uint': (a: CelUint, b: CelUint) => {
    remainder(b.value);
    return new CelUint(a.value % b.value);
  },
  '-_(int): int': (a: bigint) => checkInt(-a),
  '-_(double): double': (a: number) => -a,
  '!_(bool): bool': (a: boolean) => !a,
};

const COMPARABLE = ['int', 'uint', 'double', 'string', 'bool', 'bytes', 'timestamp', 'duration'];
const NUMBERS = ['int', 'uint', 'double'];
const COMPARISONS: Record<string, (order: number) => boolean> = {
  '_<_': order => order < 0,
  '_<=_': order => order <= 0,
  '_>_': order => order > 0,
  '_>=_': order => order >= 0,
};

function comparisons(): CelFunctions {
  const out: CelFunctions = {};
  for (const [operator, holds] of Object.entries(COMPARISONS)) {
    for (const a of COMPARABLE)
      for (const b of NUMBERS.includes(a) ? NUMBERS : [a])
        out[`${operator}(${a}, ${b}): bool`] = (x: unknown, y: unknown) => holds(compareValues(x, y));
  }
  return out;
}

/** A set gets the missing items, a keyed list replaces items with the same key. */
function addLists(a: unknown[], b: unknown[]): unknown[] {
  if (!(a instanceof CelKeyedList)) return [...a, ...b];
  const {keyOf} = a;
  const out = [...a];
  for (const item of b) {
    const at = out.findIndex(one => (keyOf ? equalValues(keyOf(one), keyOf(item)) : equalValues(one, item)));
    if (at < 0) out.push(item);
    else out[at] = item;
  }
  return CelKeyedList.of1(out, keyOf);
}

function itemAt(list: unknown[], index: bigint | number | CelUint): unknown {
  const raw = index instanceof CelUint ? index.value : index;
  const i = Number(raw);
  if (!Number.isInteger(i)) throw new CelError(`unsupported index value ${i} in list`);
  if (i < 0 || i >= list.length) throw new CelError(`index out of bounds: ${i}`);
  return list[i];
}

function keyText(key: unknown): string {
  return key instanceof CelUint ? String(key.value) : String(key);
}

function valueAt(map: ReadonlyMap<unknown, unknown>, key: unknown): unknown {
  const found = lookUp(map, key);
  if (found === undefined) throw new CelError(`no such key: ${keyText(key)}`);
  return found;
}

/** The item or value, if the container and the item are there. */
function optionalAt(container: unknown, key: unknown): CelOptional {
  const target = container instanceof CelOptional ? container.value : container;
  if (target === undefined) return NONE;
  if (target instanceof Map) {
    const found = lookUp(target, key);
    return found === undefined ? NONE : new CelOptional(found);
  }
  const i = Number(key as bigint);
  const list = target as unknown[];
  return i < 0 || i >= list.length ? NONE : new CelOptional(list[i]);
}

const access: CelFunctions = {
  '_==_(A, A): bool': equalValues,
  '_!=_(A, A): bool': (a: unknown, b: unknown) => !equalValues(a, b),
  '@in(A, list<A>): bool': (a: unknown, list: unknown[]) => list.some(item => equalValues(item, a)),
  '@in(A, map<A, B>): bool': (a: unknown, map: ReadonlyMap<unknown, unknown>) => lookUp(map, a) !== undefined,
  '_[_](list<A>, int): A': itemAt,
  '_[_](map<A, B>, A): B': valueAt,
  '_[?_](list<A>, int): optional<A>': optionalAt,
  '_[?_](map<A, B>, A): optional<B>': optionalAt,
  '_[?_](optional<list<A>>, int): optional<A>': optionalAt,
  '_[?_](optional<map<A, B>>, A): optional<B>': optionalAt,
};

export const operatorFunctions: CelFunctions = {...arithmetic, ...comparisons(), ...access};
