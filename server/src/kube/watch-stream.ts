// One open watch: bytes to events, a batch a chunk, and the timers that notice a peer that is gone without
// saying so. Leaves to the reflector what events mean and what to do after the end.

import type {Readable} from 'node:stream';
import type {Clock} from './clock.ts';
import {ConnectionError, failureOf, rootMessage} from './error.ts';
import {LineSplitter} from './lines.ts';
import {isRecord, type WatchEvent} from './object.ts';

/** Bookmarks come about once a minute; three of them missing means that nobody is there. */
const silence = 180_000;

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
  #bookmarks = false;
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

  /** From here on a long silence counts as a dead connection. */
  expectBookmarks(): void {
    if (this.#bookmarks) return;
    this.#bookmarks = true;
    this.#listen(silence);
  }

  #listen(ms: number): void {
    const cancel = this.#options.clock.after(ms, () => {
      const left = this.#heard + silence - this.#options.clock.now();
      if (left > 0) this.#listen(left);
      else this.#stall(`nothing was heard for ${silence / 60_000} minutes`);
    });
    this.#cancels[2] = cancel;
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
        const events: WatchEvent[] = [];
        for (const line of splitter.push(chunk as Buffer)) events.push(parseEvent(line));
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
