// Promises that wait for a sync. A resolved one leaves no listener on its signal.

export class SyncWaiters {
  #waiting: ((synced: boolean) => void)[] = [];

  /** Resolves with the value of release(), or false if the signal fires first. */
  wait(stop: AbortSignal | undefined): Promise<boolean> {
    return new Promise(resolve => {
      const answer = (synced: boolean) => {
        resolve(synced);
        stop?.removeEventListener('abort', abort);
      };
      const abort = () => {
        this.#waiting = this.#waiting.filter(other => other !== answer);
        resolve(false);
      };
      this.#waiting.push(answer);
      stop?.addEventListener('abort', abort, {once: true});
    });
  }

  release(synced: boolean): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const answer of waiting) {
      try {
        answer(synced);
      } catch {
        // A custom signal may throw. The other waits still resolve.
      }
    }
  }
}
