// The result of a formula as items: one or none, a list, or a status beside them.

import type {PlannedRow} from '../containers/planned-row.ts';
import {EngineError} from '../values/error.ts';
import {isThenable, silenceRejection, silenceRejections} from '../values/thenable.ts';
import type {FormulaInputs} from './formula-inputs.ts';
import type {InputEntry} from './input-entry.ts';
import {ResultPlan} from './result-plan.ts';
import type {FormulaRunContext} from './run-context.ts';

/** Plans a result. Throws if its form is wrong. */
export function planResult(
  derived: FormulaInputs,
  entry: InputEntry,
  result: unknown,
  ctx: FormulaRunContext,
): PlannedRow | null {
  refuseAsync(derived, result);
  let items = result;
  if (derived.status !== null) {
    [ctx.status, items] = statusPairOf(derived, result);
    refuseAsync(derived, ctx.status);
    refuseAsync(derived, items);
  }
  if (items === undefined || items === null) return null;
  return derived.many
    ? planAll(derived, entry, items, ctx)
    : derived.outputs.planOne(entry, derived.keyOf(items), items);
}

// A promise resolves after the batch, and nothing would run the formula again. The caller silences all
// rejections in the result.
export function refuseAsync(derived: FormulaInputs, value: unknown): void {
  if (!isThenable(value)) return;
  throw new EngineError(
    'async-formula',
    `the formula of "${derived.name}" returned a promise; formulas are synchronous: fetch what they need, and write what comes later into a source`,
  );
}

function statusPairOf(derived: FormulaInputs, result: unknown): readonly [unknown, unknown] {
  if (result === undefined || result === null) return [undefined, undefined];
  if (Array.isArray(result) && result.length <= 2) return [result[0], result[1]];
  throw new EngineError(
    'wiring',
    `the formula of "${derived.name}" must return [status, output]; use undefined where there is none`,
  );
}

function planAll(
  derived: FormulaInputs,
  entry: InputEntry,
  result: unknown,
  ctx: FormulaRunContext,
): PlannedRow | null {
  if (typeof result !== 'object' || result === null || !(Symbol.iterator in result)) {
    throw new EngineError('wiring', `the formula of "${derived.name}" must return a list of items`);
  }
  const plan = new ResultPlan(derived, entry);
  for (const item of result as Iterable<unknown>) {
    if (item === undefined || item === null) continue;
    if (isThenable(item)) {
      // A generator yields its items only once.
      silenceRejection(item);
      refuseAsync(derived, item);
    }
    plan.add(item);
  }
  for (const key of plan.duplicates ?? []) {
    ctx.note({
      code: 'duplicate-in-result',
      // The input is part of the key, because each input clears its own violation. The length separates the
      // two keys.
      key: `${key.length} ${key} ${entry.row.key}`,
      keys: [key, entry.row.key],
      message: `${ctx} yields the key "${key}" twice in one result; the last one counts`,
    });
  }
  return plan.first;
}

/** The items of a result; throws if one is a promise. */
export function itemsOf(derived: FormulaInputs, result: unknown): unknown[] {
  refuseAsync(derived, result);
  const items = derived.status === null ? result : statusPairOf(derived, result)[1];
  if (items === undefined || items === null) return [];
  refuseAsync(derived, items);
  const all = derived.many ? [...(items as Iterable<unknown>)] : [items];
  refuseAsyncItems(derived, all);
  return all.filter(item => item !== undefined && item !== null);
}

/** The result with its items as a list. A generator is code of the formula and must run inside the run. */
export function withListedItems(derived: FormulaInputs, result: unknown): unknown {
  if (!derived.many || result === undefined || result === null) return result;
  const [status, items] = derived.status === null ? [undefined, result] : statusPairOf(derived, result);
  if (typeof items !== 'object' || items === null || Array.isArray(items)) return result;
  const all = [...(items as Iterable<unknown>)];
  refuseAsyncItems(derived, all);
  return derived.status === null ? all : [status, all];
}

function refuseAsyncItems(derived: FormulaInputs, items: readonly unknown[]): void {
  try {
    for (const item of items) refuseAsync(derived, item);
  } catch (error) {
    // A generator yields its items only once.
    silenceRejections(items);
    throw error;
  }
}

/** The status of a result; throws if it is a promise. */
export function statusOf(derived: FormulaInputs, result: unknown): unknown {
  const status = derived.status === null ? undefined : statusPairOf(derived, result)[0];
  refuseAsync(derived, status);
  return status;
}
