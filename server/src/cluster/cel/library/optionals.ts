// Optional values.
import type {CelFunctions} from '../functions.ts';
import {CelDuration, CelError, CelObject, CelOptional, CelUint, NONE} from '../values.ts';

function isZero(value: unknown): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanos === 0n;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  return value instanceof CelObject && value.fields.size === 0;
}

export const optionalFunctions: CelFunctions = {
  'optional.of(A): optional<A>': (value: unknown) => new CelOptional(value),
  'optional.ofNonZeroValue(A): optional<A>': (value: unknown) =>
    isZero(value) ? NONE : new CelOptional(value),
  'optional.none(): optional<A>': () => NONE,
  'optional.unwrap(list<optional<A>>): list<A>': (list: CelOptional[]) =>
    list.filter(one => one.present).map(one => one.value),
  'list<optional<A>>::unwrapOpt(): list<A>': (list: CelOptional[]) =>
    list.filter(one => one.present).map(one => one.value),
  'optional<A>::hasValue(): bool': (value: CelOptional) => value.present,
  'optional<A>::value(): A': (value: CelOptional) => {
    if (!value.present) throw new CelError('optional.none() dereference');
    return value.value;
  },
  'optional<A>::or(optional<A>): optional<A>': (value: CelOptional, other: CelOptional) =>
    value.present ? value : other,
  'optional<A>::orValue(A): A': (value: CelOptional, other: unknown) => (value.present ? value.value : other),
};
