// Delays that a cluster can drop all at once when it stops, and that never keep the process alive.

export class Timers {
  readonly #pending = new Set<NodeJS.Timeout>();

  after(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#pending.delete(timer);
      act();
    }, milliseconds);
    timer.unref();
    this.#pending.add(timer);
  }

  stop(): void {
    for (const timer of this.#pending) clearTimeout(timer);
    this.#pending.clear();
  }
}
