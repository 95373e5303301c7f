// Ends the engine process of a session that nothing feeds, once it was not looked at for a while. The next look starts
// another one, which gets the recording that main keeps.
import {RestoreGate} from './recording/restore-gate.ts';

/** Why a process ended that was not needed. */
export const RESTING = 'it was not needed';

export interface IdleRestOptions {
  /** Milliseconds without a look. */
  afterMs: number;
  /** Work is under way, or a page is open. */
  isBusy(): boolean;
  /** Ends the process. `takeEnd` must be called when it is gone. */
  end(): void;
  start(): void;
}

/** `ending`: the process was told to end. `waking`: the next one starts. */
type Phase = 'up' | 'ending' | 'resting' | 'waking';

export class IdleRest {
  readonly #options: IdleRestOptions;
  readonly #gate = new RestoreGate();
  #phase: Phase = 'up';
  #isAllowed = false;
  #isWanted = false;
  #lookedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleRestOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#phase === 'up';
  }

  allow(isAllowed: boolean): void {
    this.#isAllowed = isAllowed;
    clearTimeout(this.#timer);
    if (!isAllowed) void this.wake();
    else this.#schedule();
  }

  /** A reader is there. Resolves when a process answers, or when it cannot be started. */
  wake(): Promise<void> {
    this.#lookedAt = performance.now();
    if (this.#phase === 'ending') this.#isWanted = true;
    if (this.#phase === 'resting') this.#start();
    return this.#gate.wait();
  }

  get isEnding(): boolean {
    return this.#phase === 'ending';
  }

  /** The process is gone. */
  takeEnd(): void {
    this.#phase = 'resting';
    if (this.#isWanted) this.#start();
  }

  /** A process answers, or readers need not wait for one any longer. */
  up(): void {
    this.#phase = 'up';
    this.#gate.end();
    this.#schedule();
  }

  stop(): void {
    this.#isAllowed = false;
    clearTimeout(this.#timer);
    this.#gate.end();
  }

  #start(): void {
    this.#phase = 'waking';
    this.#isWanted = false;
    this.#options.start();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#isAllowed || this.#phase !== 'up') return;
    const {afterMs, isBusy, end} = this.#options;
    const left = this.#lookedAt + afterMs - performance.now();
    this.#timer = setTimeout(
      () => {
        if (isBusy() || this.#lookedAt + afterMs > performance.now()) return this.#schedule();
        this.#phase = 'ending';
        this.#gate.begin();
        end();
      },
      Math.max(left, afterMs / 10),
    );
    this.#timer.unref();
  }
}
