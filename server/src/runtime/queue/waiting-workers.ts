// Workers that wait for a key. They are served in the next microtask and not inside the add: keys that are
// added together are then handed out by their order, and a key that is added twice is handed out once.

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

  /** Everyone who waits learns that nothing will come. */
  dismiss(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const taker of waiting) taker(undefined);
  }
}
