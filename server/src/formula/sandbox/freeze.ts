// Freezes the values that a formula gets. Sources are frozen on arrival.
// Rows of other formulas are frozen here, when a formula first reads them.
import {types} from 'node:util';

/** Frozen values are always deeply frozen: the engine process never freezes half a value. */
export function ensureFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) freeze(value);
  return value;
}

const seen = new WeakSet<object>();

/** Like `ensureFrozen` for the result of a fetch, which is one array for all equal fetches. */
export function ensureItemsFrozen<T>(items: readonly T[]): readonly T[] {
  if (seen.has(items)) return items;
  for (const item of items) ensureFrozen(item);
  if (!Object.isFrozen(items) && !types.isProxy(items)) Object.freeze(items);
  seen.add(items);
  return items;
}

function freeze(value: object): void {
  // A tracked rerun passes proxies of values that are already frozen.
  if (types.isProxy(value)) return;
  Object.freeze(value);
  for (const key in value) ensureFrozen((value as Record<string, unknown>)[key]);
}
