// Main's hold on the worker that runs the tests: asks, waits for what it says, and starts it again when a mutant never comes back.
import {Worker} from 'node:worker_threads';
import {usedCpuTime} from './cpu-time.ts';
import type {MutantWorkerData, MutantWorkerRequest, MutantWorkerResponse} from './worker.ts';

/** Loading and first runs take their time on a busy machine. */
const LOADING = 600_000;
/** How often is looked whether the worker still computes within its limit. */
const LOOK = 250;
/** No test waits so long, in milliseconds, with nothing to do. */
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
      // One warning for each start would hide what is printed.
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

  /** How many tests it has. */
  async waitUntilLoaded(): Promise<number> {
    const answer = await this.nextResponse(LOADING);
    if (answer?.type !== 'loaded') throw this.#error ?? new Error('the tests cannot be loaded');
    return answer.tests;
  }

  /**
   * What it says next; undefined if it ends, works for `limit` milliseconds in silence, or waits for what never comes. Time
   * that other programs had the machine does not count: a mutant would be called killed because somebody else was busy.
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
