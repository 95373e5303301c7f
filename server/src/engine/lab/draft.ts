// Tries one draft: runs it over the inputs that were asked for, slice by slice, and notes what each run did.
import type {PreviewRow, RowError} from '@krtscope/shared/formulas.ts';
import {Tracker} from '../../explain/tracker.ts';
import type {Compiled} from '../../formula/compile/compile.ts';
import type {FormulaFailure} from '../../formula/confine/failure.ts';
import {Formula} from '../../formula/confine/formula.ts';
import {Rehearsal} from '../../krt/index.ts';
import type {Draft, Tried} from '../link/lab.ts';
import {checksOf} from './checks.ts';
import type {Held, HeldRow} from './held.ts';
import {Ran} from './ran.ts';
import {shadowOf} from './shadow.ts';

/** Rows in an answer when nobody says how many. */
const ROWS = 100;
/** Runs after one word to main, once the first ones have shown that the draft ends. */
const SLICE = 500;
const ALONE = 100;
/** A draft over all rows gives up after this: what it has shown by then stands. */
const BUDGET_MS = 1500;
/** Rows whose reads are shown. */
const TRACKED = 20;

const NOTHING = 'static';
const NO_LINES: readonly never[] = [];

export interface Word {
  /** The input that runs next, and how many run after it before the next word. */
  running(input: string, more: number): void;
}

/** Throws what is wrong with the draft as a whole. */
export function tryDraft(held: Held, draft: Draft, word: Word): Tried {
  return new Bench(held, draft).run(word);
}

const failed = ({error}: Ran) => error !== undefined;

class Bench {
  readonly #held: Held;
  readonly #draft: Draft;
  readonly #formula: Formula;
  readonly #rehearsal: Rehearsal;
  #lines: readonly number[] = NO_LINES;
  #single: readonly number[] = NO_LINES;
  /** The run's own list, once it has made two. */
  #own: number[] | undefined;

  constructor(held: Held, draft: Draft) {
    this.#held = held;
    this.#draft = draft;
    this.#formula = new Formula(
      {name: draft.name, kind: draft.kind, compiled: draft.compiled as Compiled},
      held,
      {onFetch: line => this.#fetched(line), forgetsKeys: true, givesFrozen: true},
    );
    this.#rehearsal = new Rehearsal(held.engine, draft.name);
  }

  run(word: Word): Tried {
    const all = this.#all();
    const chosen = this.#chosen(all);
    const deadline = performance.now() + BUDGET_MS;
    const ran: Ran[] = [];
    while (ran.length < chosen.length && performance.now() < deadline) {
      const from = ran.length;
      const to = Math.min(chosen.length, from + (from < ALONE ? 1 : SLICE));
      word.running(chosen[from]?.[0] ?? '', to - from - 1);
      for (let i = from; i < to; i++) {
        const [key, item] = chosen[i] as [string, unknown];
        ran.push(this.#run(key, item));
      }
    }
    const checks = checksOf(ran, {
      kind: this.#draft.kind,
      total: all.length,
      again: ({input, item}) => this.#run(input, item).items,
      sizeOf: name => this.#held.collection(name)?.list().length ?? 0,
      stopped: ran.length < chosen.length,
    });
    const {keys, limit = ROWS} = this.#draft;
    const shown = keys === undefined ? firstOf(ran, limit) : ran;
    return {
      rows: shown.map((one, i) => this.#row(one, i < TRACKED)),
      total: all.length,
      tried: ran.length,
      failed: ran.filter(failed).length,
      checks,
      ...(this.#draft.shadow === undefined ? {} : {shadow: shadowOf(ran, this.#other(this.#draft.shadow))}),
    };
  }

  #all(): readonly HeldRow[] {
    const {input, kind} = this.#draft;
    if (input === undefined || kind === 'singleton') return [[NOTHING, undefined]];
    return this.#held.sortedRows(input);
  }

  #chosen(all: readonly HeldRow[]): readonly HeldRow[] {
    const {keys, limit, shadow, all: every} = this.#draft;
    if (keys !== undefined) {
      const byKey = new Map(all);
      return keys.filter(key => byKey.has(key)).map(key => [key, byKey.get(key)]);
    }
    return limit === undefined || every || shadow !== undefined ? all : all.slice(0, limit);
  }

  #run(input: string, item: unknown): Ran {
    this.#lines = NO_LINES;
    this.#own = undefined;
    const before = performance.now();
    const came = this.#rehearsal.run(input, ctx => this.#formula.run(ctx, item, input));
    const ms = performance.now() - before;
    const error = came.error === undefined ? undefined : errorOf(came.error as FormulaFailure, input);
    return new Ran(input, item, came, error, this.#lines, ms, this.#draft.kind, this.#formula.keys);
  }

  // Most runs make one fetch, and all the same one: they share its list.
  #fetched(line: number): void {
    if (this.#own !== undefined) this.#own.push(line);
    else if (this.#lines.length === 1) {
      this.#own = [...this.#lines, line];
      this.#lines = this.#own;
    } else {
      if (this.#single[0] !== line) this.#single = [line];
      this.#lines = this.#single;
    }
  }

  #row(ran: Ran, withReads: boolean): PreviewRow {
    const {input, items, error, waitingFor, discarded, fetches, lines, ms} = ran;
    const reads = withReads && this.#draft.kind !== 'singleton' ? this.#reads(ran) : undefined;
    return {
      input,
      items: [...items],
      ...(error === undefined ? {} : {error}),
      ...(waitingFor === undefined ? {} : {waitingFor}),
      ...(discarded ? {discarded} : {}),
      fetches: fetches.map(({record: {collection, filter, matched, scanned, via, keys}}, i) => ({
        collection,
        filter,
        matched,
        scanned,
        via: {...via},
        keys: [...keys],
        ...(lines[i] === undefined ? {} : {line: lines[i] as number}),
      })),
      ...(reads === undefined ? {} : {reads}),
      ms,
    };
  }

  #reads({input, item}: Ran): string[] {
    if (typeof item !== 'object' || item === null) return [];
    const tracker = new Tracker();
    this.#run(input, tracker.watch('', input, item));
    return tracker.reads()[0]?.paths ?? [];
  }

  #other(name: string): Map<string, unknown> {
    return new Map(this.#held.sortedRows(name));
  }
}

/** Of many rows those that fail are what somebody looks for. */
function firstOf(ran: readonly Ran[], limit: number): Ran[] {
  const shown: Ran[] = [];
  for (const wanted of [true, false])
    for (let i = 0; i < ran.length && shown.length < limit; i++) {
      const one = ran[i] as Ran;
      if (failed(one) === wanted) shown.push(one);
    }
  return shown;
}

function errorOf({sentence, message, line, column}: FormulaFailure, input: string): RowError {
  return {
    message: sentence ?? message,
    ...(line === undefined ? {} : {line}),
    ...(column === undefined ? {} : {column}),
    input,
  };
}
