// Main's side of the archive thread: calls with answers, in order.
import {extname} from 'node:path';
import {Worker} from 'node:worker_threads';
import {EngineFailure} from '../engine/link/engine-link.ts';
import type {
  ArchiveCallName,
  ArchiveCalls,
  ArchiveLimits,
  FromArchiveThread,
  ToArchiveThread,
  WriterStatus,
} from './archive-calls.ts';

interface PendingCall {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class ArchiveThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingCall>();
  readonly #listeners = new Map<string, (status: WriterStatus) => void>();
  readonly #log: (line: string) => void;
  #ids = 0;
  #ended: string | undefined;

  constructor(folder: string, limits: ArchiveLimits, log: (line: string) => void) {
    this.#log = log;
    this.#worker = new Worker(new URL(`./archive-worker${extname(import.meta.url)}`, import.meta.url), {
      workerData: {folder, limits},
      env: {},
      stdin: false,
    });
    this.#worker.on('message', (message: FromArchiveThread) => this.#take(message));
    this.#worker.on('error', (error: Error) => this.#end(`the thread for history ended: ${error.message}`));
    this.#worker.on('exit', () => this.#end('the thread for history has ended'));
    this.#worker.unref();
  }

  call<N extends ArchiveCallName>(
    call: N,
    takes: ArchiveCalls[N]['takes'],
  ): Promise<ArchiveCalls[N]['gives']> {
    if (this.#ended !== undefined) return Promise.reject(failureOf(this.#ended));
    this.#ids += 1;
    const id = this.#ids;
    const message: ToArchiveThread = {id, call, takes};
    return new Promise((resolve, reject) => {
      this.#pending.set(id, {resolve: resolve as (value: unknown) => void, reject});
      this.#worker.postMessage(message);
    });
  }

  /** A call whose answer does not matter: a failing disk is part of the status. */
  tell<N extends ArchiveCallName>(call: N, takes: ArchiveCalls[N]['takes']): void {
    this.call(call, takes).catch((error: Error) => this.#log(error.message));
  }

  /** Reports the state of a recording after each write. */
  onStatus(recording: string, listener: (status: WriterStatus) => void): void {
    this.#listeners.set(recording, listener);
  }

  forget(recording: string): void {
    this.#listeners.delete(recording);
  }

  async stop(): Promise<void> {
    this.#ended = 'krtscope stops';
    await this.#worker.terminate();
  }

  #take(message: FromArchiveThread): void {
    if ('log' in message) this.#log(message.log);
    else if ('status' in message) this.#listeners.get(message.status.recording)?.(message.status);
    else {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if ('failure' in message) pending?.reject(failureOf(message.failure, message.nearest));
      else pending?.resolve(message.gives);
    }
  }

  #end(reason: string): void {
    if (this.#ended === undefined) this.#log(`${reason}; history is in memory only until krtscope restarts`);
    this.#ended ??= reason;
    for (const {reject} of this.#pending.values()) reject(failureOf(reason));
    this.#pending.clear();
    for (const [recording, listener] of this.#listeners)
      listener({recording, range: undefined, bytes: 0, problem: reason});
  }
}

function failureOf(message: string, nearest?: number): EngineFailure {
  if (nearest === undefined)
    return new EngineFailure({
      code: 'bad-query',
      message,
      hint: 'GET /api/v1/recordings lists what is on disk',
    });
  return new EngineFailure({code: 'rolled-off', message, hint: `#${nearest} is the nearest moment`, nearest});
}
