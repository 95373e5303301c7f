// Tells main which formula is about to run: should this process fall silent or die, main knows whom to blame. One word
// stands for a slice of runs, and the next word, or rest(), ends it.
import type {FromHost} from '../../link/host-messages.ts';

/** Runs under one word at most. */
const ANNOUNCED_RUNS = 500;
/** Milliseconds under one word: many runs that each end are not one that does not. */
const SLICE_MS = 100;

export class FormulaAnnouncer {
  readonly #send: (message: FromHost) => void;
  #hash: string | undefined;
  #left = 0;
  #since = 0;

  constructor(send: (message: FromHost) => void) {
    this.#send = send;
  }

  /** Before each run. */
  announceRun(formula: string, hash: string): void {
    if (this.#hash === hash && --this.#left > 0 && performance.now() - this.#since < SLICE_MS) return;
    this.#hash = hash;
    this.#left = ANNOUNCED_RUNS;
    this.#since = performance.now();
    this.#send({type: 'running', formula, hash});
  }

  /** After a read: a function of another one's may have run on the way, and what comes now is not its fault. */
  announceReturn(formula: string, hash: string): void {
    if (this.#hash !== hash) this.announceRun(formula, hash);
  }

  /** How a text tells that it runs. */
  callbacksFor(formula: string, hash: string): {onRun(): void; onBack(): void} {
    return {onRun: () => this.announceRun(formula, hash), onBack: () => this.announceReturn(formula, hash)};
  }

  get isBusy(): boolean {
    return this.#hash !== undefined;
  }

  /** No formula runs any more: what comes now is nobody's fault. */
  announceRest(): void {
    if (this.#hash === undefined) return;
    this.#hash = undefined;
    this.#send({type: 'rested'});
  }
}
