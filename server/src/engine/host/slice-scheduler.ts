// Runs long work in slices, so that other work can run in between.

/** Milliseconds of one slice. The rest of a frame stays free for other work. */
const SLICE = 12;
/** The number of steps between two clock reads, at first and at most, and the time that allows more steps. */
const FIRST = 4;
const MOST = 16;
const BRIEF = 0.1;

interface SlicedJob {
  readonly steps: Generator<undefined, unknown>;
  readonly done: (value: unknown, took: number) => void;
  readonly failed: (error: unknown) => void;
  took: number;
  /** Steps before the next clock read. One step may be a row or a batch of five hundred. */
  pace: number;
}

export class SliceScheduler {
  readonly #jobs: SlicedJob[] = [];
  readonly #after: () => void;
  #running = false;

  /** `after` runs at the end of each slice. */
  constructor(after: () => void = () => {}) {
    this.#after = after;
  }

  /** Continues until the steps are done. `took` is the time of the steps alone, in milliseconds. */
  run<T>(
    steps: Generator<undefined, T>,
    done: (value: T, took: number) => void,
    failed: (error: unknown) => void,
  ): void {
    this.#jobs.push({steps, done: done as SlicedJob['done'], failed, took: 0, pace: FIRST});
    if (this.#running) return;
    this.#running = true;
    // The first slice runs at once: most searches need no second one.
    this.#next();
  }

  #next(): void {
    const job = this.#jobs.shift();
    if (job !== undefined && !this.#slice(job)) this.#jobs.push(job);
    this.#after();
    this.#running = this.#jobs.length > 0;
    if (this.#running) setImmediate(() => this.#next());
  }

  /** True when the job is over. */
  #slice(job: SlicedJob): boolean {
    const start = performance.now();
    try {
      let last = start;
      for (let count = 1; ; count++) {
        const {done, value} = job.steps.next();
        if (done) {
          job.done(value, job.took + performance.now() - start);
          return true;
        }
        if (count < job.pace) continue;
        const now = performance.now();
        job.pace = now - last < BRIEF ? Math.min(MOST, job.pace * 2) : 1;
        if (now - start > SLICE) break;
        last = now;
        count = 0;
      }
    } catch (error) {
      job.failed(error);
      return true;
    }
    job.took += performance.now() - start;
    return false;
  }
}
