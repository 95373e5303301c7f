// Semantic versions.
import type {CelFunctions} from '../functions.ts';
import {CelError, CelOpaque} from '../values.ts';

const STRICT =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

class CelSemver extends CelOpaque {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly bigint[];
  readonly pre: readonly string[];
  constructor(numbers: readonly bigint[], pre: readonly string[]) {
    super();
    this.numbers = numbers;
    this.pre = pre;
  }
  equals(other: this): boolean {
    return compare(this, other) === 0;
  }
}

/** Adds missing numbers and removes a leading v and zeros. */
function normalized(text: string): string {
  const [, numbers = '', rest = ''] = /^v?([\d.]*)(.*)$/s.exec(text) ?? [];
  const parts = numbers.split('.').map(part => part.replace(/^0+(?=\d)/, ''));
  while (parts.length < 3) parts.push('0');
  return parts.join('.') + rest;
}

function parse(text: string, normalize: boolean): CelSemver | undefined {
  const match = STRICT.exec(normalize ? normalized(text) : text);
  if (!match) return undefined;
  return new CelSemver(match.slice(1, 4).map(BigInt), match[4] === undefined ? [] : match[4].split('.'));
}

function semver(text: string, normalize: boolean): CelSemver {
  const parsed = parse(text, normalize);
  if (!parsed) throw new CelError(refusal(normalize ? normalized(text) : text));
  return parsed;
}

function refusal(text: string): string {
  if (text === '') return 'Version string empty';
  const parts = text.split('.');
  if (parts.length < 3) return 'No Major.Minor.Patch elements found';
  const bad = parts.slice(0, 2).find(part => /[^0-9]/.test(part));
  if (bad !== undefined)
    return `Invalid character(s) found in ${bad === parts[0] ? 'major' : 'minor'} number ${JSON.stringify(bad)}`;
  return `Invalid character(s) found in patch number ${JSON.stringify(parts[2])}`;
}

function compare(a: CelSemver, b: CelSemver): number {
  for (let i = 0; i < 3; i++) {
    const [x, y] = [a.numbers[i]!, b.numbers[i]!];
    if (x !== y) return x < y ? -1 : 1;
  }
  if (a.pre.length === 0 || b.pre.length === 0)
    return b.pre.length - a.pre.length === 0 ? 0 : a.pre.length === 0 ? 1 : -1;
  for (let i = 0; i < Math.max(a.pre.length, b.pre.length); i++) {
    const [x, y] = [a.pre[i], b.pre[i]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    if (x === y) continue;
    const [xNumber, yNumber] = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (xNumber && yNumber) return BigInt(x) < BigInt(y) ? -1 : 1;
    if (xNumber !== yNumber) return xNumber ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

const V = 'kubernetes.Semver';

export const semverFunctions: CelFunctions = {
  [`semver(string): ${V}`]: (text: string) => semver(text, false),
  [`semver(string, bool): ${V}`]: semver,
  'isSemver(string): bool': (text: string) => parse(text, false) !== undefined,
  'isSemver(string, bool): bool': (text: string, normalize: boolean) => parse(text, normalize) !== undefined,
  [`${V}::isLessThan(${V}): bool`]: (a: CelSemver, b: CelSemver) => compare(a, b) < 0,
  [`${V}::isGreaterThan(${V}): bool`]: (a: CelSemver, b: CelSemver) => compare(a, b) > 0,
  [`${V}::compareTo(${V}): int`]: (a: CelSemver, b: CelSemver) => BigInt(compare(a, b)),
  [`${V}::major(): int`]: (value: CelSemver) => value.numbers[0],
  [`${V}::minor(): int`]: (value: CelSemver) => value.numbers[1],
  [`${V}::patch(): int`]: (value: CelSemver) => value.numbers[2],
};
