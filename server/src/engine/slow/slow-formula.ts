// One formula over copies of the collections that it reads, in an engine of its own. Each round of changes is one
// batch of that engine; its runs are reported to the engine process.
import type {CompiledFormula} from '../../formula/compile/formula-compiler.ts';
import {SandboxedFormula} from '../../formula/sandbox/sandboxed-formula.ts';
import {type BatchTrace, type Collection, createEngine, proceed, type Run} from '../../krt/index.ts';
import {FormulaAnnouncer} from '../host/formulas/formula-announcer.ts';
import {makeCollection} from '../host/formulas/make-collection.ts';
import {MAX_REPORTED_FETCHES, type SlowRun} from '../host/formulas/slow-run.ts';
import {toRunFunction} from '../host/formulas/user-collections.ts';
import {RowCopies} from '../lab/row-copies.ts';
import type {InstallableFormula} from '../link/commands.ts';
import type {FromSlowProcess, SlowRows, ToSlowProcess} from '../link/slow-lane-messages.ts';

/** Milliseconds of first runs in one batch, so that first results come early. */
const SLICE_MS = 100;
/** Milliseconds between two messages about progress. */
const PROGRESS_MS = 100;

export class SlowFormula {
  readonly #send: (message: FromSlowProcess) => void;
  readonly #announcer: FormulaAnnouncer;
  readonly #engine = createEngine({
    clock: {now: () => performance.timeOrigin + performance.now(), after: () => () => {}},
    checks: 'off',
    firstRuns: 1000,
    firstRunsMilliseconds: SLICE_MS,
  });
  readonly #copies = new RowCopies(this.#engine);
  #order: InstallableFormula | undefined;
  #formula: SandboxedFormula | undefined;
  #isMade = false;
  #parts: SlowRows[] = [];
  #round = 0;
  #runs: SlowRun[] = [];
  /** The results of this batch by input. */
  readonly #results = new Map<string, readonly unknown[]>();
  #runsOfRound = 0;
  #progressAt = 0;

  constructor(send: (message: FromSlowProcess) => void) {
    this.#send = send;
    this.#announcer = new FormulaAnnouncer(message => {
      if (message.type === 'running' || message.type === 'rested') send(message);
    });
    this.#engine.onTrace(trace => this.#note(trace));
  }

  take(message: ToSlowProcess): void {
    if (message.type === 'formula') {
      this.#order = message.formula;
      return;
    }
    this.#parts.push(...message.parts);
    if (!message.isLast) return;
    this.#round = message.round;
    this.#runsOfRound = 0;
    const parts = this.#parts;
    this.#parts = [];
    this.#engine.batch(() => {
      for (const part of parts) this.#copies.take({type: 'rows', ...part});
      if (!this.#isMade) this.#make();
    });
    this.#continue();
  }

  /** One slice in each turn of the event loop, so that results leave in between. */
  #continue(): void {
    const more = proceed(this.#engine);
    this.#announcer.announceRest();
    this.#report(!more);
    if (more) setImmediate(() => this.#continue());
  }

  #make(): void {
    const order = this.#order;
    if (order === undefined) return;
    this.#isMade = true;
    const {name, kind, input, hash} = order;
    const formula = new SandboxedFormula(
      {name, kind, compiled: order.compiled as CompiledFormula},
      this.#copies,
      {
        ...this.#announcer.callbacksFor(name, hash),
        givesFrozen: true,
        hasInput: key => input === undefined || this.#copies.collection(input)?.getKey(key) !== undefined,
      },
    );
    this.#formula = formula;
    const inputs = input === undefined ? [] : [input];
    const run = toRunFunction(formula, {inputs});
    makeCollection(
      this.#engine,
      {name, kind},
      {
        inputs: inputs.map(one => this.#copies.collection(one) as Collection<unknown>),
        run: (ctx, item) => {
          const value = run(ctx, item);
          this.#countRun();
          const rows = value === undefined ? [] : kind === 'many' ? (value as unknown[]) : [value];
          this.#results.set(inputOf(String(ctx), name), rows);
          return value;
        },
        key: row => formula.keys.of(row),
      },
    );
  }

  #countRun(): void {
    this.#runsOfRound += 1;
    const now = performance.now();
    if (now - this.#progressAt < PROGRESS_MS) return;
    this.#progressAt = now;
    this.#send({type: 'progress', runs: this.#runsOfRound});
  }

  #note({runs}: BatchTrace): void {
    for (const run of runs) if (run.collection === this.#order?.name) this.#noteRun(run);
    this.#results.clear();
  }

  #noteRun({input, outcome, error, fetches, causes}: Run): void {
    if (outcome === 'suspended') return;
    const isAccepted = outcome !== 'failed' && outcome !== 'discarded';
    this.#runs.push({
      input,
      rows: isAccepted ? (this.#results.get(input) ?? []) : undefined,
      error,
      fetches: fetches
        .slice(0, MAX_REPORTED_FETCHES)
        .map(({collection, clauses, keys}) => ({collection, clauses, keys})),
      // Positions in this process mean nothing in another one.
      causes: causes.map(({uid: _uid, run: _run, published: _published, ...cause}) => cause),
    });
  }

  #report(isSettled: boolean): void {
    if (this.#runs.length === 0 && !isSettled) return;
    const runs = JSON.stringify(this.#runs);
    this.#runs = [];
    const {runs: count = 0, totalMs = 0, slowestMs = 0} = this.#formula?.cost ?? {};
    const cost = {runs: count, totalMs, slowestMs};
    this.#send({type: 'report', round: this.#round, isSettled, runs, cost});
  }
}

/** The key of the input in the engine's name for a run. */
function inputOf(run: string, collection: string): string {
  return run.slice(collection.length + 1, -1);
}
