// Conversions between types, size and type.
import type {CelFunctions} from '../functions.ts';
import {
  type CelDuration,
  CelError,
  type CelTimestamp,
  CelTypeValue,
  CelUint,
  checkUint,
  typeOfValue,
  typeValueName,
} from '../values.ts';
import {durationText, timestampText} from './time.ts';

const MAX_INT = 9223372036854775807n;
const codePoints = (text: string): bigint => {
  let count = 0n;
  for (const _ of text) count++;
  return count;
};

const unconvertible = (type: string): CelError =>
  new CelError(`type conversion error from 'string' to '${type}'`);

function parseInt64(text: string): bigint {
  const value = /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined;
  if (value === undefined || value > MAX_INT || value < -MAX_INT - 1n) throw unconvertible('int');
  return value;
}

function parseUint64(text: string): CelUint {
  const value = /^\d+$/.test(text) ? BigInt(text) : undefined;
  if (value === undefined || value > 18446744073709551615n) throw unconvertible('uint');
  return new CelUint(value);
}

function parseDouble(text: string): number {
  if (/^[+-]?(inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  const value = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Infinity;
  if (!Number.isFinite(value)) throw unconvertible('double');
  return value;
}

function parseBool(text: string): boolean {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  throw unconvertible('bool');
}

function doubleToInt(value: number): bigint {
  // The limits themselves are not exact as doubles.
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) throw new CelError('integer overflow');
  return BigInt(Math.trunc(value));
}

/** Go's shortest form: from 1e+06 on with an exponent of two digits. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const power = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (power >= -4 && power < 6) return Object.is(value, -0) ? '-0' : String(value);
  const [digits, exponent = ''] = value.toExponential().split('e');
  const sign = exponent.startsWith('-') ? '-' : '+';
  return `${digits}e${sign}${exponent.replace(/^[+-]/, '').padStart(2, '0')}`;
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const same = (value: unknown): unknown => value;

export const conversionFunctions: CelFunctions = {
  'dyn(A): dyn': same,
  'type(A): type<A>': (value: unknown) => new CelTypeValue(typeValueName(typeOfValue(value))),
  'int(int): int': same,
  'int(uint): int': ({value}: CelUint) => {
    if (value > MAX_INT) throw new CelError('integer overflow');
    return value;
  },
  'int(double): int': doubleToInt,
  'int(string): int': parseInt64,
  'int(timestamp): int': ({nanos}: CelTimestamp) => floorDivide(nanos, 1_000_000_000n),
  'int(duration): int': ({nanos}: CelDuration) => nanos,
  'uint(uint): uint': same,
  'uint(int): uint': checkUint,
  'uint(double): uint': (value: number) => {
    if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64)
      throw new CelError('unsigned integer overflow');
    return new CelUint(BigInt(Math.trunc(value)));
  },
  'uint(string): uint': parseUint64,
  'double(double): double': same,
  'double(int): double': (value: bigint) => Number(value),
  'double(uint): double': ({value}: CelUint) => Number(value),
  'double(string): double': parseDouble,
  'bool(bool): bool': same,
  'bool(string): bool': parseBool,
  'bytes(bytes): bytes': same,
  'bytes(string): bytes': (text: string) => new Uint8Array(Buffer.from(text)),
  'string(string): string': same,
  'string(bool): string': String,
  'string(int): string': String,
  'string(uint): string': ({value}: CelUint) => String(value),
  'string(double): string': doubleText,
  'string(bytes): string': utf8,
  'string(timestamp): string': timestampText,
  'string(duration): string': durationText,
  'size(string): int': codePoints,
  'size(bytes): int': (bytes: Uint8Array) => BigInt(bytes.length),
  'size(list<A>): int': (list: unknown[]) => BigInt(list.length),
  'size(map<A, B>): int': (map: ReadonlyMap<unknown, unknown>) => BigInt(map.size),
  'string::size(): int': codePoints,
  'bytes::size(): int': (bytes: Uint8Array) => BigInt(bytes.length),
  'list<A>::size(): int': (list: unknown[]) => BigInt(list.length),
  'map<A, B>::size(): int': (map: ReadonlyMap<unknown, unknown>) => BigInt(map.size),
};

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
