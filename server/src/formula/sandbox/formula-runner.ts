// Runs one function of a user for the engine: meters it, performs its fetches, copies its results and finds their keys.
// sandboxed-formula.ts and sandboxed-module.ts evaluate the text and pass the function in.

import {type Collection, EngineError, fetch, fetchOne, type HandlerContext} from '../../krt/index.ts';
import type {CompiledFormulaKind} from '../compile/formula-compiler.ts';
import type {EvaluatedFormula} from './compartment.ts';
import {FormulaCost} from './formula-cost.ts';
import {FormulaFailure, failureOf} from './formula-failure.ts';
import {ensureFrozen, ensureItemsFrozen} from './freeze.ts';
import {CollectionHandle, FilterHandle} from './handles.ts';
import {type CopyBudget, copyPlain, MAX_ROW_BYTES} from './plain-copy.ts';
import {FormulaRowKeys} from './row-keys.ts';
import {FormulaRowSizes} from './row-sizes.ts';

/** Loop heads and calls of one run. A singleton may read a whole cluster. */
export const FUEL = {one: 1_000_000, many: 1_000_000, singleton: 50_000_000} as const;
const MAX_ROWS = 10_000;
const MAX_NODES = 400_000;
/** Calls after which a fetch checks for room on the stack. Fewer calls cannot fill it. */
const CALLS_BEFORE_STACK_CHECK = 500;

export interface FormulaRunnerSpec {
  name: string;
  kind: CompiledFormulaKind;
  /** The name of its frames in stack traces. */
  url: string;
  /** Returns the key of a row, if the user gives such a function. */
  key?: (row: unknown) => string;
  /** The function returns `[status, rows]`. */
  status?: boolean;
}

export interface FormulaRunnerOptions {
  /** Called before each run, and before a filter's test outside of a run. Main waits for this announcement. */
  onRun?(): void;
  /** Called after a fetch: functions of other formulas may have been announced during it. */
  onFetchEnd?(): void;
  /** Called with the line of each fetch, in order. */
  onFetch?(line: number): void;
  /** Rows are read only right after their run, so their keys need not be remembered. */
  forgetsKeys?: boolean;
  /** Everything that the function can get is deeply frozen. */
  givesFrozen?: boolean;
  /** Whether the formula still has this input. */
  hasInput?(input: string): boolean;
}

/** Limits of a result, for the remaining fuel. */
export const copyBudgetOf = (fuel: number): CopyBudget => ({
  nodes: Math.min(fuel, MAX_NODES),
  bytes: MAX_ROW_BYTES,
});

export class FormulaRunner {
  readonly name: string;
  readonly keys: FormulaRowKeys;
  readonly cost = new FormulaCost();
  readonly sizes: FormulaRowSizes;
  readonly #kind: CompiledFormulaKind;
  readonly #url: string;
  readonly #fuel: number;
  readonly #onRun: (() => void) | undefined;
  readonly #onFetchEnd: (() => void) | undefined;
  readonly #onFetch: ((line: number) => void) | undefined;
  readonly #givesFrozen: boolean;
  readonly #status: boolean;
  readonly contextApi: object;
  #evaluated!: EvaluatedFormula;
  #refusesAccessors = true;
  #context: HandlerContext | undefined;
  /** Why the fuel is spent, if it is. */
  #endReason = SPENT.message;

