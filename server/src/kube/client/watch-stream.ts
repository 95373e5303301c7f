// One open watch: bytes to events, a batch a chunk, and the timers that notice a peer that is gone without
// saying so. Leaves to the reflector what events mean and what to do after the end.

import type {Readable} from 'node:stream';
import type {Clock} from '../clock.ts';
import {ConnectionError, failureOf, rootMessage} from '../error.ts';
import {isRecord, type WatchEvent} from '../object.ts';
import {LineSplitter} from '../transport/line-splitter.ts';

/** An event that takes longer than this to arrive whole comes over a link that is behind its server. */
const slowLine = 1000;

export interface WatchStreamOptions {
  clock: Clock;
  /** Aborting ends the stream; the reason is thrown to the reader. */
  abort: AbortController;
  /** What the server was asked to keep the stream open for. */
  timeoutSeconds: number;
}

export class WatchStream {
  readonly openedAt: number;
  events = 0;
  readonly #body: Readable;
  readonly #options: WatchStreamOptions;
  #heard: number;
  #bytes = 0;
  #unfinishedSince: number | undefined;
  #behind = false;
  #cancels: (() => void)[] = [];

  constructor(body: Readable, options: WatchStreamOptions) {
    this.#body = body;
    this.#options = options;
    this.openedAt = options.clock.now();
    this.#heard = this.openedAt;
    const {signal} = options.abort;
    const end = () => void body.destroy(new ConnectionError('other', 'watch', 'the watch was ended'));
    signal.addEventListener('abort', end, {once: true});
    this.#cancels.push(() => signal.removeEventListener('abort', end));
    const limit = options.timeoutSeconds * 1000 + 30_000;
    this.#cancels.push(
      options.clock.after(limit, () => this.#stall('the server did not end the watch in time')),
    );
  }

  /** When the last bytes came. */
  get heard(): number {
    return this.#heard;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The link brings events more slowly than the server sends them: one that arrives now may be old, and says
   * nothing about how things stand. Until `caughtUp`.
   */
  get behind(): boolean {
    const since = this.#unfinishedSince;
    if (since !== undefined && this.#options.clock.now() - since > slowLine) this.#behind = true;
    return this.#behind;
  }

  /** Another answer has shown that nothing is on its way. */
  caughtUp(): void {
    this.#behind = false;
  }

  #stall(reason: string): void {
    this.#options.abort.abort(new ConnectionError('timeout', 'watch', reason));
  }

  /**
   * The events, one array for each chunk that completed some. Ends where the server ended it. Throws
   * ConnectionError: stage `watch` for a broken connection (resuming is safe), `decode` for a line that is
   * not a watch event (something was lost, only a list helps).
   */
  async *batches(): AsyncGenerator<WatchEvent[]> {
    const splitter = new LineSplitter();
    try {
      for await (const chunk of this.#body) {
        this.#heard = this.#options.clock.now();
        this.#bytes += (chunk as Buffer).length;
        const events: WatchEvent[] = [];
        for (const line of splitter.push(chunk as Buffer)) events.push(parseEvent(line));
        if (events.length || splitter.unfinished === 0) void this.behind;
        if (splitter.unfinished === 0) this.#unfinishedSince = undefined;
        else if (events.length || this.#unfinishedSince === undefined) this.#unfinishedSince = this.#heard;
        this.events += events.length;
        if (events.length) yield events;
      }
      if (splitter.unfinished)
        throw new ConnectionError('reset', 'watch', 'the stream ended in the middle of an event');
    } catch (error) {
      throw this.#explain(error);
    } finally {
      for (const cancel of this.#cancels) cancel();
      this.#body.destroy();
    }
  }

  #explain(error: unknown): unknown {
    const {signal} = this.#options.abort;
    if (signal.aborted) return signal.reason;
    if (error instanceof ConnectionError) return error;
    if (error instanceof RangeError)
      return new ConnectionError('other', 'decode', error.message, {cause: error});
    return new ConnectionError(failureOf(error), 'watch', rootMessage(error), {cause: error});
  }
}

/** A watch that is being read. */
export interface OpenStream {
  stream: WatchStream;
  batches: AsyncGenerator<WatchEvent[]>;
  /** Events that came in the same chunk as the end of a streaming list. */
  first: WatchEvent[];
}

const types = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

function parseEvent(line: string): WatchEvent {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch (cause) {
    throw new ConnectionError('other', 'decode', `a watch line is not JSON: ${line.slice(0, 60)}`, {cause});
  }
  if (!isRecord(event) || !types.has(String(event.type)) || !isRecord(event.object))
    throw new ConnectionError('other', 'decode', `a watch line is not an event: ${line.slice(0, 60)}`);
  return event as unknown as WatchEvent;
}
