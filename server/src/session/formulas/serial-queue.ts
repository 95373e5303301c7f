// Runs jobs one at a time, in order.
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(job: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(job);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Resolves when the present jobs are done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
