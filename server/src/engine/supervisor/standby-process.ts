// A spare engine process: it has loaded its code, warmed up on some objects, and waits. Loading and warming up take
// half of a restart's time.
import type {ToHost} from '../link/host-messages.ts';
import type {EngineProcess} from './engine-process.ts';

/** Objects in one message: a few milliseconds of work. */
const WARM_UP_CHUNK = 100;

/** The maximum number of times the wait doubles after lost spares: ten seconds become ten minutes. */
const MAX_DOUBLINGS = 6;

export interface StandbyProcessOptions {
  /** Milliseconds of health until it is started. */
  afterMs: number;
  fork(): EngineProcess;
  /** Objects for the warm-up, if it is worth while. */
  warmUpObjects(): Iterable<[string, string, unknown][]>;
}

export class StandbyProcess {
  readonly #options: StandbyProcessOptions;
  #engineProcess: EngineProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The number of lost spares in a row. */
  #losses = 0;

  constructor(options: StandbyProcessOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#engineProcess?.pid;
  }

  /** Starts a spare after a while, unless there is one. */
  prepare(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        if (this.#engineProcess !== undefined) return;
        const engineProcess = this.#options.fork();
        this.#engineProcess = engineProcess;
        engineProcess.sendInTurns(this.#practice(), () => engineProcess === this.#engineProcess);
      },
      this.#options.afterMs * 2 ** this.#losses,
    );
    this.#timer.unref();
  }

  *#practice(): Iterable<ToHost> {
    for (const objects of this.#options.warmUpObjects()) {
      // Thousands of objects in one text would block main for too long.
      for (let from = 0; from < objects.length; from += WARM_UP_CHUNK) {
        const last = from + WARM_UP_CHUNK >= objects.length;
        yield {type: 'practise', objects: JSON.stringify(objects.slice(from, from + WARM_UP_CHUNK)), last};
      }
    }
  }

  /** Returns the spare, which is then in use. */
  take(): EngineProcess | undefined {
    clearTimeout(this.#timer);
    const engineProcess = this.#engineProcess;
    this.#engineProcess = undefined;
    if (engineProcess !== undefined) this.#losses = 0;
    return engineProcess;
  }

  /** Whether this was the spare. Its end affects no session; another starts after a longer wait. */
  handleEnd(engineProcess: EngineProcess): boolean {
    if (engineProcess !== this.#engineProcess) return false;
    this.#engineProcess = undefined;
    this.#losses = Math.min(this.#losses + 1, MAX_DOUBLINGS);
    this.prepare();
    return true;
  }

  async stop(): Promise<void> {
    await this.take()?.stop();
  }
}
