// Runnables that start and stop together.

import type {Runnable} from './runnable.ts';

interface RunnableGroupMember {
  runnable: Pick<Runnable, 'start'>;
  /** Resolves when the next group may start. Absent: the next group starts at once. */
  ready: ((signal: AbortSignal) => Promise<void>) | undefined;
}

export class RunnableGroup {
  readonly name: string;
  readonly #onError: (error: unknown) => void;
  readonly #stop = new AbortController();
  readonly #members: RunnableGroupMember[] = [];
  readonly #running = new Set<Promise<void>>();
  #started = false;

  constructor(name: string, onError: (error: unknown) => void) {
    this.name = name;
    this.#onError = onError;
  }

  /** Starts the member at once if the group has started. */
  add(member: RunnableGroupMember): void {
    if (this.#stop.signal.aborted)
      throw new Error(`can't accept new runnable: the stop procedure is already engaged (${this.name})`);
    this.#members.push(member);
    if (this.#started) void this.#begin(member);
  }

  /** Starts all members. Resolves when they are ready or `signal` aborts. */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#started || this.#stop.signal.aborted) return;
    this.#started = true;
    const ready = Promise.all([...this.#members].map(member => this.#begin(member)));
    await untilAborted(ready, signal);
  }

  /** Prevents a start of this group. */
  prevent(): void {
    this.#started = true;
  }

  /** Stops all members and waits for their end. */
  async stop(): Promise<void> {
    this.#stop.abort();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Resolves when the member is ready or has failed. `onError` handles a failure. */
  async #begin({runnable, ready}: RunnableGroupMember): Promise<void> {
    const {signal} = this.#stop;
    const run = (async () => {
      try {
        await runnable.start(signal);
      } catch (error) {
        this.#onError(error);
      }
    })();
    this.#running.add(run);
    void run.then(() => this.#running.delete(run));
    if (!ready) return;
    try {
      await ready(signal);
    } catch (error) {
      if (!signal.aborted) this.#onError(error);
    }
  }
}

/** Also resolves when the signal aborts. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const abort = () => resolve(undefined);
    signal.addEventListener('abort', abort, {once: true});
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), {once: true}));
}
