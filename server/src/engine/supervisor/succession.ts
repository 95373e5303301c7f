// What stands over the lives of an engine process: which one comes next, how patient one is with it, and when it may come.
import type {FromHost} from '../link/messages.ts';
import {Life, type LifeEnd} from './life.ts';
import type {Ending, Objects} from './objects.ts';
import type {EngineOptions} from './options.ts';
import {Spare} from './spare.ts';

const SILENCE_MS = 20_000;
/** Twice the patience so many times at most: a formula that never ends must not look like one that takes long for ever. */
const MOST_PATIENT = 4;
/** What an object takes in a new engine process, with everything that is made from it and its first runs. */
const OBJECT_KB = 24;
/** How often a process that waits takes in a sample of the objects. */
const LESSONS = 3;
const SPARE_MS = 10_000;
/** A life shorter than this counts as another failure in a row. */
const HEALTHY_MS = 10_000;

interface Around {
  /** Of whichever process lives; one that has been replaced is not heard any more. */
  onMessage(message: FromHost): void;
  onEnd(end: LifeEnd): void;
}

export class Succession {
  readonly #options: EngineOptions;
  readonly #objects: Objects;
  readonly #around: Around;
  readonly #spare: Spare;
  #life: Life | undefined;
  #born = 0;
  #failures = 0;
  /** How often in a row one was ended for taking long: the next gets twice the time. */
  #slowness = 0;
  #last: Required<Ending> = {reason: '', slow: false, innocent: false};

  constructor(options: EngineOptions, objects: Objects, around: Around) {
    this.#options = options;
    this.#objects = objects;
    this.#around = around;
    this.#spare = new Spare({
      afterMs: options.spareMs ?? SPARE_MS,
      fork: () => this.#fork(true),
      lessons: () => (options.graph === undefined && !options.told ? this.#objects.samples(LESSONS) : []),
    });
  }

  /** How the last process ended. */
  get last(): Required<Ending> {
    return this.#last;
  }

  /** The process that waits to take over, if there is one. */
  get sparePid(): number | undefined {
    return this.#spare.pid;
  }

  /** The next life; `replays`: it takes in what the one before had. */
  next(replays: boolean): Life {
    this.#born = Date.now();
    const spare = this.#spare.take();
    spare?.wake();
    this.#life = spare ?? this.#fork(replays);
    return this.#life;
  }

  prepareSpare(): void {
    this.#spare.prepare();
  }

  /** Milliseconds until the next may come: none the first time, for one that dies again and again must not take the machine with it. */
  ended(ending: Required<Ending>): number {
    const {slow, innocent} = ending;
    this.#last = ending;
    this.#slowness = slow ? Math.min(MOST_PATIENT, this.#slowness + 1) : 0;
    if (!innocent) this.#failures = Date.now() - this.#born > HEALTHY_MS ? 0 : this.#failures + 1;
    return this.#failures <= 1 ? 0 : Math.min(5000, 250 * 2 ** (this.#failures - 2));
  }

  async stop(): Promise<void> {
    await Promise.all([this.#life?.stop(), this.#spare.stop()]);
  }

  #fork(replays: boolean): Life {
    const life: Life = new Life({
      memoryMb: this.#options.memoryMb,
      ...(replays ? {heldMb: Math.ceil((this.#objects.size * OBJECT_KB) / 1024)} : {}),
      silenceMs: (this.#options.silenceMs ?? SILENCE_MS) * 2 ** this.#slowness,
      onMessage: message => {
        if (life === this.#life) this.#around.onMessage(message);
      },
      onEnd: end => {
        if (!this.#spare.lost(life)) this.#around.onEnd(end);
      },
    });
    return life;
  }
}
