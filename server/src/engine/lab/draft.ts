// Tries one draft: runs it over the inputs that were asked for, slice by slice, and notes what each run did.
import type {PreviewRow, RowError} from '@krtscope/shared/formulas.ts';
import {ReadTracker} from '../../explain/evidence/read-tracker.ts';
import type {FormulaFailure} from '../../formula/sandbox/formula-failure.ts';
import {Rehearsal} from '../../krt/index.ts';
import type {Draft, Tried} from '../link/lab.ts';
import {checksOf} from './checks.ts';
import type {Held, HeldRow} from './held.ts';
import {Prepared} from './prepared.ts';
import {Ran} from './ran.ts';
import {shadowOf} from './shadow.ts';
import {Tally} from './tally.ts';

/** Rows in an answer when nobody says how many. */
const ROWS = 100;
/** Runs after one word to main, once the first ones have shown that the draft ends. */
const SLICE = 500;
const ALONE = 100;
/** A draft over all rows gives up after this: what it has shown by then stands. With what one run may take, under two seconds. */
const BUDGET_MS = 1100;
/** Rows whose reads are shown. */
const TRACKED = 20;

const NOTHING = 'static';

export interface Word {
  /** The input that runs next, and how many run after it before the next word. */
  running(input: string, more: number): void;
}

/** Throws what is wrong with the draft as a whole. */
export function tryDraft(held: Held, draft: Draft, word: Word): Tried {
  return new Bench(held, draft).run(word);
}

class Bench {
  readonly #held: Held;
  readonly #draft: Draft;
  readonly #prepared: Prepared;
  readonly #rehearsal: Rehearsal;
  #watched: Prepared | undefined;
  /** When the last run ended. */
  #ended = 0;

  constructor(held: Held, draft: Draft) {
    this.#held = held;
    this.#draft = draft;
    this.#prepared = held.drafts.of(draft);
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
      this.#ended = performance.now();
      for (let i = from; i < to; i++) {
        const entry = chosen[i] as HeldRow;
        ran.push(this.#run(entry[0], entry[1]));
      }
    }
    const tally = new Tally(ran);
    const checks = checksOf(tally, {
      kind: this.#draft.kind,
      total: all.length,
      again: ({input, item}) => this.#run(input, item).items,
      sizeOf: name => this.#held.collection(name)?.list().length ?? 0,
      stopped: ran.length < chosen.length,
    });
    const {keys, limit = ROWS} = this.#draft;
    const shown = keys === undefined ? tally.first(limit) : ran;
    return {
      rows: shown.map((one, i) => this.#row(one, i < TRACKED)),
      total: all.length,
      tried: ran.length,
      failed: tally.failed.length,
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

  #run(input: string, item: unknown, prepared = this.#prepared): Ran {
    prepared.begin();
    const came = this.#rehearsal.run(input, prepared.run, item);
    // A run begins where the one before it ended: to ask for the time twice would be a twentieth of it.
    const before = this.#ended;
    this.#ended = performance.now();
    const ms = this.#ended - before;
    const error = came.error === undefined ? undefined : errorOf(came.error as FormulaFailure, input);
    return new Ran(input, item, came, error, prepared.lines, ms, this.#draft.kind, prepared.formula.keys);
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
    const tracker = new ReadTracker();
    // By one of its own: what has seen a watched object runs more slowly for good.
    this.#watched ??= new Prepared(this.#held, this.#draft);
    this.#run(input, tracker.watch('', input, item), this.#watched);
    return tracker.reads()[0]?.paths ?? [];
  }

  #other(name: string): Map<string, unknown> {
    return new Map(this.#held.sortedRows(name));
  }
}

function errorOf({sentence, message, line, column}: FormulaFailure, input: string): RowError {
  return {
    message: sentence ?? message,
    ...(line === undefined ? {} : {line}),
    ...(column === undefined ? {} : {column}),
    input,
  };
}
