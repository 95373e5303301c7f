// Makes the runs that collections need before they are synced, one slice for each turn of the event loop. Heartbeats,
// questions and writes run between the slices.

/** The number of runs in one slice, and its milliseconds: a slow formula makes fewer runs in a slice. */
export const SLICE_RUNS = 500;
export const SLICE_MS = 20;

export class FirstRuns {
  readonly #proceed: () => boolean;
  #underway = false;
  #done: (() => void)[] = [];

  /** `proceed` makes one slice and returns whether any runs are left. */
  constructor(proceed: () => boolean) {
    this.#proceed = proceed;
  }

  /** Continues until no runs are left. Call it whenever there may be new ones. */
  schedule(): void {
    if (this.#underway) return;
    this.#underway = true;
    setImmediate(() => this.#slice());
  }

  /** Calls back when no runs are left. */
  whenDone(call: () => void): void {
    this.#done.push(call);
    this.schedule();
  }

  #slice(): void {
    this.#underway = false;
    if (this.#proceed()) {
      this.schedule();
      return;
    }
    const done = this.#done;
    this.#done = [];
    for (const call of done) call();
  }
}

/** Handles the pieces one by one, each in a turn of the event loop, then calls back. */
export function takeInTurns<T>(pieces: Iterator<T>, take: (piece: T) => void, done: () => void): void {
  const {value, done: over} = pieces.next();
  if (over) {
    done();
    return;
  }
  take(value);
  setImmediate(() => takeInTurns(pieces, take, done));
}
