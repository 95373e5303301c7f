// A copy of a session's graph in a confined process of its own. It takes in the objects, follows later changes, and
// answers trials. It has a lower priority than the session's engine process.
import {setPriority} from 'node:os';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {CopyTrial, CopyTrialResult} from '../../link/copy-trial.ts';
import {EngineFailure} from '../../link/engine-link.ts';
import type {FromHost, ToHost} from '../../link/host-messages.ts';
import {EngineProcess} from '../engine-process.ts';
import {HostRequests} from '../host-requests.ts';

/** Changes that a copy may be behind. A slower copy is given up, because its messages would fill main's memory. */
const MAX_BEHIND = 20_000;
/** A copy of 100,000 objects takes its time, and a trial of a namespace runs thousands of formulas in one turn. */
const SILENCE_MS = 60_000;

/** The session comes first. A higher value would starve the copy on a busy machine. */
const NICENESS = 5;

export interface GraphCopyOptions {
  memoryMb: number;
  /** The first messages, up to `replay-end`. */
  messages: Iterable<ToHost> | AsyncIterable<ToHost>;
  /** Called once, when the process has ended for another reason than stop(). */
  onEnd(reason: string): void;
}

export class GraphCopy {
  /** Resolves when the graph is complete. Rejects with EngineFailure. */
  readonly ready: Promise<void>;
  readonly #process: EngineProcess;
  readonly #requests = new HostRequests();
  readonly #onEnd: (reason: string) => void;
  #readiness: {resolve(): void; reject(error: Error): void} | undefined;
  /** Messages of the session that came while the first ones were sent. */
  #waiting: ToHost[] | undefined = [];
  #followed = 0;
  #forwarded = 0;
  #settledThrough = 0;
  #isEnded = false;

  constructor({memoryMb, messages, onEnd}: GraphCopyOptions) {
    this.#onEnd = onEnd;
    this.ready = new Promise((resolve, reject) => {
      this.#readiness = {resolve, reject};
    });
    this.ready.catch(() => {});
    this.#process = new EngineProcess({
      memoryMb,
      silenceMs: SILENCE_MS,
      onMessage: message => this.#take(message),
      onEnd: ({reason}) => this.#end(reason),
    });
    try {
      setPriority(this.#process.pid, NICENESS);
    } catch {
      // The process has just failed to start, or the system does not allow it. It then runs as any other.
    }
    void this.#start(messages);
  }

  /** The process, for tests. */
  get pid(): number {
    return this.#process.pid;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Passes on what the session's engine process got. */
  follow(message: ToHost): void {
    if (this.#isEnded) return;
    if (this.#waiting !== undefined) this.#waiting.push(message);
    else this.#forward(message);
    if (message.type === 'apply') this.#followed += message.ids.length;
    if (this.#followed - this.#settledThrough > MAX_BEHIND)
      this.#process.kill('it could not follow the changes of the session');
  }

  /** The current objects, null for missing ones. */
  async objects(refs: readonly ItemRef[]): Promise<unknown[]> {
    if (refs.length === 0) return [];
    return (await this.#request(id => ({type: 'objects', id, refs}))) as unknown[];
  }

  async try(trial: CopyTrial): Promise<CopyTrialResult> {
    const text = JSON.stringify(trial);
    return (await this.#request(id => ({type: 'what-if', id, trial: text}))) as CopyTrialResult;
  }

  async stop(): Promise<void> {
    this.#isEnded = true;
    this.#fail('it is no longer needed');
    await this.#process.stop();
  }

  async #request(message: (id: number) => ToHost): Promise<unknown> {
    await this.ready;
    if (this.#isEnded) throw createCopyFailure('it has ended');
    return this.#requests.ask(sent => this.#process.send(sent), message);
  }

  async #start(messages: GraphCopyOptions['messages']): Promise<void> {
    try {
      for await (const message of messages) {
        if (this.#isEnded) return;
        this.#process.send(message);
        // Main must answer pages and take in changes between two chunks of objects.
        await nextTurn();
      }
    } catch (error) {
      this.#readiness?.reject(error as Error);
      this.#isEnded = true;
      this.#onEnd((error as Error).message);
      await this.#process.stop();
      return;
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const message of waiting) this.#forward(message);
  }

  /** Numbers the changes anew: their numbers in the session start again with every engine process. */
  #forward(message: ToHost): void {
    if (message.type !== 'apply') {
      this.#process.send(message);
      return;
    }
    const from = this.#forwarded;
    this.#forwarded += message.ids.length;
    this.#process.send({...message, ids: message.ids.map((_, at) => from + at + 1)});
  }

  #take(message: FromHost): void {
    if (this.#requests.take(message)) return;
    if (message.type === 'replayed') this.#readiness?.resolve();
    if (message.type === 'settled') this.#settledThrough = message.through;
  }

  #end(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#fail(reason);
    this.#onEnd(reason);
  }

  #fail(reason: string): void {
    const failure = createCopyFailure(reason);
    this.#readiness?.reject(failure);
    this.#requests.failAll(failure);
  }
}

function createCopyFailure(reason: string): EngineFailure {
  return new EngineFailure({
    code: 'engine-restarting',
    message: `the copy of the graph ended: ${reason}`,
    hint: 'try again; krtscope builds another copy, and the session is not affected',
  });
}
