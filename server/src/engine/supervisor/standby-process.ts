// A second engine process that has loaded its program, tried it on some objects, and waits: loading and first steps
// are half of the time that a dead one is away. It has no part in anything until it takes over.
import type {ToHost} from '../link/host-messages.ts';
import type {EngineProcess} from './engine-process.ts';

/** Objects of one message: a few milliseconds of writing. */
const WARM_UP_CHUNK = 100;

/** Of the wait, where one after the other is lost: ten seconds become ten minutes. */
const MAX_DOUBLINGS = 6;

export interface StandbyProcessOptions {
  /** Milliseconds of health after which it is made. */
  afterMs: number;
  fork(): EngineProcess;
  /** Objects for it to practise on, if that is worth while. */
  warmUpObjects(): Iterable<[string, string, unknown][]>;
}

export class StandbyProcess {
  readonly #options: StandbyProcessOptions;
  #life: EngineProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** In a row. */
  #losses = 0;

  constructor(options: StandbyProcessOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#life?.pid;
  }

  /** All is well: make one in a while, unless there is one. */
  prepare(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        if (this.#life !== undefined) return;
        const life = this.#options.fork();
        this.#life = life;
        life.sendInTurns(this.#practice(), () => life === this.#life);
      },
      this.#options.afterMs * 2 ** this.#losses,
    );
    this.#timer.unref();
  }

  *#practice(): Iterable<ToHost> {
    for (const lesson of this.#options.warmUpObjects()) {
      // Thousands of objects as one text would hold main up for longer than a page may wait.
      for (let from = 0; from < lesson.length; from += WARM_UP_CHUNK) {
        const last = from + WARM_UP_CHUNK >= lesson.length;
        yield {type: 'practise', objects: JSON.stringify(lesson.slice(from, from + WARM_UP_CHUNK)), last};
      }
    }
  }

  /** The one that waits, if there is one. It is no spare any more. */
  take(): EngineProcess | undefined {
    clearTimeout(this.#timer);
    const life = this.#life;
    this.#life = undefined;
    if (life !== undefined) this.#losses = 0;
    return life;
  }

  /** Whether this was the one that waits: its end is nobody's loss, and another one is made, later each time. */
  handleEnd(life: EngineProcess): boolean {
    if (life !== this.#life) return false;
    this.#life = undefined;
    this.#losses = Math.min(this.#losses + 1, MAX_DOUBLINGS);
    this.prepare();
    return true;
  }

  async stop(): Promise<void> {
    await this.take()?.stop();
  }
}
