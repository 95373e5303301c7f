// What the runs of one formula cost. CPU time decides, because a run on a busy machine also waits for its turn.

/** A run of more CPU time than this is slow. */
const SLOW_RUN_MS = 50;
/** One slow run may be a garbage collection, unless it took this long. */
const CERTAINLY_SLOW_MS = 200;
/** All runs of one batch together. */
const SLOW_BATCH_MS = 100;
/** Runs below this are ordinary, however many inputs one batch has. */
const ORDINARY_RUN_MS = 0.2;
/** Reading CPU time takes a microsecond, so a sample serves all runs of this time. */
const SAMPLE_MS = 5;

// Bound now: the sandbox removes it from `process` later.
const threadCpuUsage = process.threadCpuUsage.bind(process);
const cpuNow = (): number => {
  const {user, system} = threadCpuUsage();
  return (user + system) / 1000;
};

/** The last sample of CPU time in this process. */
const sample = {at: Number.NEGATIVE_INFINITY, cpu: 0};
/** Milliseconds of runs inside the run under way: a fetch may run other formulas. */
let nested = 0;

export interface RunStart {
  readonly at: number;
  readonly outerNested: number;
}

export class FormulaCost {
  runs = 0;
  totalMs = 0;
  slowestMs = 0;
  isSlow = false;
  #slowRuns = 0;
  #batchRuns = 0;
  #batchMs = 0;
  #batchAt = 0;
  #batchCpu = 0;

  begin(): RunStart {
    const at = performance.now();
    if (at - sample.at > SAMPLE_MS) {
      sample.at = at;
      sample.cpu = cpuNow();
    }
    if (this.#batchRuns === 0) {
      this.#batchAt = at;
      this.#batchCpu = sample.cpu;
    }
    const outerNested = nested;
    nested = 0;
    return {at, outerNested};
  }

  end({at, outerNested}: RunStart): void {
    const passed = performance.now() - at;
    let own = Math.max(0, passed - nested);
    nested = outerNested + passed;
    if (own > SLOW_RUN_MS) own = Math.min(own, Math.max(0, cpuNow() - sample.cpu - (at - sample.at)));
    this.runs += 1;
    this.totalMs += own;
    if (own > this.slowestMs) this.slowestMs = own;
    if (own > SLOW_RUN_MS) this.#slowRuns += 1;
    this.#batchRuns += 1;
    this.#batchMs += own;
    if (this.#slowRuns > 1 || own > CERTAINLY_SLOW_MS || this.#isBatchSlow()) this.isSlow = true;
  }

  /** Call it when a batch has settled. */
  endBatch(): void {
    this.#batchRuns = 0;
    this.#batchMs = 0;
  }

  #isBatchSlow(): boolean {
    if (this.#batchMs <= SLOW_BATCH_MS || this.#batchMs / this.#batchRuns <= ORDINARY_RUN_MS) return false;
    const passed = performance.now() - this.#batchAt;
    return (this.#batchMs * (cpuNow() - this.#batchCpu)) / passed > SLOW_BATCH_MS;
  }
}
