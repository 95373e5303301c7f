// Work that would hold up everybody else, cut into slices: what comes in between is done between them.

/** Milliseconds of one slice: within a frame there is time for the rest. */
const SLICE = 12;
/** Steps between two looks at the clock, at first and at most, and how long they may take for more of them. */
const FIRST = 4;
const MOST = 16;
const BRIEF = 0.1;

interface SlicedJob {
  readonly steps: Generator<undefined, unknown>;
  readonly done: (value: unknown, took: number) => void;
  readonly failed: (error: unknown) => void;
  took: number;
  /** Steps before the clock is looked at: one may be a row, or a batch of five hundred. */
  pace: number;
}

export class SliceScheduler {
  readonly #jobs: SlicedJob[] = [];
  readonly #after: () => void;
  #running = false;

  /** `after` each slice: what ran in it runs no more. */
  constructor(after: () => void = () => {}) {
    this.#after = after;
  }

  /** Goes on with the steps until they are done; `took` are the milliseconds that they alone took. */
  run<T>(
    steps: Generator<undefined, T>,
    done: (value: T, took: number) => void,
    failed: (error: unknown) => void,
  ): void {
    this.#jobs.push({steps, done: done as SlicedJob['done'], failed, took: 0, pace: FIRST});
    if (this.#running) return;
    this.#running = true;
    // The first slice at once: most searches need no second.
    this.#next();
  }

  #next(): void {
    const job = this.#jobs.shift();
    if (job !== undefined && !this.#slice(job)) this.#jobs.push(job);
    this.#after();
    this.#running = this.#jobs.length > 0;
    if (this.#running) setImmediate(() => this.#next());
  }

  /** True once the job is over. */
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
