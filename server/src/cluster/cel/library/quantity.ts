// Kubernetes quantities in expressions.

import {parseQuantity} from '../../schema/quantity.ts';
import type {CelFunctions} from '../functions.ts';
import {CelError, CelOpaque} from '../values.ts';

const NANO = 1_000_000_000n;

class CelQuantity extends CelOpaque {
  readonly typeName = 'kubernetes.Quantity';
  readonly nano: bigint;
  constructor(nano: bigint) {
    super();
    this.nano = nano;
  }
  equals(other: this): boolean {
    return this.nano === other.nano;
  }
  get isInteger(): boolean {
    const whole = this.nano / NANO;
    return this.nano % NANO === 0n && whole <= 9223372036854775807n && whole >= -9223372036854775808n;
  }
}

function quantity(text: string): CelQuantity {
  const parsed = parseQuantity(text);
  if (parsed) return new CelQuantity(parsed.nano);
  // Go distinguishes a wrong suffix from a wrong text.
  const why = /^[+-]?[0-9.]+[eEinumkKMGTP]*[-+]?[0-9]*$/.test(text)
    ? "unable to parse quantity's suffix"
    : "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  throw new CelError(why);
}

const order = (a: CelQuantity, b: CelQuantity): bigint => (a.nano < b.nano ? -1n : a.nano > b.nano ? 1n : 0n);

export const quantityFunctions: CelFunctions = {
  'quantity(string): kubernetes.Quantity': quantity,
  'isQuantity(string): bool': (text: string) => parseQuantity(text) !== undefined,
  'kubernetes.Quantity::isInteger(): bool': (value: CelQuantity) => value.isInteger,
  'kubernetes.Quantity::asInteger(): int': (value: CelQuantity) => {
    if (!value.isInteger) throw new CelError('cannot convert value to integer');
    return value.nano / NANO;
  },
  'kubernetes.Quantity::asApproximateFloat(): double': (value: CelQuantity) => Number(value.nano) / 1e9,
  'sign(kubernetes.Quantity): int': (value: CelQuantity) => order(value, new CelQuantity(0n)),
  'kubernetes.Quantity::add(kubernetes.Quantity): kubernetes.Quantity': (a: CelQuantity, b: CelQuantity) =>
    new CelQuantity(a.nano + b.nano),
  'kubernetes.Quantity::add(int): kubernetes.Quantity': (a: CelQuantity, b: bigint) =>
    new CelQuantity(a.nano + b * NANO),
  'kubernetes.Quantity::sub(kubernetes.Quantity): kubernetes.Quantity': (a: CelQuantity, b: CelQuantity) =>
    new CelQuantity(a.nano - b.nano),
  'kubernetes.Quantity::sub(int): kubernetes.Quantity': (a: CelQuantity, b: bigint) =>
    new CelQuantity(a.nano - b * NANO),
  'kubernetes.Quantity::compareTo(kubernetes.Quantity): int': order,
  'kubernetes.Quantity::isLessThan(kubernetes.Quantity): bool': (a: CelQuantity, b: CelQuantity) =>
    order(a, b) < 0n,
  'kubernetes.Quantity::isGreaterThan(kubernetes.Quantity): bool': (a: CelQuantity, b: CelQuantity) =>
    order(a, b) > 0n,
};
