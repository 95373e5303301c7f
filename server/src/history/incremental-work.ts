// Long work in steps, so that other work can run in between.

export type IncrementalWork<T> = Generator<undefined, T>;

/** The progress, from 0 to 1. */
export type ProgressListener = (share: number) => void;

/** Runs all steps at once, where no other work waits. */
export function runToEnd<T>(steps: IncrementalWork<T>): T {
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}
