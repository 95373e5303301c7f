// Talks to the worker that runs the tests. Restarts the worker when a mutant never returns.
import {Worker} from 'node:worker_threads';
import {usedCpuTime} from './cpu-time.ts';
import type {MutantWorkerData, MutantWorkerRequest, MutantWorkerResponse} from './worker.ts';

/** Loading and the first runs are slow on a busy machine. */
const LOADING = 600_000;
/** Milliseconds between checks of the worker's CPU limit. */
const LOOK = 250;
/** A worker that is idle for this many milliseconds waits for something that never comes. */
const IDLE = 4000;

export class MutantWorkerClient {
  readonly #given: MutantWorkerData;
  #worker: Worker;
  #answers: MutantWorkerResponse[] = [];
  #error: unknown;
  #wake: (() => void) | undefined;

  constructor(given: MutantWorkerData) {
    this.#given = given;
    this.#worker = this.#start();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: this.#given,
      // A warning per start would hide the output.
      execArgv: [...process.execArgv, '--no-warnings'],
      resourceLimits: {maxOldGenerationSizeMb: 1500, stackSizeMb: 4},
    });
    worker.on('message', (answer: MutantWorkerResponse) => {
      this.#answers.push(answer);
      this.#wake?.();
    });
    worker.on('error', error => {
      this.#error = error;
      this.#wake?.();
    });
    return worker;
  }

  /** Returns the number of tests. */
  async waitUntilLoaded(): Promise<number> {
    const answer = await this.nextResponse(LOADING);
    if (answer?.type !== 'loaded') throw this.#error ?? new Error('the tests cannot be loaded');
    return answer.tests;
  }

  /**
   * The worker's next message. Undefined if the worker ends, computes longer than `limit` milliseconds, or
   * waits for something that never comes. Counts CPU time, so that a busy machine does not kill mutants.
   */
  async nextResponse(limit: number): Promise<MutantWorkerResponse | undefined> {
    const work = usedCpuTime();
    const {performance: load} = this.#worker;
    const before = load.eventLoopUtilization();
    while (this.#answers.length === 0 && this.#error === undefined) {
      if (usedCpuTime() - work > limit || load.eventLoopUtilization(before).idle > IDLE) return undefined;
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, LOOK);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#answers.shift();
  }

  ask(ask: MutantWorkerRequest): void {
    this.#worker.postMessage(ask);
  }

  async restart(): Promise<void> {
    await this.end();
    this.#answers = [];
    this.#error = undefined;
    this.#worker = this.#start();
    await this.waitUntilLoaded();
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
