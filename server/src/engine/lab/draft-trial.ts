// Tries one draft: runs it over the wanted inputs in slices, and notes each run.
import type {PreviewRow, RowError} from '@krtscope/shared/formulas.ts';
import {ReadTracker} from '../../explain/evidence/read-tracker.ts';
import type {FormulaFailure} from '../../formula/sandbox/formula-failure.ts';
import {Rehearsal} from '../../krt/index.ts';
import type {LabDraft, LabDraftResult} from '../link/lab-messages.ts';
import {runDraftChecks} from './draft-checks.ts';
import {DraftRun} from './draft-run.ts';
import {DraftRunTotals} from './draft-run-totals.ts';
import {PreparedDraft} from './prepared-drafts.ts';
import type {LabRow, RowCopies} from './row-copies.ts';
import {compareWithShadow} from './shadow-comparison.ts';

/** Default number of rows in an answer. */
const DEFAULT_ROWS = 100;
/** Runs after one message to main, once the first runs have shown that the draft ends. */
const SLICE = 500;
const SINGLE_RUNS = 100;
/**
 * A draft over all rows stops after this time and shows its results so far. With one more run it stays under two
 * seconds.
 */
const BUDGET_MS = 1100;
/** The number of rows whose reads are shown. */
const MAX_TRACKED_ROWS = 20;

const NOTHING = 'static';

export interface TrialProgress {
  /** The next input, and the number of further runs before the next message. */
  running(input: string, more: number): void;
}

/** Throws if the draft as a whole is wrong. */
export function tryDraft(copies: RowCopies, draft: LabDraft, progress: TrialProgress): LabDraftResult {
  return new LabDraftTrial(copies, draft).run(progress);
}

class LabDraftTrial {
  readonly #copies: RowCopies;
  readonly #draft: LabDraft;
  readonly #prepared: PreparedDraft;
  readonly #rehearsal: Rehearsal;
  #watched: PreparedDraft | undefined;
  /** The end of the last run. */
  #ended = 0;

  constructor(copies: RowCopies, draft: LabDraft) {
    this.#copies = copies;
    this.#draft = draft;
    this.#prepared = copies.drafts.of(draft);
    this.#rehearsal = new Rehearsal(copies.engine, draft.name);
  }

  run(progress: TrialProgress): LabDraftResult {
    const all = this.#all();
    const chosen = this.#chosen(all);
    const deadline = performance.now() + BUDGET_MS;
    const ran: DraftRun[] = [];
    while (ran.length < chosen.length && performance.now() < deadline) {
      const from = ran.length;
      const to = Math.min(chosen.length, from + (from < SINGLE_RUNS ? 1 : SLICE));
      progress.running(chosen[from]?.[0] ?? '', to - from - 1);
      this.#ended = performance.now();
      for (let i = from; i < to; i++) {
        const entry = chosen[i] as LabRow;
        ran.push(this.#run(entry[0], entry[1]));
      }
    }
    const tally = new DraftRunTotals(ran);
    const checks = runDraftChecks(tally, {
      kind: this.#draft.kind,
      total: all.length,
      again: ({input, item}) => {
        progress.running(input, 0);
        return this.#run(input, item).items;
      },
      sizeOf: name => this.#copies.collection(name)?.list().length ?? 0,
      stopped: ran.length < chosen.length,
    });
    const {keys, limit = DEFAULT_ROWS} = this.#draft;
    const shown = keys === undefined ? tally.first(limit) : ran;
    return {
      rows: shown.map((one, i) => {
        const withReads = i < MAX_TRACKED_ROWS && performance.now() < deadline + BUDGET_MS;
        if (withReads) progress.running(one.input, 0);
        return this.#row(one, withReads);
      }),
      total: all.length,
      tried: ran.length,
      failed: tally.failed.length,
      isSlow: this.#prepared.formula.cost.isSlow,
      checks,
      ...(this.#draft.shadow === undefined
        ? {}
        : {shadow: compareWithShadow(ran, this.#other(this.#draft.shadow))}),
    };
  }

  #all(): readonly LabRow[] {
    const {input, kind} = this.#draft;
    if (input === undefined || kind === 'singleton') return [[NOTHING, undefined]];
    return this.#copies.sortedRows(input);
  }

  #chosen(all: readonly LabRow[]): readonly LabRow[] {
    const {keys, limit, shadow, all: every} = this.#draft;
    if (keys !== undefined) {
      const byKey = new Map(all);
      return keys.filter(key => byKey.has(key)).map(key => [key, byKey.get(key)]);
    }
    return limit === undefined || every || shadow !== undefined ? all : all.slice(0, limit);
  }

  #run(input: string, item: unknown, prepared = this.#prepared): DraftRun {
    prepared.begin();
    const came = this.#rehearsal.run(input, prepared.run, item);
    // Only single runs decide here: a later batch may wake fewer inputs.
    prepared.formula.cost.endBatch();
    // A run begins at the end of the previous one: a second clock read would cost 5 % of the time.
    const before = this.#ended;
    this.#ended = performance.now();
    const ms = this.#ended - before;
    const error = came.error === undefined ? undefined : toRowError(came.error as FormulaFailure, input);
    return new DraftRun(
      input,
      item,
      came,
      error,
      prepared.lines,
      ms,
      this.#draft.kind,
      prepared.formula.keys,
    );
  }

  #row(ran: DraftRun, withReads: boolean): PreviewRow {
    const {input, items, error, waitingFor, discarded, fetches, lines, ms} = ran;
    const reads = withReads && this.#draft.kind !== 'singleton' ? this.#reads(ran) : undefined;
    return {
      input,
      items: [...items],
      error,
      waitingFor,
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
      reads,
      ms,
    };
  }

  #reads({input, item}: DraftRun): string[] {
    if (typeof item !== 'object' || item === null) return [];
    const tracker = new ReadTracker();
    // Uses a runner of its own: V8 runs code more slowly once it has seen a proxy.
    this.#watched ??= new PreparedDraft(this.#copies, this.#draft);
    this.#run(input, tracker.watch('', input, item), this.#watched);
    return tracker.reads()[0]?.paths ?? [];
  }

  #other(name: string): Map<string, unknown> {
    return new Map(this.#copies.sortedRows(name));
  }
}

function toRowError({sentence, message, line, column}: FormulaFailure, input: string): RowError {
  return {
    message: sentence ?? message,
    line,
    column,
    input,
  };
}
