// string.format: %s, %d, %f, %e, %b, %x, %X and %o.
import type {CelFunctions} from '../functions.ts';
import {
  CelDuration,
  CelError,
  CelOpaque,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  typeOfValue,
  typeValueName,
} from '../values.ts';
import {doubleText} from './conversions.ts';
import {durationText, timestampText} from './time.ts';

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return doubleText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value instanceof CelTimestamp) return timestampText(value);
  if (value instanceof CelDuration) return durationText(value);
  return nested(value);
}

/** A value inside a list or map, where texts have quotes. */
function nested(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return fixed(value, 6);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof CelUint) return String(value.value);
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString());
  if (value instanceof CelTimestamp) return `timestamp(${JSON.stringify(timestampText(value))})`;
  if (value instanceof CelDuration) return `duration(${JSON.stringify(durationText(value))})`;
  if (value instanceof CelTypeValue) return value.name;
  if (Array.isArray(value)) return `[${[...value].map(nested).join(', ')}]`;
  if (value instanceof Map)
    return `{${[...value]
      .map(([key, item]) => `${nested(key)}:${nested(item)}`)
      .sort()
      .join(', ')}}`;
  throw unsupported(
    's',
    value,
    'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  );
}

function fixed(value: number, digits: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? value.toFixed(digits) : value > 0 ? '∞' : '-∞';
}

function unsupported(verb: string, value: unknown, allowed: string): CelError {
  const name = value instanceof CelOpaque ? value.typeName : typeValueName(typeOfValue(value));
  return new CelError(
    `error during formatting: ${verb === 's' ? 'string' : verb} clause can only be used on ${allowed}, was given ${name}`,
  );
}

function integer(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return value instanceof CelUint ? value.value : undefined;
}

function decimal(value: unknown): string {
  const whole = integer(value);
  if (whole !== undefined) return String(whole);
  throw unsupported('decimal', value, 'integers');
}

function binary(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  const whole = integer(value);
  if (whole === undefined) throw unsupported('binary', value, 'integers and bools');
  return whole.toString(2);
}

function hexadecimal(value: unknown): string {
  const whole = integer(value);
  if (whole !== undefined) return whole.toString(16);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  throw unsupported('hex', value, 'integers, byte buffers, and strings');
}

function octal(value: unknown): string {
  const whole = integer(value);
  if (whole === undefined) throw unsupported('octal', value, 'integers');
  return whole.toString(8);
}

function real(value: unknown, verb: string): number {
  if (typeof value === 'number') return value;
  const whole = integer(value);
  if (whole !== undefined) return Number(whole);
  throw unsupported(verb === 'f' ? 'fixed-point' : 'scientific', value, 'doubles');
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** With the power of ten as CEL prints it: 2.500000×10⁰⁰. */
function scientific(value: number, digits: number): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const [mantissa, exponent = ''] = value.toExponential(digits).split('e');
  const power = exponent
    .slice(1)
    .padStart(2, '0')
    .replace(/\d/g, digit => RAISED[Number(digit)]!);
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${power}`;
}

function format(template: string, values: unknown[]): string {
  let next = 0;
  const out = template.replace(/%(?:%|(?:\.(\d+))?([a-zA-Z])|$|.)/g, (whole, precision, verb) => {
    if (whole === '%%') return '%';
    if (verb === undefined) throw new CelError('error during formatting: unexpected end of string');
    if (next >= values.length) throw new CelError(`error during formatting: index ${next} out of range`);
    const value = values[next++];
    switch (verb) {
      case 's':
        return text(value);
      case 'd':
        return decimal(value);
      case 'b':
        return binary(value);
      case 'x':
        return hexadecimal(value);
      case 'X':
        return hexadecimal(value).toUpperCase();
      case 'o':
        return octal(value);
      case 'f':
        return fixed(real(value, verb), precision === undefined ? 6 : Number(precision));
      case 'e':
        return scientific(real(value, verb), precision === undefined ? 6 : Number(precision));
      default:
        throw new CelError(
          `error during formatting: could not parse formatting clause: unrecognized formatting clause "${verb}"`,
        );
    }
  });
  return out;
}

export const stringFormatFunctions: CelFunctions = {'string::format(list<dyn>): string': format};
