// Work that takes long, cut into steps: whoever does it may let others have their turn in between.

export type IncrementalWork<T> = Generator<undefined, T>;

/** How far it is, from 0 to 1. */
export type ProgressListener = (share: number) => void;

/** For those who have nobody else to answer. */
export function runToEnd<T>(steps: IncrementalWork<T>): T {
  for (;;) {
    const {done, value} = steps.next();
    if (done) return value;
  }
}