  constructor({name, kind, url, key, status = false}: FormulaRunnerSpec, options: FormulaRunnerOptions = {}) {
    this.name = name;
    this.#kind = kind;
    this.keys = new FormulaRowKeys(kind, key, options.forgetsKeys);
    this.sizes = new FormulaRowSizes(options.hasInput);
    this.#fuel = FUEL[kind];
    this.#onRun = options.onRun;
    this.#onFetchEnd = options.onFetchEnd;
    this.#onFetch = options.onFetch;
    this.#url = url;
    this.#givesFrozen = options.givesFrozen ?? false;
    this.#status = status;
    const discard = Object.freeze(() => {
      this.#requireContext().discardResult();
      // A formula with a status continues and returns its status.
      if (!status) throw DISCARDED;
    });
    this.contextApi = Object.freeze({
      fetch: Object.freeze((from: unknown, ...filters: unknown[]) => this.fetch(from, filters)),
      fetchOne: Object.freeze((from: unknown, ...filters: unknown[]) => this.fetchOne(from, filters)),
      minute: Object.freeze(() => this.#minute()),
      discard,
      discardResult: discard,
    });
  }

  /** The clock that `ctx.minute()` reads, if the code uses it. */
  protected clock: CollectionHandle | undefined;

  /** `text` is the code. It shows whether results may contain accessors. */
  protected begin(evaluated: EvaluatedFormula, text: string): void {
    this.#evaluated = evaluated;
    // Reading a getter is harmless because it burns the same fuel, but the user must learn that it is not data.
    this.#refusesAccessors = /\b[gs]et\b|define|create/.test(text);
  }

  /**
   * Rows for the engine: one value or undefined, or an array for `many`. Throws FormulaFailure.
   * `input` is the key of the item, if it is known.
   */
  run(context: HandlerContext, item: unknown, input?: string): unknown {
    this.#onRun?.();
    const evaluated = this.#evaluated;
    // Do not call it as a method: `this` would be the function's own meter.
    const {formula} = evaluated;
    const previous = this.#context;
    this.#context = context;
    // A fetch may settle another collection of the same module, which shares the meter.
    const left = evaluated.fuel();
    evaluated.refuel(this.#fuel);
    this.#endReason = SPENT.message;
    const start = this.cost.begin();
    try {
      const result = formula(this.contextApi, this.#givesFrozen ? item : ensureFrozen(item));
      return this.#result(result, context, input);
    } catch (error) {
      if (error === DISCARDED) return undefined;
      if (evaluated.fuel() < 0) throw new FormulaFailure(this.#endReason);
      throw this.failure(error);
    } finally {
      this.cost.end(start);
      // Usually 0. Functions in filters that the formula leaves behind run on their own fuel.
      evaluated.refuel(left);
      this.#context = previous;
    }
  }

  /** The error shown for an error that the user's code threw. */
  protected failure(error: unknown): FormulaFailure {
    return failureOf(error, this.#url);
  }

  /** The line of the current or last fetch. */
  get line(): number {
    return this.#evaluated.line();
  }

  #result(result: unknown, context: HandlerContext, input: string | undefined): unknown {
    const left = this.#evaluated.fuel();
    if (left < 0) throwFuelSpent();
    const budget = copyBudgetOf(left);
    if (!this.#status) return this.#rows(result, budget, context, input);
    if (result === undefined || result === null) return undefined;
    if (!Array.isArray(result) || result.length > 2)
      throw new FormulaFailure('a formula with a status returns [status, output]; use undefined for none');
    const [status, rows] = result as unknown[];
    return [copyPlain(status, budget, this.#refusesAccessors), this.#rows(rows, budget, context, input)];
  }

  #rows(result: unknown, budget: CopyBudget, context: HandlerContext, input: string | undefined): unknown {
    if (this.#kind !== 'many') {
      const row = copyPlain(result, budget, this.#refusesAccessors) ?? undefined;
      if (row !== undefined && this.keys.assign(row))
        this.keys.inherit(row, input ?? inputOf(context, this.name));
      this.#noteSize(MAX_ROW_BYTES - budget.bytes, context, input);
      return row;
    }
    if (result === undefined || result === null) return undefined;
    const rows = listOf(result);
    const copies: unknown[] = [];
    let bytes = 0;
    // Iterate by index: an array may have its own iterator.
    const {length} = rows;
    for (let i = 0; i < length; i++) {
      budget.bytes = MAX_ROW_BYTES;
      const row = copyPlain(rows[i], budget, this.#refusesAccessors);
      bytes += MAX_ROW_BYTES - budget.bytes;
      if (row === undefined || row === null) continue;
      this.keys.assign(row);
      copies.push(row);
    }
    this.#noteSize(bytes, context, input);
    return copies;
  }

  #noteSize(bytes: number, context: HandlerContext, input: string | undefined): void {
    if (this.sizes.counts(bytes)) this.sizes.note(input ?? inputOf(context, this.name), bytes);
  }

  #minute(): number {
    const row = this.clock && (this.fetchOne(this.clock, []) as {minute?: number} | undefined);
    if (row?.minute === undefined) throw new TypeError('ctx.minute() has no clock here');
    return row.minute;
  }

  #requireContext(): HandlerContext {
    if (this.#context === undefined) throw new TypeError('ctx can be used only while the formula runs');
    return this.#context;
  }

  fetch(from: unknown, filters: readonly unknown[]): readonly unknown[] {
    const context = this.#requireContext();
    const collection = CollectionHandle.open(from);
    if (this.#fuel - this.#evaluated.fuel() > CALLS_BEFORE_STACK_CHECK) this.#requireStackSpace();
    this.#onFetch?.(this.#evaluated.line());
    try {
      const items = fetchItems(context, collection, filters);
      return this.#givesFrozen ? items : ensureItemsFrozen(items);
    } catch (error) {
      throw toLanguageError(error);
    } finally {
      this.#onFetchEnd?.();
    }
  }

  fetchOne(from: unknown, filters: readonly unknown[]): unknown {
    const context = this.#requireContext();
    const collection = CollectionHandle.open(from);
    if (this.#fuel - this.#evaluated.fuel() > CALLS_BEFORE_STACK_CHECK) this.#requireStackSpace();
    this.#onFetch?.(this.#evaluated.line());
    try {
      return ensureFrozen(fetchOne(context, collection, ...FilterHandle.openAll(filters)));
    } catch (error) {
      throw toLanguageError(error);
    } finally {
      this.#onFetchEnd?.();
    }
  }

  // Check the stack before a fetch: an overflow in the middle would leave the engine in a broken state.
  // Code that catches this error would reach it at every level again, so the run ends.
  #requireStackSpace(): void {
    try {
      descend(STACK_LEVELS);
    } catch {
      this.#evaluated.refuel(-1);
      this.#endReason = TOO_DEEP;
      throw SPENT;
    }
  }

  /**
   * Guards a test that the engine calls at any time. Outside a run, a failing test counts as a match, and the
   * run reports the error.
   */
  guardTest(test: (item: unknown) => unknown): (item: unknown) => boolean {
    return item => {
      if (this.#context !== undefined) return Boolean(test(ensureFrozen(item)));
      this.#onRun?.();
      this.#evaluated.refuel(FUEL.one);
      try {
        return Boolean(test(ensureFrozen(item)));
      } catch {
        return true;
      } finally {
        this.#evaluated.refuel(0);
      }
    };
  }
}

function fetchItems(
  context: HandlerContext,
  collection: Collection<unknown>,
  filters: readonly unknown[],
): readonly unknown[] {
  const [first, second] = filters;
  if (FilterHandle.isCompound(first) || FilterHandle.isCompound(second))
    return fetch(context, collection, ...FilterHandle.openAll(filters));
  switch (filters.length) {
    case 0:
      return fetch(context, collection);
    case 1:
      return fetch(context, collection, FilterHandle.open(first));
    case 2:
      return fetch(context, collection, FilterHandle.open(first), FilterHandle.open(second));
    default:
      return fetch(context, collection, ...FilterHandle.openAll(filters));
  }
}

// One shared error: a formula that catches it gets it thousands of times, and it must not expose internals.
const SPENT = Object.freeze(
  new Error('the formula ran too long and was stopped: does a loop or a call to itself never end?'),
);

/** Ends a run that keeps its previous result. */
const DISCARDED = Object.freeze(new Error('the result is discarded'));

export function throwFuelSpent(): never {
  throw SPENT;
}

function listOf(result: unknown): readonly unknown[] {
  if (typeof result !== 'object' || result === null || !(Symbol.iterator in result)) {
    throw new FormulaFailure('a "many" formula returns an array: return [] for nothing, [row] for one');
  }
  if (!Array.isArray(result)) {
    const rows: unknown[] = [];
    for (const row of result as Iterable<unknown>) {
      if (rows.push(row) > MAX_ROWS) throwTooManyRows();
    }
    return rows;
  }
  if (result.length > MAX_ROWS) throwTooManyRows();
  return result;
}

function throwTooManyRows(): never {
  throw new FormulaFailure(`one input gives at most ${MAX_ROWS} rows; this one gave more`);
}

/** Hides the engine's own error classes: formulas can catch only errors of JavaScript. */
function toLanguageError(error: unknown): unknown {
  if (error instanceof EngineError) return new TypeError(error.message);
  if (error instanceof Error && error.constructor === Error) return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return new Error(error instanceof Error ? error.message : String(error));
}

const TOO_DEEP = 'the formula calls itself too deeply';
const STACK_LEVELS = 24;
/** The levels below, and arguments that only take room. */
const stackFillers = Array.from({length: STACK_LEVELS + 1}, (_, levels) => [
  levels,
  ...new Array<undefined>(1000).fill(undefined),
]);

// Not by a spread: after the lockdown it goes through the iterator and takes fifty times as long.
function descend(levels: number): number {
  if (levels === 0) return 0;
  return 1 + (Reflect.apply(descend, undefined, stackFillers[levels - 1] as unknown[]) as number);
}

/** The input's key, taken from the engine's name for the run. */
function inputOf(context: HandlerContext, collection: string): string {
  const text = String(context);
  return text.slice(text.indexOf('{', Math.min(collection.length, text.length)) + 1, -1);
}
