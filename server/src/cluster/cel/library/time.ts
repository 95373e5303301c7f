// Timestamps and durations, with Go's texts and errors.

import {canonicalTime} from '../../schema/time.ts';
import type {CelFunctions} from '../functions.ts';
import {CelDuration, CelError, CelTimestamp, checkTimestamp} from '../values.ts';

const SECOND = 1_000_000_000n;
/** Nanoseconds have 64 bits. */
const LONGEST = 2n ** 63n;
const UNITS: Record<string, bigint> = {
  h: 3600n * SECOND,
  m: 60n * SECOND,
  s: SECOND,
  ms: 1_000_000n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ns: 1n,
};

export function parseDuration(text: string): CelDuration {
  const shown = JSON.stringify(text);
  const sign = /^[+-]/.test(text) ? text[0] : '';
  let rest = text.slice(sign!.length);
  if (rest === '0') return new CelDuration(0n);
  if (rest === '') throw new CelError(`time: invalid duration ${shown}`);
  let total = 0n;
  while (rest !== '') {
    const number = /^(\d*)(?:\.(\d*))?/.exec(rest)!;
    const [whole, digits = '', fraction = ''] = number;
    if (digits === '' && fraction === '') throw new CelError(`time: invalid duration ${shown}`);
    rest = rest.slice(whole.length);
    const unit = /^[^\d.]*/.exec(rest)![0];
    if (unit === '') throw new CelError(`time: missing unit in duration ${shown}`);
    const nanos = Object.hasOwn(UNITS, unit) ? UNITS[unit]! : undefined;
    if (nanos === undefined)
      throw new CelError(`time: unknown unit ${JSON.stringify(unit)} in duration ${shown}`);
    total += BigInt(digits || '0') * nanos;
    if (fraction !== '') total += (BigInt(fraction) * nanos) / 10n ** BigInt(fraction.length);
    rest = rest.slice(unit.length);
  }
  if (total >= LONGEST) throw new CelError(`time: invalid duration ${shown}`);
  return new CelDuration(sign === '-' ? -total : total);
}

export function parseTimestamp(text: string): CelTimestamp {
  let seconds: string;
  try {
    seconds = canonicalTime(text, false) ?? '';
  } catch (error) {
    throw new CelError((error as Error).message);
  }
  const fraction = /[.,](\d+)(?:Z|[+-]\d{2}:\d{2})$/.exec(text)?.[1] ?? '';
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return new CelTimestamp(BigInt(Date.parse(seconds)) * 1_000_000n + nanos);
}

export function durationText({nanos}: CelDuration): string {
  const negative = nanos < 0n;
  const size = negative ? -nanos : nanos;
  const fraction = (size % SECOND).toString().padStart(9, '0').replace(/0+$/, '');
  return `${negative ? '-' : ''}${size / SECOND}${fraction === '' ? '' : `.${fraction}`}s`;
}

export function timestampText({nanos}: CelTimestamp): string {
  const part = ((nanos % SECOND) + SECOND) % SECOND;
  const seconds = (nanos - part) / 1_000_000n;
  const fraction = part.toString().padStart(9, '0').replace(/0+$/, '');
  return `${new Date(Number(seconds)).toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** The clock of a zone, as a Date whose UTC fields are the local ones. */
function zoned({nanos}: CelTimestamp, zone: string): Date {
  const date = new Date(Number(nanos / 1_000_000n));
  if (zone === '' || zone === 'UTC') return date;
  const offset = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(zone);
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(date.getTime() + (offset[1] === '-' ? -minutes : minutes) * 60_000);
  }
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(date);
    const part = (type: string) => Number(parts.find(one => one.type === type)?.value);
    return new Date(
      Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) +
        date.getUTCMilliseconds(),
    );
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

const FIELDS: Record<string, (date: Date) => number> = {
  getFullYear: date => date.getUTCFullYear(),
  getMonth: date => date.getUTCMonth(),
  getDayOfMonth: date => date.getUTCDate() - 1,
  getDate: date => date.getUTCDate(),
  getDayOfWeek: date => date.getUTCDay(),
  getDayOfYear: date => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000),
  getHours: date => date.getUTCHours(),
  getMinutes: date => date.getUTCMinutes(),
  getSeconds: date => date.getUTCSeconds(),
  getMilliseconds: date => date.getUTCMilliseconds(),
};

function timestampFields(): CelFunctions {
  const out: CelFunctions = {};
  for (const [name, field] of Object.entries(FIELDS)) {
    out[`timestamp::${name}(): int`] = (time: CelTimestamp) => BigInt(field(zoned(time, '')));
    out[`timestamp::${name}(string): int`] = (time: CelTimestamp, zone: string) =>
      BigInt(field(zoned(time, zone)));
  }
  return out;
}

/** Expressions do not learn what is wrong with the text. */
export function converted<T>(parse: (text: string) => T, type: string): (text: string) => T {
  return text => {
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      throw new CelError(`type conversion error from 'string' to '${type}'`);
    }
  };
}

export const timeFunctions: CelFunctions = {
  ...timestampFields(),
  'timestamp(string): timestamp': converted(parseTimestamp, 'google.protobuf.Timestamp'),
  'timestamp(int): timestamp': (seconds: bigint) => checkTimestamp(seconds * SECOND),
  'timestamp(timestamp): timestamp': (time: CelTimestamp) => time,
  'duration(string): duration': converted(parseDuration, 'google.protobuf.Duration'),
  'duration(int): duration': () => {
    throw new CelError("type conversion error from 'int' to 'google.protobuf.Duration'");
  },
  'duration(duration): duration': (duration: CelDuration) => duration,
  'duration::getHours(): int': ({nanos}: CelDuration) => nanos / UNITS.h!,
  'duration::getMinutes(): int': ({nanos}: CelDuration) => nanos / UNITS.m!,
  'duration::getSeconds(): int': ({nanos}: CelDuration) => nanos / SECOND,
  'duration::getMilliseconds(): int': ({nanos}: CelDuration) => nanos / 1_000_000n,
};
