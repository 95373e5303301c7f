// Lets the rest of the program have its turn: reconciles that never wait for anything but the cache would
// otherwise run to the last one before a timer fires, and the lease would not be renewed meanwhile.

/** Milliseconds that runs may take without a turn of the event loop. */
const longest = 10;
/** How many runs go by between two looks at the time. */
const every = 32;

export class EventLoopYield {
  #since = performance.now();
  #runs = 0;

  /** True when the event loop has waited long enough. */
  isDue(): boolean {
    if (++this.#runs % every !== 0) return false;
    return performance.now() - this.#since > longest;
  }

  yieldNow(): Promise<void> {
    return new Promise(resolve => {
      setImmediate(() => {
        this.#since = performance.now();
        resolve();
      });
    });
  }
}
