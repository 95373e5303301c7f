// Tries one draft: runs it over the inputs that were asked for, slice by slice, and notes what each run did.
import type {PreviewRow} from '@krtscope/shared/formulas.ts';
import {Tracker} from '../../explain/tracker.ts';
import type {Compiled} from '../../formula/compile/compile.ts';
import type {FormulaFailure} from '../../formula/confine/failure.ts';
import {Formula} from '../../formula/confine/formula.ts';
import {
  type BatchTrace,
  type Collection,
  type HandlerContext,
  newManyCollection,
  newStaticCollection,
  probe,
  type Run,
} from '../../krt/index.ts';
import type {Draft, Tried} from '../link/lab.ts';
import {checksOf, type Ran} from './checks.ts';
import {copyOptions, type Held, RowKeys} from './held.ts';
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

export interface Word {
  /** The input that runs next, and how many run after it before the next word. */
  running(input: string, more: number): void;
}

/** Throws what is wrong with the draft as a whole. */
export function tryDraft(held: Held, draft: Draft, word: Word): Tried {
  const bench = new Bench(held, draft);
  try {
    return bench.run(word);
  } finally {
    bench.clear();
  }
}

const failed = ({error}: Ran) => error !== undefined;

class Bench {
  readonly #held: Held;
  readonly #draft: Draft;
  readonly #formula: Formula;
  readonly #keys = new RowKeys();
  readonly #inputs;
  readonly #rows: Collection<unknown>;
  readonly #ran = new Map<string, Ran>();
  readonly #stopListening: () => void;
  #lines: number[] = [];

