// What a formula is handed cannot be changed by it. Sources are frozen when they come in; rows that other formulas made
// are frozen here, when a formula first sees them.
import {types} from 'node:util';

/** Frozen means frozen all the way down: nothing in the engine process freezes half a value. */
export function ensureFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) freeze(value);
  return value;
}

const seen = new WeakSet<object>();

/** As `frozen` for the answer to a fetch, which is one list for all who ask the same. */
export function ensureItemsFrozen<T>(items: readonly T[]): readonly T[] {
  if (seen.has(items)) return items;
  for (const item of items) ensureFrozen(item);
  if (!Object.isFrozen(items) && !types.isProxy(items)) Object.freeze(items);
  seen.add(items);
  return items;
}

function freeze(value: object): void {
  // A tracked repeat hands out watched stand-ins: what they stand for is frozen.
  if (types.isProxy(value)) return;
  Object.freeze(value);
  for (const key in value) ensureFrozen((value as Record<string, unknown>)[key]);
}
