// Collections that wait for their turn, lowest level first, so that upstreams settle before. Within a level
// the order is first in, first out: earlier collections have mostly settled before a formula begins to fetch
// from them.

interface QueuedCollection {
  readonly level: number;
  queued: boolean;
}

/** The queue of one level; the first `taken` are done. */
class TurnLevel<C> {
  readonly cores: (C | null)[] = [];
  count = 0;
  taken = 0;
}

export class TurnQueue<C extends QueuedCollection> {
  readonly #levels: TurnLevel<C>[] = [];
  #low = 0;
  #waiting = 0;
  /** A collection that waits alone needs no queue. */
  #alone: C | null = null;

  get any(): boolean {
    return this.#waiting > 0;
  }

  add(core: C): void {
    core.queued = true;
    if (this.#waiting === 0) {
      this.#alone = core;
      this.#waiting = 1;
      return;
    }
    if (this.#alone !== null) this.#file(this.#alone);
    this.#alone = null;
    this.#file(core);
    this.#waiting++;
  }

  #file(core: C): void {
    const at = core.level;
    while (this.#levels.length <= at) this.#levels.push(new TurnLevel());
    const level = this.#levels[at] as TurnLevel<C>;
    level.cores[level.count++] = core;
    if (at < this.#low) this.#low = at;
  }

  /** The next collection, or null. */
  take(): C | null {
    const alone = this.#alone;
    if (alone !== null) {
      this.#alone = null;
      this.#waiting = 0;
      if (alone.queued) {
        alone.queued = false;
        return alone;
      }
    }
    while (this.#waiting > 0) {
      const level = this.#levels[this.#low] as TurnLevel<C>;
      if (level.taken === level.count) {
        level.taken = 0;
        level.count = 0;
        this.#low++;
        continue;
      }
      const core = level.cores[level.taken] as C;
      level.cores[level.taken++] = null;
      this.#waiting--;
      // It had its turn early, because a formula began to fetch from it.
      if (!core.queued) continue;
      if (core.level === this.#low) {
        core.queued = false;
        return core;
      }
      // Its level was raised meanwhile.
      this.#file(core);
      this.#waiting++;
    }
    return null;
  }
}
