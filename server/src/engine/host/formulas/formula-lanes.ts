// Decides for each formula where it runs: in the engine process, or in a process of its own once its runs are slow.
import type {FormulaRunner} from '../../../formula/sandbox/formula-runner.ts';
import type {HandlerContext} from '../../../krt/index.ts';
import type {InstallableFormula} from '../../link/commands.ts';
import type {FormulaCostReport, SlowLaneEvent} from '../../link/slow-lane-messages.ts';
import {SlowLane, type SlowLaneHost, type SlowLaneProgress} from './slow-lane.ts';

/** A process takes 80 MB and its copies of rows. */
export const MAX_SLOW_FORMULAS = 8;

/** A formula's lane, and what its runs cost. */
export interface FormulaLaneFacts {
  readonly lane: 'slow' | 'engine';
  readonly cost: FormulaCostReport;
  readonly progress?: SlowLaneProgress;
  /** It waits because there are too many slow formulas. */
  readonly hasNoProcess: boolean;
}

type RunInEngine = (ctx: HandlerContext, item: unknown) => unknown;

class FormulaLane {
  readonly #lanes: FormulaLanes;
  readonly #order: InstallableFormula;
  readonly #runner: FormulaRunner;
  readonly #runInEngine: RunInEngine;
  #slow: SlowLane | undefined;
  #hasNoProcess = false;
  #isStopped = false;

  constructor(
    lanes: FormulaLanes,
    order: InstallableFormula,
    runner: FormulaRunner,
    runInEngine: RunInEngine,
  ) {
    this.#lanes = lanes;
    this.#order = order;
    this.#runner = runner;
    this.#runInEngine = runInEngine;
    if (order.lane === 'slow') runner.cost.isSlow = true;
  }

  /** The run function of the collection. Even within a batch it stops running once the formula is slow. */
  readonly run = (ctx: HandlerContext, item: unknown): unknown => {
    if (!this.#runner.cost.isSlow) return this.#runInEngine(ctx, item);
    this.#open();
    if (this.#slow !== undefined) return this.#slow.run(ctx, item);
    ctx.discardResult();
    return undefined;
  };

  get isSlow(): boolean {
    return this.#runner.cost.isSlow;
  }

  get facts(): FormulaLaneFacts {
    const {isSlow, runs, totalMs, slowestMs} = this.#runner.cost;
    const own = {runs, totalMs, slowestMs};
    const slow = this.#slow;
    if (!isSlow) return {lane: 'engine', cost: own, hasNoProcess: false};
    const cost = slow === undefined ? own : addCosts(own, slow.cost);
    return {lane: 'slow', cost, progress: slow?.progress, hasNoProcess: this.#hasNoProcess};
  }

  endBatch(synced: boolean): void {
    this.#runner.cost.endBatch();
    if (this.isSlow) this.#open();
    if (synced) this.#slow?.noteSync();
  }

  stop(): void {
    this.#isStopped = true;
    this.#slow?.stop();
    this.#lanes.forget(this, this.#slow);
  }

  #open(): void {
    if (this.#isStopped || this.#slow !== undefined) return;
    this.#slow = this.#lanes.open({...this.#order, lane: 'slow'}, this.#runner);
    this.#hasNoProcess = this.#slow === undefined;
  }
}

export type {FormulaLane};

export class FormulaLanes {
  readonly #host: SlowLaneHost;
  readonly #lanes = new Set<FormulaLane>();
  readonly #slow = new Map<number, SlowLane>();
  #ids = 0;

  constructor(host: SlowLaneHost) {
    this.#host = host;
  }

  add(order: InstallableFormula, runner: FormulaRunner, runInEngine: RunInEngine): FormulaLane {
    const lane = new FormulaLane(this, order, runner, runInEngine);
    this.#lanes.add(lane);
    return lane;
  }

  take(event: SlowLaneEvent): void {
    this.#slow.get(event.lane)?.take(event);
  }

  /** A batch has settled. `synced`: a collection became synced in it. */
  endBatch(synced: boolean): void {
    for (const lane of this.#lanes) lane.endBatch(synced);
  }

  /** Undefined if too many formulas are slow. */
  open(order: InstallableFormula, runner: FormulaRunner): SlowLane | undefined {
    if (this.#slow.size >= MAX_SLOW_FORMULAS) return undefined;
    this.#ids += 1;
    const lane = new SlowLane(this.#ids, order, () => runner.keys, this.#host);
    this.#slow.set(lane.id, lane);
    // A formula may be running now.
    setImmediate(() => this.#host.guard(() => lane.start()));
    return lane;
  }

  forget(lane: FormulaLane, slow: SlowLane | undefined): void {
    this.#lanes.delete(lane);
    if (slow !== undefined) this.#slow.delete(slow.id);
  }
}

const addCosts = (a: FormulaCostReport, b: FormulaCostReport): FormulaCostReport => ({
  runs: a.runs + b.runs,
  totalMs: a.totalMs + b.totalMs,
  slowestMs: Math.max(a.slowestMs, b.slowestMs),
});
