// Kubernetes quantities: parsing, canonical text and comparison.

const PATTERN = /^([+-]?)(\d+\.?\d*|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL: Record<string, number> = {n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18};
const NANO = 1_000_000_000n;

interface Quantity {
  /** In billionths. */
  nano: bigint;
  form: 'binary' | 'decimal' | 'exponent';
}

export function parseQuantity(text: string): Quantity | undefined {
  const match = PATTERN.exec(text);
  if (!match) return undefined;
  const [, sign, digits = '', suffix = ''] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  const exponent = /^[eE][+-]?\d+$/.test(suffix);
  const binary = BINARY.indexOf(suffix);
  const power = exponent ? Number(suffix.slice(1)) : (DECIMAL[suffix] ?? 0);
  if (Math.abs(power) > 30) return undefined;
  let scaled = BigInt(`${whole}${fraction}` || '0') * 10n ** 40n;
  const shift = power - fraction.length;
  scaled = shift >= 0 ? scaled * 10n ** BigInt(shift) : scaled / 10n ** BigInt(-shift);
  if (binary > 0) scaled *= 1024n ** BigInt(binary);
  const unit = 10n ** 31n;
  // Rounds anything finer than a billionth away from zero.
  let nano = scaled / unit;
  if (scaled % unit !== 0n) nano += 1n;
  return {nano: sign === '-' ? -nano : nano, form: exponent ? 'exponent' : binary > 0 ? 'binary' : 'decimal'};
}

/** The canonical text; undefined for an invalid quantity. */
export function canonicalQuantity(text: string): string | undefined {
  const quantity = parseQuantity(text);
  if (!quantity) return undefined;
  const {nano, form} = quantity;
  if (nano === 0n) return '0';
  if (form === 'binary' && nano % NANO === 0n) return binaryText(nano / NANO);
  const magnitude = nano < 0n ? -nano : nano;
  const sign = nano < 0n ? '-' : '';
  let power = -9;
  let value = magnitude;
  while (value % 1000n === 0n && power < 18) {
    value /= 1000n;
    power += 3;
  }
  if (form === 'exponent') return power === 0 ? `${sign}${value}` : `${sign}${value}e${power}`;
  const suffix = Object.entries(DECIMAL).find(([, p]) => p === power)?.[0] ?? '';
  return `${sign}${value}${suffix}`;
}

function binaryText(whole: bigint): string {
  let value = whole;
  let step = 0;
  while (value !== 0n && value % 1024n === 0n && step < BINARY.length - 1) {
    value /= 1024n;
    step++;
  }
  return `${value}${BINARY[step]}`;
}

export function compareQuantities(a: string, b: string): number {
  const [left, right] = [parseQuantity(a)?.nano ?? 0n, parseQuantity(b)?.nano ?? 0n];
  return left < right ? -1 : left > right ? 1 : 0;
}
