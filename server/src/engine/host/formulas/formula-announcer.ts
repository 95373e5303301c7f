// Tells main which formula is about to run, so that main knows the culprit if this process hangs or dies. One message
// covers a slice of runs. The next message or announceRest() ends it.
import type {FromHost} from '../../link/host-messages.ts';

/** The maximum number of runs under one message. */
const ANNOUNCED_RUNS = 500;
/** Milliseconds under one message. Many short runs must not look like one endless run. */
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

  /** Call it after a read: the read may have run another formula, and announced that one. */
  announceReturn(formula: string, hash: string): void {
    if (this.#hash !== hash) this.announceRun(formula, hash);
  }

  /** The callbacks that a formula's text calls around its runs. */
  callbacksFor(formula: string, hash: string): {onRun(): void; onFetchEnd(): void} {
    return {
      onRun: () => this.announceRun(formula, hash),
      onFetchEnd: () => this.announceReturn(formula, hash),
    };
  }

  get isBusy(): boolean {
    return this.#hash !== undefined;
  }

  /** No formula runs any more, so no formula is to blame for what happens next. */
  announceRest(): void {
    if (this.#hash === undefined) return;
    this.#hash = undefined;
    this.#send({type: 'rested'});
  }
}