  constructor(held: Held, draft: Draft) {
    this.#held = held;
    this.#draft = draft;
    this.#formula = new Formula(
      {name: draft.name, kind: draft.kind, compiled: draft.compiled as Compiled},
      held,
      {onFetch: line => this.#lines.push(line)},
    );
    this.#inputs = newStaticCollection<unknown>(
      held.engine,
      [],
      copyOptions(draft.input ?? NOTHING, this.#keys),
    );
    // Always many: two inputs that give the same key are told by the checks, not hidden by the engine.
    this.#rows = newManyCollection(this.#inputs, (ctx, item) => this.#call(ctx, item), {
      name: draft.name,
      key: row => (row as {key: string}).key,
    });
    this.#stopListening = held.engine.onTrace(trace => this.#note(trace));
  }

  run(word: Word): Tried {
    const all = this.#all();
    const chosen = this.#chosen(all);
    const deadline = performance.now() + BUDGET_MS;
    let tried = 0;
    while (tried < chosen.length && performance.now() < deadline) {
      const slice = chosen.slice(tried, tried + (tried < ALONE ? 1 : SLICE));
      word.running(slice[0]?.[0] ?? '', slice.length - 1);
      this.#held.engine.batch(() => {
        for (const [key, item] of slice) {
          this.#keys.note(item, key);
          this.#inputs.updateObject(item);
        }
      });
      tried += slice.length;
    }
    const ran = chosen
      .slice(0, tried)
      .map(([key]) => this.#ran.get(key))
      .filter(one => one !== undefined);
    const checks = checksOf(ran, {
      kind: this.#draft.kind,
      total: all.length,
      again: input => this.#again(input),
      sizeOf: name => this.#held.collection(name)?.list().length ?? 0,
      stopped: tried < chosen.length,
    });
    const {keys, limit = ROWS} = this.#draft;
    // Of many rows those that fail are what somebody looks for.
    const shown =
      keys === undefined ? [...ran.filter(failed), ...ran.filter(one => !failed(one))].slice(0, limit) : ran;
    return {
      rows: shown.map((one, i) => this.#row(one, i < TRACKED)),
      total: all.length,
      tried,
      failed: ran.filter(failed).length,
      checks,
      ...(this.#draft.shadow === undefined ? {} : {shadow: shadowOf(ran, this.#other(this.#draft.shadow))}),
    };
  }

  clear(): void {
    this.#stopListening();
    this.#rows.stop();
    this.#inputs.stop();
  }

  #all(): [string, unknown][] {
    const {input, kind} = this.#draft;
    if (input === undefined || kind === 'singleton') return [[NOTHING, Object.freeze({})]];
    const rows = this.#held.collection(input)?.list() ?? [];
    const keyed = rows.map((row): [string, unknown] => [this.#held.keyOf(input, row), row]);
    return keyed.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #chosen(all: [string, unknown][]): [string, unknown][] {
    const {keys, limit, shadow, all: every} = this.#draft;
    if (keys !== undefined) {
      const byKey = new Map(all);
      return keys.filter(key => byKey.has(key)).map(key => [key, byKey.get(key)]);
    }
    return limit === undefined || every || shadow !== undefined ? all : all.slice(0, limit);
  }

  #call(context: HandlerContext, item: unknown): {key: string}[] {
    const input = this.#keys.of(item);
    this.#lines = [];
    const ran: Ran = {input, items: [], keys: [], fetches: [], lines: [], ms: 0};
    this.#ran.set(input, ran);
    const before = performance.now();
    try {
      const rows = this.#rowsOf(context, item);
      ran.items = rows;
      ran.keys = rows.map(row => this.#formula.keys.of(row));
    } catch (error) {
      const {sentence, message, line, column} = error as FormulaFailure;
      ran.error = {
        message: sentence ?? message,
        ...(line === undefined ? {} : {line}),
        ...(column === undefined ? {} : {column}),
        input,
      };
      throw error;
    } finally {
      ran.ms = performance.now() - before;
      ran.lines = this.#lines;
    }
    return [{key: input}];
  }

  #rowsOf(context: HandlerContext, item: unknown): unknown[] {
    const result = this.#formula.run(context, this.#draft.kind === 'singleton' ? undefined : item);
    if (result === undefined) return [];
    return this.#draft.kind === 'many' ? (result as unknown[]) : [result];
  }

  /** A repeat that is no run: what was noted of the run itself stays. */
  #again(input: string, watch: (item: unknown, isInput: boolean) => unknown = item => item): unknown {
    const kept = this.#ran.get(input);
    try {
      probe(this.#rows, input, (item, {fetch}) => watch(item, fetch < 0));
      return this.#ran.get(input)?.items;
    } catch {
      return undefined;
    } finally {
      if (kept !== undefined) this.#ran.set(input, kept);
    }
  }

  #note({runs}: BatchTrace): void {
    for (const run of runs) {
      if (run.uid !== this.#rows.uid) continue;
      const ran = this.#ran.get(run.input);
      if (ran !== undefined) this.#noteRun(ran, run);
    }
  }

  #noteRun(ran: Ran, {fetches, outcome, waitingFor}: Run): void {
    ran.fetches = fetches;
    if (waitingFor !== undefined) {
      ran.waitingFor = waitingFor;
      delete ran.error;
    }
    if (outcome === 'discarded') ran.discarded = true;
  }

  #row(ran: Ran, withReads: boolean): PreviewRow {
    const {input, items, error, waitingFor, discarded, fetches, lines, ms} = ran;
    const reads = withReads && this.#draft.kind !== 'singleton' ? this.#reads(input) : undefined;
    return {
      input,
      items: [...items],
      ...(error === undefined ? {} : {error}),
      ...(waitingFor === undefined ? {} : {waitingFor}),
      ...(discarded === true ? {discarded} : {}),
      fetches: fetches.map(({collection, filter, matched, scanned, via, keys}, i) => ({
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

  #reads(input: string): string[] {
    const tracker = new Tracker();
    this.#again(input, (item, isInput) => {
      if (!isInput || item === null) return item;
      const watched = tracker.watch('', input, item);
      this.#keys.note(watched, input);
      return watched;
    });
    return tracker.reads()[0]?.paths ?? [];
  }

  #other(name: string): Map<string, unknown> {
    const rows = this.#held.collection(name)?.list() ?? [];
    return new Map(rows.map(row => [this.#held.keyOf(name, row), row]));
  }
}
