// Decodes one open watch into batches of events, and ends it when the server keeps it open for too long.
// The reflector decides what events mean and what follows the end.

import type {Readable} from 'node:stream';
import type {Clock} from '../clock.ts';
import {ConnectionError, failureOf, rootMessage} from '../error.ts';
import {isRecord, type WatchEvent} from '../object.ts';
import {LineSplitter} from '../transport/line-splitter.ts';

/** When one event takes longer than this to arrive, the link is slower than the server's events. */
const slowLine = 1000;

export interface WatchStreamOptions {
  clock: Clock;
  /** Aborting ends the stream; the reason is thrown to the reader. */
  abort: AbortController;
  /** The request asked the server to keep the stream open for this long. */
  timeoutSeconds: number;
}

export class WatchStream {
  readonly openedAt: number;
  events = 0;
  readonly #body: Readable;
  readonly #options: WatchStreamOptions;
  #lastBytesAt: number;
  #bytes = 0;
  #unfinishedSince: number | undefined;
  #behind = false;
  #cancels: (() => void)[] = [];

  constructor(body: Readable, options: WatchStreamOptions) {
    this.#body = body;
    this.#options = options;
    this.openedAt = options.clock.now();
    this.#lastBytesAt = this.openedAt;
    const {signal} = options.abort;
    const end = () => void body.destroy(new ConnectionError('other', 'watch', 'the watch was ended'));
    signal.addEventListener('abort', end, {once: true});
    this.#cancels.push(() => signal.removeEventListener('abort', end));
    const limit = options.timeoutSeconds * 1000 + 30_000;
    this.#cancels.push(
      options.clock.after(limit, () => this.#stall('the server did not end the watch in time')),
    );
  }

  get lastBytesAt(): number {
    return this.#lastBytesAt;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * True while the link brings events more slowly than the server sends them: an event that arrives now may be
   * old. `caughtUp` ends this.
   */
  get behind(): boolean {
    const since = this.#unfinishedSince;
    if (since !== undefined && this.#options.clock.now() - since > slowLine) this.#behind = true;
    return this.#behind;
  }

  /** Called when another response has shown that no event is on its way. */
  caughtUp(): void {
    this.#behind = false;
  }

  #stall(reason: string): void {
    this.#options.abort.abort(new ConnectionError('timeout', 'watch', reason));
  }

  /**
   * Yields one array of events for each chunk that completes some. Throws ConnectionError: stage `watch` for a
   * broken connection (resuming is safe), `decode` for a line that is not a watch event (only a list helps).
   */
  async *batches(): AsyncGenerator<WatchEvent[]> {
    const splitter = new LineSplitter();
    try {
      for await (const chunk of this.#body) {
        this.#lastBytesAt = this.#options.clock.now();
        this.#bytes += (chunk as Buffer).length;
        const events: WatchEvent[] = [];
        for (const line of splitter.push(chunk as Buffer)) events.push(parseEvent(line));
        if (events.length || splitter.unfinished === 0) void this.behind;
        if (splitter.unfinished === 0) this.#unfinishedSince = undefined;
        else if (events.length || this.#unfinishedSince === undefined)
          this.#unfinishedSince = this.#lastBytesAt;
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

/** A watch whose reading has begun. */
export interface OpenStream {
  stream: WatchStream;
  batches: AsyncGenerator<WatchEvent[]>;
  /** Events from the chunk that also ended a streaming list. */
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
