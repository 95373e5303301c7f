// Delays and pulses that a cluster can drop all at once when it stops, that never keep the process alive, and
// whose failures are told and survived: the demo must not die of one refused write.

export class Timers {
  readonly #pending = new Set<NodeJS.Timeout>();

  after(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#pending.delete(timer);
      survive(act);
    }, milliseconds);
    timer.unref();
    this.#pending.add(timer);
  }

  stop(): void {
    for (const timer of this.#pending) clearTimeout(timer);
    this.#pending.clear();
  }
}

/** Calls again and again; stop it with clearInterval. */
export function pulse(milliseconds: number, act: () => void): NodeJS.Timeout {
  return setInterval(() => survive(act), milliseconds).unref();
}

function survive(act: () => void): void {
  try {
    act();
  } catch (error) {
    process.stderr.write(`cluster: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
