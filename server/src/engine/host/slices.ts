// Work that would hold up everybody else, cut into slices: what comes in between is done between them.

/** Milliseconds of one slice: within a frame there is time for the rest. */
const SLICE = 12;

interface Job {
  readonly steps: Generator<undefined, unknown>;
  readonly done: (value: unknown, took: number) => void;
  readonly failed: (error: unknown) => void;
  took: number;
}

export class Slices {
  readonly #jobs: Job[] = [];
  #running = false;

  /** Goes on with the steps until they are done; `took` are the milliseconds that they alone took. */
  run<T>(
    steps: Generator<undefined, T>,
    done: (value: T, took: number) => void,
    failed: (error: unknown) => void,
  ): void {
    this.#jobs.push({steps, done: done as Job['done'], failed, took: 0});
    if (this.#running) return;
    this.#running = true;
    // The first slice at once: most searches need no second.
    this.#next();
  }

  #next(): void {
    const job = this.#jobs.shift();
    if (job !== undefined && !this.#slice(job)) this.#jobs.push(job);
    this.#running = this.#jobs.length > 0;
    if (this.#running) setImmediate(() => this.#next());
  }

  /** True once the job is over. */
  #slice(job: Job): boolean {
    const start = performance.now();
    try {
      for (let count = 1; ; count++) {
        const {done, value} = job.steps.next();
        if (done) {
          job.done(value, job.took + performance.now() - start);
          return true;
        }
        if (count % 16 === 0 && performance.now() - start > SLICE) break;
      }
    } catch (error) {
      job.failed(error);
      return true;
    }
    job.took += performance.now() - start;
    return false;
  }
}

/** For those who have nobody else to answer. */
export function allAtOnce<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}
