// One function of a user's, run by the engine: metered, its reads handed on, its results made plain, its keys found. What
// evaluates the text (sandboxed-formula.ts, module-trial.ts) gives it the function.

import {type Collection, EngineError, fetch, fetchOne, type HandlerContext} from '../../krt/index.ts';
import type {CompiledFormulaKind} from '../compile/formula-compiler.ts';
import type {EvaluatedFormula} from './compartment.ts';
import {FormulaFailure, failureOf} from './formula-failure.ts';
import {ensureFrozen, ensureItemsFrozen} from './freeze.ts';
import {CollectionHandle, FilterHandle} from './handles.ts';
import {type CopyBudget, copyPlain} from './plain-copy.ts';
import {FormulaRowKeys} from './row-keys.ts';

/** Loop heads and calls of one run. A singleton may look at a whole cluster. */
export const FUEL = {one: 1_000_000, many: 1_000_000, singleton: 50_000_000} as const;
const MAX_ROWS = 10_000;
const MAX_NODES = 400_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Calls after which a fetch first looks whether there is room on the stack: fewer cannot have filled it. */
const CALLS_BEFORE_STACK_CHECK = 500;

export interface FormulaRunnerSpec {
  name: string;
  kind: CompiledFormulaKind;
  /** What its frames are called in a stack. */
  url: string;
  /** Where a key comes from, if the user says so. */
  key?: (row: unknown) => string;
  /** It says something about its input beside the rows: `[status, rows]`. */
  status?: boolean;
}

export interface FormulaRunnerOptions {
  /** Called before each run, and before a filter's test outside of one: the announcement that main waits for. */
  onRun?(): void;
  /** Called when a fetch is over: functions of others may have run in it, announced as theirs. */
  onFetchEnd?(): void;
  /** Called with the line of each fetch, in the order of the fetches. */
  onFetch?(line: number): void;
  /** Rows are looked at right after their run and never again: their keys need not be remembered. */
  forgetsKeys?: boolean;
  /** All that it can be given is frozen all the way down. */
  givesFrozen?: boolean;
}

/** What a result may hold, with so much fuel left. */
export const copyBudgetOf = (fuel: number): CopyBudget => ({
  nodes: Math.min(fuel, MAX_NODES),
  bytes: MAX_BYTES,
});

export class FormulaRunner {
  readonly name: string;
  readonly keys: FormulaRowKeys;
  readonly #kind: CompiledFormulaKind;
  readonly #url: string;
  readonly #fuel: number;
  readonly #onRun: (() => void) | undefined;
  readonly #onBack: (() => void) | undefined;
  readonly #onFetch: ((line: number) => void) | undefined;
  readonly #givesFrozen: boolean;
  readonly #status: boolean;
  readonly contextApi: object;
  #evaluated!: EvaluatedFormula;
  #careful = true;
  #context: HandlerContext | undefined;
  /** Why the fuel is gone, if it is. */
  #ended = SPENT.message;

  constructor({name, kind, url, key, status = false}: FormulaRunnerSpec, options: FormulaRunnerOptions = {}) {
    this.name = name;
    this.#kind = kind;
    this.keys = new FormulaRowKeys(kind, key, options.forgetsKeys);
    this.#fuel = FUEL[kind];
    this.#onRun = options.onRun;
    this.#onBack = options.onFetchEnd;
    this.#onFetch = options.onFetch;
    this.#url = url;
    this.#givesFrozen = options.givesFrozen ?? false;
    this.#status = status;
    const discard = Object.freeze(() => {
      this.#requireContext().discardResult();
      // A status is written all the same: its formula goes on to return it.
      if (!status) throw DISCARDED;
    });
    this.contextApi = Object.freeze({
      fetch: Object.freeze((from: unknown, ...filters: unknown[]) => this.fetch(from, filters)),
      fetchOne: Object.freeze((from: unknown, ...filters: unknown[]) => this.fetchOne(from, filters)),
      discard,
      discardResult: discard,
    });
  }

  /** `text`: the code, as far as it says whether results may hold more than data. */
  protected begin(evaluated: EvaluatedFormula, text: string): void {
    this.#evaluated = evaluated;
    // Reading a getter is harmless, it runs on the same fuel; but what is not data must be said.
    this.#careful = /\b[gs]et\b|define|create/.test(text);
  }

