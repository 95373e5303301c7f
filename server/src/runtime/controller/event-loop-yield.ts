// Yields to the event loop between reconciles. Reconciles that only read the cache never wait, so without this no
// timer would fire until the queue is empty, and the lease would not be renewed.

/** Milliseconds of reconciles between two turns of the event loop. */
const longest = 10;
/** Reconciles between two checks of the time. */
const every = 32;

export class EventLoopYield {
  #since = performance.now();
  #runs = 0;

  /** True when it is time to yield. */
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
