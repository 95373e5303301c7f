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
import {FORMAT_ERRORS, type FormatVerb, readClause} from './format-check.ts';
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
  throw unsupported('s', value);
}

function fixed(value: number, digits: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? value.toFixed(digits) : value > 0 ? '∞' : '-∞';
}

function unsupported(verb: FormatVerb, value: unknown): CelError {
  const name = value instanceof CelOpaque ? value.typeName : typeValueName(typeOfValue(value));
  return new CelError(`error during formatting: ${FORMAT_ERRORS[verb]}, was given ${name}`);
}

function integer(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return value instanceof CelUint ? value.value : undefined;
}

function decimal(value: unknown): string {
  const whole = integer(value);
  if (whole !== undefined) return String(whole);
  throw unsupported('d', value);
}

function binary(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  const whole = integer(value);
  if (whole === undefined) throw unsupported('b', value);
  return whole.toString(2);
}

function hexadecimal(value: unknown): string {
  const whole = integer(value);
  if (whole !== undefined) return whole.toString(16);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  throw unsupported('x', value);
}

function octal(value: unknown): string {
  const whole = integer(value);
  if (whole === undefined) throw unsupported('o', value);
  return whole.toString(8);
}

function real(value: unknown, verb: 'f' | 'e'): number {
  if (typeof value === 'number') return value;
  // These texts are doubles, too.
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  const whole = integer(value);
  if (whole !== undefined) return Number(whole);
  throw unsupported(verb, value);
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

function formatted(verb: FormatVerb, value: unknown, digits = 6): string {
  switch (verb) {
    case 's':
      return text(value);
    case 'd':
      return decimal(value);
    case 'b':
      return binary(value);
    case 'x':
      return hexadecimal(value);
    case 'o':
      return octal(value);
    case 'f':
      return fixed(real(value, verb), digits);
    case 'e':
      return scientific(real(value, verb), digits);
  }
}

function format(template: string, values: unknown[]): string {
  let out = '';
  let next = 0;
  let done = 0;
  for (let i = template.indexOf('%'); i >= 0; i = template.indexOf('%', done)) {
    out += template.slice(done, i);
    if (template[i + 1] === '%') {
      out += '%';
      done = i + 2;
      continue;
    }
    if (i + 1 < template.length && next >= values.length) throw new CelError(`index ${next} out of range`);
    const {clause, end} = readClause(template, i + 1);
    if ('problem' in clause) throw new CelError(clause.problem);
    const piece = formatted(clause.verb, values[next++], clause.digits);
    out += clause.upper ? piece.toUpperCase() : piece;
    done = end;
  }
  return out + template.slice(done);
}

export const stringFormatFunctions: CelFunctions = {'string::format(list<dyn>): string': format};