  /**
   * Rows as the engine takes them: one value or nothing, or a list for `many`. Throws FormulaFailure. `input` is the
   * key of the item, where it is known.
   */
  run(context: HandlerContext, item: unknown, input?: string): unknown {
    this.#onRun?.();
    const evaluated = this.#evaluated;
    // Not called as a method: a function's `this` would be its own meter.
    const {formula} = evaluated;
    const before = this.#context;
    this.#context = context;
    // A fetch may settle another collection of the same module, which is on the same meter.
    const left = evaluated.fuel();
    evaluated.refuel(this.#fuel);
    this.#ended = SPENT.message;
    try {
      const result = formula(this.contextApi, this.#givesFrozen ? item : ensureFrozen(item));
      return this.#result(result, context, input);
    } catch (error) {
      if (error === DISCARDED) return undefined;
      if (evaluated.fuel() < 0) throw new FormulaFailure(this.#ended);
      throw this.failure(error);
    } finally {
      // Nothing, mostly: what the formula may have left behind, a function in a filter, runs on fuel of its own.
      evaluated.refuel(left);
      this.#context = before;
    }
  }

  /** What is told of an error that the user's code threw. */
  protected failure(error: unknown): FormulaFailure {
    return failureOf(error, this.#url);
  }

  /** The line of the fetch that is under way or was last. */
  get line(): number {
    return this.#evaluated.line();
  }

  #result(result: unknown, context: HandlerContext, input: string | undefined): unknown {
    const left = this.#evaluated.fuel();
    if (left < 0) throwFuelSpent();
    const room = copyBudgetOf(left);
    if (!this.#status) return this.#rows(result, room, context, input);
    if (result === undefined || result === null) return undefined;
    if (!Array.isArray(result) || result.length > 2)
      throw new FormulaFailure(
        'a formula with a status returns [status, output]; undefined where there is none',
      );
    const [status, rows] = result as unknown[];
    return [copyPlain(status, room, this.#careful), this.#rows(rows, room, context, input)];
  }

  #rows(result: unknown, room: CopyBudget, context: HandlerContext, input: string | undefined): unknown {
    if (this.#kind !== 'many') {
      const row = copyPlain(result, room, this.#careful) ?? undefined;
      if (row !== undefined && this.keys.assign(row))
        this.keys.inherit(row, input ?? inputOf(context, this.name));
      return row;
    }
    if (result === undefined || result === null) return undefined;
    const rows = listOf(result);
    const given: unknown[] = [];
    // By number: a list may say something else of how to walk through it.
    const {length} = rows;
    for (let i = 0; i < length; i++) {
      const row = copyPlain(rows[i], room, this.#careful);
      if (row === undefined || row === null) continue;
      this.keys.assign(row);
      given.push(row);
    }
    return given;
  }

  #requireContext(): HandlerContext {
    if (this.#context === undefined) throw new TypeError('ctx is of use only while the formula runs');
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
      this.#onBack?.();
    }
  }

  fetchOne(from: unknown, filters: readonly unknown[]): unknown {
    const context = this.#requireContext();
    const collection = CollectionHandle.open(from);
    if (this.#fuel - this.#evaluated.fuel() > CALLS_BEFORE_STACK_CHECK) this.#requireStackSpace();
    this.#onFetch?.(this.#evaluated.line());
    try {
      return ensureFrozen(fetchOne(context, collection, ...filters.map(FilterHandle.open)));
    } catch (error) {
      throw toLanguageError(error);
    } finally {
      this.#onBack?.();
    }
  }

  // A fetch that runs out of stack halfway would leave the engine in the middle of something: find out before it
  // begins. Who comes this far and catches it would come here again at every level, so the run is over.
  #requireStackSpace(): void {
    try {
      descend(STACK_LEVELS);
    } catch {
      this.#evaluated.refuel(-1);
      this.#ended = TOO_DEEP;
      throw SPENT;
    }
  }

  /** A test that the engine calls at any time: outside a run a test that throws counts as a match, and the run tells. */
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
  switch (filters.length) {
    case 0:
      return fetch(context, collection);
    case 1:
      return fetch(context, collection, FilterHandle.open(first));
    case 2:
      return fetch(context, collection, FilterHandle.open(first), FilterHandle.open(second));
    default:
      return fetch(context, collection, ...filters.map(FilterHandle.open));
  }
}

// One for all: a formula that catches it gets it thousands of times, and it shows nothing of ours.
const SPENT = Object.freeze(
  new Error('the formula ran too long and was stopped: does a loop or a call to itself never end?'),
);

/** Ends a run that keeps what was there. */
const DISCARDED = Object.freeze(new Error('the result is discarded'));

export function throwFuelSpent(): never {
  throw SPENT;
}

function listOf(result: unknown): readonly unknown[] {
  if (typeof result !== 'object' || result === null || !(Symbol.iterator in result)) {
    throw new FormulaFailure('a "many" formula returns a list: return [] for nothing, [row] for one');
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

/** The engine's own classes stay its own: what a formula can catch is the language's. */
function toLanguageError(error: unknown): unknown {
  if (error instanceof EngineError) return new TypeError(error.message);
  if (error instanceof Error && error.constructor === Error) return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  return new Error(error instanceof Error ? error.message : String(error));
}

const TOO_DEEP = 'the formula calls itself too deeply';
const STACK_LEVELS = 24;
const stackFiller = new Array<undefined>(1000).fill(undefined);

function descend(levels: number, ..._filling: undefined[]): number {
  return levels === 0 ? 0 : 1 + descend(levels - 1, ...stackFiller);
}

/** The key of the input, from what the engine calls the run. */
function inputOf(context: HandlerContext, collection: string): string {
  const text = String(context);
  return text.slice(text.indexOf('{', Math.min(collection.length, text.length)) + 1, -1);
}
