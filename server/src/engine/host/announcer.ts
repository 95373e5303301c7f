// Tells main which formula is about to run: should this process fall silent or die, main knows whom to blame. One word
// stands for a slice of runs, and the next word, or rest(), ends it.
import type {FromHost} from '../link/messages.ts';

/** Runs under one word at most. */
const SLICE = 500;
/** Milliseconds under one word: many runs that each end are not one that does not. */
const STRETCH = 100;

export class Announcer {
  readonly #send: (message: FromHost) => void;
  #hash: string | undefined;
  #left = 0;
  #since = 0;

  constructor(send: (message: FromHost) => void) {
    this.#send = send;
  }

  /** Before each run. */
  run(formula: string, hash: string): void {
    if (this.#hash === hash && --this.#left > 0 && performance.now() - this.#since < STRETCH) return;
    this.#hash = hash;
    this.#left = SLICE;
    this.#since = performance.now();
    this.#send({type: 'running', formula, hash});
  }

  /** After a read: a function of another one's may have run on the way, and what comes now is not its fault. */
  back(formula: string, hash: string): void {
    if (this.#hash !== hash) this.run(formula, hash);
  }

  /** How a text tells that it runs. */
  of(formula: string, hash: string): {onRun(): void; onBack(): void} {
    return {onRun: () => this.run(formula, hash), onBack: () => this.back(formula, hash)};
  }

  get isBusy(): boolean {
    return this.#hash !== undefined;
  }

  /** No formula runs any more: what comes now is nobody's fault. */
  rest(): void {
    if (this.#hash === undefined) return;
    this.#hash = undefined;
    this.#send({type: 'rested'});
  }
}
