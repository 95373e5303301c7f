// Decides which engine process comes next, how long it may take, and when it starts.
import type {FromHost} from '../link/host-messages.ts';
import type {ProcessEnd, ReplayLog} from './changes/replay-log.ts';
import type {EngineProcessSettings} from './engine-options.ts';
import {EngineProcess, type EngineProcessEnd} from './engine-process.ts';
import {StandbyProcess} from './standby-process.ts';

const SILENCE_MS = 20_000;
/** The maximum number of times the patience doubles, so that an endless formula is still found. */
const MAX_PATIENCE_DOUBLINGS = 4;
/** The memory of an object in a new engine process, with its derived rows and first runs. */
const OBJECT_KB = 24;
/** The number of times a spare takes in a sample of the objects. */
const WARM_UP_ROUNDS = 3;
const STANDBY_MS = 10_000;
/** A process that ends earlier than this counts as another failure in a row. */
const HEALTHY_MS = 10_000;

interface RestartPolicyCallbacks {
  /** Called for the current process. Messages of a replaced process are dropped. */
  onMessage(message: FromHost): void;
  onEnd(end: EngineProcessEnd): void;
}

export class RestartPolicy {
  readonly #options: EngineProcessSettings;
  readonly #log: ReplayLog;
  readonly #callbacks: RestartPolicyCallbacks;
  readonly #spare: StandbyProcess;
  #engineProcess: EngineProcess | undefined;
  #startedAt = 0;
  #failures = 0;
  /** The number of timeouts in a row. Each doubles the time of the next process. */
  #timeouts = 0;
  #last: Required<ProcessEnd> = {reason: '', slow: false, innocent: false};

  constructor(options: EngineProcessSettings, objects: ReplayLog, callbacks: RestartPolicyCallbacks) {
    this.#options = options;
    this.#log = objects;
    this.#callbacks = callbacks;
    this.#spare = new StandbyProcess({
      afterMs: options.spareMs ?? STANDBY_MS,
      fork: () => this.#fork(true),
      warmUpObjects: () =>
        options.graph === undefined && !options.told ? this.#log.samples(WARM_UP_ROUNDS) : [],
    });
  }

  /** How the last process ended. */
  get last(): Required<ProcessEnd> {
    return this.#last;
  }

  /** How many processes in a row ended soon after their start. */
  get failures(): number {
    return this.#failures;
  }

  /** The spare process, if there is one. */
  get sparePid(): number | undefined {
    return this.#spare.pid;
  }

  /** Starts the next process. `replays` says that it takes in the previous one's objects. */
  next(replays: boolean): EngineProcess {
    this.#startedAt = performance.now();
    const spare = this.#spare.take();
    spare?.wake();
    this.#engineProcess = spare ?? this.#fork(replays);
    return this.#engineProcess;
  }

  prepareStandby(): void {
    this.#spare.prepare();
  }

  /** Milliseconds until the next start. The first restart is immediate; repeated deaths must not load the machine. */
  delayAfter(ending: Required<ProcessEnd>): number {
    const {slow, innocent} = ending;
    this.#last = ending;
    this.#timeouts = slow ? Math.min(MAX_PATIENCE_DOUBLINGS, this.#timeouts + 1) : 0;
    if (!innocent) this.#failures = performance.now() - this.#startedAt > HEALTHY_MS ? 0 : this.#failures + 1;
    return this.#failures <= 1 ? 0 : Math.min(5000, 250 * 2 ** (this.#failures - 2));
  }

  async stop(): Promise<void> {
    await Promise.all([this.#engineProcess?.stop(), this.#spare.stop()]);
  }

  #fork(replays: boolean): EngineProcess {
    const engineProcess: EngineProcess = new EngineProcess({
      memoryMb: this.#options.memoryMb,
      ...(replays ? {heldMb: Math.ceil((this.#log.size * OBJECT_KB) / 1024)} : {}),
      silenceMs: (this.#options.silenceMs ?? SILENCE_MS) * 2 ** this.#timeouts,
      onMessage: message => {
        if (engineProcess === this.#engineProcess) this.#callbacks.onMessage(message);
      },
      onEnd: end => {
        if (!this.#spare.handleEnd(engineProcess)) this.#callbacks.onEnd(end);
      },
    });
    return engineProcess;
  }
}
