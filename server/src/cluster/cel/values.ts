// The values of CEL expressions: JavaScript values where they fit, and classes for the rest. Ints are bigint,
// doubles are number, lists are arrays and maps are Map.
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  STRING,
  simpleType,
  TIMESTAMP,
  typeOf,
  UINT,
} from './types.ts';

/** An error of an evaluation. && and || may absorb it. */
export class CelError extends Error {}

export const noSuchOverload = (): CelError => new CelError('no such overload');

export class CelUint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** Nanoseconds. */
export class CelDuration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** Nanoseconds since 1970. */
export class CelTimestamp {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class CelOptional {
  readonly value: unknown;
  constructor(value?: unknown) {
    this.value = value;
  }
  get present(): boolean {
    return this.value !== undefined;
  }
}

export const NONE = new CelOptional();

export class CelTypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** An object with the fields of a schema. Unset fields are absent. */
export class CelObject {
  readonly type: CelType;
  readonly fields: ReadonlyMap<string, unknown>;
  constructor(type: CelType, fields: ReadonlyMap<string, unknown>) {
    this.type = type;
    this.fields = fields;
  }
}

/** A list whose schema says how its items are identified: as a set, or by keys. */
export class CelKeyedList extends Array<unknown> {
  /** undefined for a set. */
  keyOf: ((item: unknown) => unknown[]) | undefined;

  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  static of1(items: readonly unknown[], keyOf: ((item: unknown) => unknown[]) | undefined): CelKeyedList {
    const list = new CelKeyedList();
    for (const item of items) list.push(item);
    list.keyOf = keyOf;
    return list;
  }
}

/** A value of one of Kubernetes' own types. */
export abstract class CelOpaque {
  abstract readonly typeName: string;
  abstract equals(other: this): boolean;
}

/** The type of a value at run time. Items of lists and maps stay dyn. */
export function typeOfValue(value: unknown): CelType {
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'string':
      return STRING;
    default:
  }
  if (value === null || value === undefined) return NULL;
  if (Array.isArray(value)) return listOf(DYN);
  if (value instanceof Map) return mapOf(DYN, DYN);
  if (value instanceof CelObject) return value.type;
  if (value instanceof CelUint) return UINT;
  if (value instanceof Uint8Array) return BYTES;
  if (value instanceof CelTimestamp) return TIMESTAMP;
  if (value instanceof CelDuration) return DURATION;
  if (value instanceof CelOptional) return optionalOf(DYN);
  if (value instanceof CelTypeValue) return typeOf(DYN);
  if (value instanceof CelOpaque) return simpleType(value.typeName);
  return DYN;
}

const MAX_INT = 9223372036854775807n;

export function checkInt(value: bigint): bigint {
  if (value > MAX_INT || value < -MAX_INT - 1n) throw new CelError('integer overflow');
  return value;
}

export function checkUint(value: bigint): CelUint {
  if (value < 0n || value > 18446744073709551615n) throw new CelError('unsigned integer overflow');
  return new CelUint(value);
}

const SECOND = 1_000_000_000n;
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;

/** A duration as long as nanoseconds in 64 bits can tell, about 292 years. */
export function checkDuration(nanos: bigint): CelDuration {
  return new CelDuration(checkInt(nanos));
}

/** A time of the years 1 to 9999. */
export function checkTimestamp(nanos: bigint): CelTimestamp {
  if (nanos < FIRST_SECOND * SECOND || nanos >= (LAST_SECOND + 1n) * SECOND)
    throw new CelError('timestamp overflow');
  return new CelTimestamp(nanos);
}

/** A number for comparisons between int, uint and double; undefined for other values. */
function numberOf(value: unknown): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof CelUint ? value.value : undefined;
}

const isNan = (value: bigint | number): boolean => typeof value === 'number' && Number.isNaN(value);

export function equalValues(a: unknown, b: unknown): boolean {
  const [x, y] = [numberOf(a), numberOf(b)];
  // JavaScript compares bigint and number by their mathematical value.
  if (x !== undefined || y !== undefined)
    return x !== undefined && y !== undefined && !(x < y || x > y) && !isNan(x) && !isNan(y);
  if (a === b) return true;
  if (a === null || b === null || a === undefined || b === undefined) return a == null && b == null;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  if (a instanceof Map) return b instanceof Map && equalMaps(a, b);
  if (a instanceof CelObject) return b instanceof CelObject && equalMaps(a.fields, b.fields);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanos === b.nanos;
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos;
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.name === b.name;
  if (a instanceof CelOptional)
    return (
      b instanceof CelOptional && a.present === b.present && (!a.present || equalValues(a.value, b.value))
    );
  if (a instanceof CelOpaque) return b instanceof CelOpaque && a.typeName === b.typeName && a.equals(b);
  return false;
}

function equalLists(a: unknown[], b: unknown[]): boolean {
  if (a.length !== b.length) return false;
  if (a instanceof CelKeyedList) return sameItems(a, b);
  return a.every((item, i) => equalValues(item, b[i]));
}

/** Sets and keyed lists compare without order. */
function sameItems(a: CelKeyedList, b: unknown[]): boolean {
  const {keyOf} = a;
  if (!keyOf) return a.every(item => b.some(other => equalValues(item, other)));
  return a.every(item => {
    const other = b.find(one => equalValues(keyOf(one), keyOf(item)));
    return other !== undefined && equalValues(item, other);
  });
}

function equalMaps(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = lookUp(b, key);
    if (other === undefined || !equalValues(value, other)) return false;
  }
  return true;
}

/** The value of a key; undefined if it is missing. Numeric keys match across their types. */
export function lookUp(map: ReadonlyMap<unknown, unknown>, key: unknown): unknown {
  const direct = map.get(key);
  if (direct !== undefined || map.has(key)) return direct ?? null;
  if (numberOf(key) === undefined) return undefined;
  for (const [other, value] of map) if (equalValues(other, key)) return value ?? null;
  return undefined;
}

/** Negative, zero or positive. Throws for values without an order. */
export function compareValues(a: unknown, b: unknown): number {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined)
    return x < y ? -1 : x > y ? 1 : isNan(x) || isNan(y) ? Number.NaN : 0;
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return compareBig(a.nanos, b.nanos);
  if (a instanceof CelDuration && b instanceof CelDuration) return compareBig(a.nanos, b.nanos);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  throw noSuchOverload();
}

const compareBig = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** The name that `type(x)` has as a value. */
export function typeValueName(type: CelType): string {
  switch (type.kind) {
    case 'list':
    case 'map':
    case 'type':
      return type.kind;
    case 'optional':
      return 'optional_type';
    case 'parameter':
      return 'dyn';
    default:
      if (type === NULL) return 'null_type';
      if (type === TIMESTAMP) return 'google.protobuf.Timestamp';
      if (type === DURATION) return 'google.protobuf.Duration';
      return type.name;
  }
}
