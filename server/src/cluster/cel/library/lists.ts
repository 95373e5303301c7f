// Functions of lists and sets.
import type {CelFunctions} from '../functions.ts';
import {ORDERED} from '../types.ts';
import {
  CelDuration,
  CelError,
  CelOptional,
  CelUint,
  checkInt,
  checkUint,
  compareValues,
  equalValues,
  NONE,
} from '../values.ts';

function extreme(list: unknown[], name: 'min' | 'max'): unknown {
  if (list.length === 0) throw new CelError(`${name} called on empty list`);
  return list.reduce((best, item) => {
    const order = compareValues(item, best);
    return (name === 'min' ? order < 0 : order > 0) ? item : best;
  });
}

function comparable(): CelFunctions {
  const out: CelFunctions = {};
  for (const type of ORDERED) {
    out[`list<${type}>::isSorted(): bool`] = (list: unknown[]) =>
      list.every((item, i) => i === 0 || compareValues(list[i - 1], item) <= 0);
    out[`list<${type}>::min(): ${type}`] = (list: unknown[]) => extreme(list, 'min');
    out[`list<${type}>::max(): ${type}`] = (list: unknown[]) => extreme(list, 'max');
    out[`list<${type}>::sort(): list<${type}>`] = (list: unknown[]) => [...list].sort(compareValues);
  }
  return out;
}

function slice(list: unknown[], start: bigint, end: bigint): unknown[] {
  if (start < 0n || end < 0n)
    throw new CelError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    throw new CelError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (Number(end) > list.length)
    throw new CelError(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  return [...list].slice(Number(start), Number(end));
}

function flatten(list: unknown[], depth: bigint): unknown[] {
  if (depth < 0n) throw new CelError('level must be non-negative');
  const levels = Number(depth);
  return [...list].flatMap(item => {
    if (!Array.isArray(item)) return [item];
    return levels > 1 ? flatten(item, depth - 1n) : [...item];
  });
}

function distinct(list: unknown[]): unknown[] {
  const out: unknown[] = [];
  for (const item of list) if (!out.some(other => equalValues(other, item))) out.push(item);
  return out;
}

const contains = (list: unknown[], part: unknown[]): boolean =>
  part.every(item => list.some(other => equalValues(other, item)));

export const listFunctions: CelFunctions = {
  ...comparable(),
  'list<int>::sum(): int': (list: bigint[]) => list.reduce((sum, item) => checkInt(sum + item), 0n),
  'list<uint>::sum(): uint': (list: CelUint[]) =>
    list.reduce((sum, item) => checkUint(sum.value + item.value), new CelUint(0n)),
  'list<double>::sum(): double': (list: number[]) => list.reduce((sum, item) => sum + item, 0),
  'list<duration>::sum(): duration': (list: CelDuration[]) =>
    list.reduce((sum, item) => new CelDuration(sum.nanos + item.nanos), new CelDuration(0n)),
  'list<A>::indexOf(A): int': (list: unknown[], item: unknown) =>
    BigInt(list.findIndex(other => equalValues(other, item))),
  'list<A>::lastIndexOf(A): int': (list: unknown[], item: unknown) =>
    BigInt(list.findLastIndex(other => equalValues(other, item))),
  'list<A>::slice(int, int): list<A>': slice,
  'list<list<A>>::flatten(): list<A>': (list: unknown[]) => flatten(list, 1n),
  'list<dyn>::flatten(int): list<dyn>': flatten,
  'list<A>::distinct(): list<A>': distinct,
  'list<A>::reverse(): list<A>': (list: unknown[]) => [...list].reverse(),
  'list<A>::first(): optional<A>': (list: unknown[]) => (list.length === 0 ? NONE : new CelOptional(list[0])),
  'list<A>::last(): optional<A>': (list: unknown[]) =>
    list.length === 0 ? NONE : new CelOptional(list.at(-1)),
  'lists.range(int): list<int>': (count: bigint) => Array.from({length: Number(count)}, (_, i) => BigInt(i)),
  'sets.contains(list<A>, list<A>): bool': contains,
  'sets.equivalent(list<A>, list<A>): bool': (a: unknown[], b: unknown[]) => contains(a, b) && contains(b, a),
  'sets.intersects(list<A>, list<A>): bool': (a: unknown[], b: unknown[]) =>
    a.some(item => b.some(other => equalValues(other, item))),
};
