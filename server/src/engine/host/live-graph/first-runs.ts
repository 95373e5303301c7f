// The runs that collections owe before they are synced, one slice a turn of the event loop: heartbeats, questions and
// writes come in between, and how far it has got can be told.

/** Runs of one slice: what the shipped formulas make of so many takes a few tens of milliseconds. */
export const SLICE_RUNS = 500;

export class FirstRuns {
  readonly #proceed: () => boolean;
  #underway = false;
  #done: (() => void)[] = [];

  /** `proceed` makes one slice and says whether any runs are left. */
  constructor(proceed: () => boolean) {
    this.#proceed = proceed;
  }

  /** Goes on until nothing is owed; call it whenever something may be. */
  schedule(): void {
    if (this.#underway) return;
    this.#underway = true;
    setImmediate(() => this.#slice());
  }

  /** Calls back once nothing is owed any more. */
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

/** Does the pieces one by one, a turn of the event loop for each, then calls back. */
export function takeInTurns<T>(pieces: Iterator<T>, take: (piece: T) => void, done: () => void): void {
  const {value, done: over} = pieces.next();
  if (over) {
    done();
    return;
  }
  take(value);
  setImmediate(() => takeInTurns(pieces, take, done));
}
