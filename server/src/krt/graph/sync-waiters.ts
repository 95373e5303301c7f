// Those who wait for something to be synced. One that is answered leaves nothing on its signal.

export class SyncWaiters {
  #waiting: ((synced: boolean) => void)[] = [];

  /** Resolves with what release says, or false if the signal fires first. */
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
        // A signal of the user's own making: those who wait beside it are answered all the same.
      }
    }
  }
}
