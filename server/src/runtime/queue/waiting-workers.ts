// Workers that wait for a key. They receive keys in the next microtask, so that keys that are added together are
// sorted first, and a key that is added twice runs once.

import type {QueueItem} from './queue.ts';

type WorkerCallback = (item: QueueItem | undefined) => void;

export class WaitingWorkers {
  readonly #take: () => QueueItem | undefined;
  #waiting: WorkerCallback[] = [];
  #serving = false;

  constructor(take: () => QueueItem | undefined) {
    this.#take = take;
  }

  wait(): Promise<QueueItem | undefined> {
    return new Promise(resolve => {
      this.#waiting.push(resolve);
      this.wake();
    });
  }

  wake(): void {
    if (this.#serving || this.#waiting.length === 0) return;
    this.#serving = true;
    queueMicrotask(() => {
      this.#serving = false;
      while (this.#waiting.length > 0) {
        const item = this.#take();
        if (!item) break;
        this.#waiting.shift()!(item);
      }
    });
  }

  /** Ends all waits without a key. */
  dismiss(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const taker of waiting) taker(undefined);
  }
}
