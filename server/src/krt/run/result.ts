// What a formula returned, as items: one or none, a list, or a status beside them.

import {EngineError} from '../api/error.ts';
import {isThenable, quiet} from '../api/thenable.ts';
import type {Derived} from '../kinds/derived.ts';
import type {Entry} from './entry.ts';
import type {RunContext} from './run.ts';

/** Plans a result; gives the status, if it has one. Throws if the result has the wrong form. */
export function planResult(derived: Derived, entry: Entry, result: unknown, ctx: RunContext): unknown {
  const {outputs} = derived;
  outputs.begin();
  refusePromise(derived, result);
  let status: unknown;
  let items = result;
  if (derived.status !== null) {
    [status, items] = pairOf(derived, result);
    refusePromise(derived, status);
  }
  if (items === undefined || items === null) return status;
  if (derived.many) planAll(derived, entry, items, ctx);
  else {
    if (items !== result) refusePromise(derived, items);
    outputs.plan(entry, items);
  }
  return status;
}

// What a promise will say comes after the batch, and nobody would run the formula again for it.
function refusePromise(derived: Derived, value: unknown): void {
  if (!isThenable(value)) return;
  quiet(value);
  throw new EngineError(
    'async-formula',
    `the formula of "${derived.name}" returned a promise; formulas are synchronous: fetch what they need, and write what comes later into a source`,
  );
}

function pairOf(derived: Derived, result: unknown): readonly [unknown, unknown] {
  if (result === undefined || result === null) return [undefined, undefined];
  if (Array.isArray(result) && result.length <= 2) return [result[0], result[1]];
  throw new EngineError(
    'wiring',
    `the formula of "${derived.name}" must return [status, output]; use undefined where there is none`,
  );
}

function planAll(derived: Derived, entry: Entry, result: unknown, ctx: RunContext): void {
  if (typeof result !== 'object' || result === null || !(Symbol.iterator in result)) {
    throw new EngineError('wiring', `the formula of "${derived.name}" must return a list of items`);
  }
  const {outputs} = derived;
  for (const item of result as Iterable<unknown>) {
    if (item === undefined || item === null) continue;
    refusePromise(derived, item);
    outputs.plan(entry, item);
  }
  if (outputs.duplicates === null) return;
  for (const key of outputs.duplicates) {
    ctx.note({
      code: 'duplicate-in-result',
      key,
      keys: [key, entry.row.key],
      message: `${ctx} yields the key "${key}" twice in one result; the last one counts`,
    });
  }
}

/** The items in what a formula returned. */
export function itemsOf(derived: Derived, result: unknown): unknown[] {
  const items = derived.status === null ? result : pairOf(derived, result)[1];
  if (items === undefined || items === null) return [];
  if (!derived.many) return [items];
  return [...(items as Iterable<unknown>)].filter(item => item !== undefined && item !== null);
}

/** The status in what a formula returned. */
export function statusOf(derived: Derived, result: unknown): unknown {
  return derived.status === null ? undefined : pairOf(derived, result)[0];
}
