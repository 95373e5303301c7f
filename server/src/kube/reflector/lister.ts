// Lists one resource in the best way that server, link and permissions allow: as a stream, in pages, or by name.
// It remembers which ways failed, so that the next list takes another one.

import type {DynamicClientReader, ListOptions} from '../client/dynamic-client.ts';
import type {OpenStream} from '../client/watch-stream.ts';
import {isApiError, isExpired, isTooLargeVersion} from '../error.ts';
import {PageWalk, streamList} from './list-methods.ts';
import type {ReflectorOptions, ReflectorSink} from './reflector-sink.ts';
import type {WatchPosition} from './watch-position.ts';

export interface ListerOptions<Entry> {
  reflector: ReflectorOptions;
  client: DynamicClientReader;
  sink: ReflectorSink<Entry>;
  position: WatchPosition;
  query: ListOptions;
  timeoutSeconds(): number;
  onSeen(seen: number, total?: number): void;
}

export interface ListResult<Entry> {
  entries: Map<string, Entry>;
  version: string;
  /** The entries are from this time or newer. */
  startedAt: number;
  /** The stream that continues as the watch, or `by name` when the object cannot be watched. */
  next?: OpenStream | 'by name';
}

export class Lister<Entry> {
  readonly #options: ListerOptions<Entry>;
  #streaming: boolean;
  #broken = 0;
  #slow = false;
  #walk: PageWalk<Entry> | undefined;
  #pagesNext = false;

  constructor(options: ListerOptions<Entry>) {
    this.#options = options;
    this.#streaming = options.reflector.streaming ?? true;
  }

  /** Drops an unfinished list. */
  forget(): void {
    this.#walk = undefined;
  }

  /** Reads the next list in pages: a proxy that drops events would spoil a streaming list too. */
  usePagesNext(): void {
    this.#pagesNext = true;
  }

  /** Tries streaming again, because a server that returns may have been upgraded. */
  startOver(): void {
    this.#streaming = this.#options.reflector.streaming ?? true;
  }

  async list(abort: AbortController): Promise<ListResult<Entry>> {
    const result = await this.#list(abort);
    this.#broken = 0;
    return result;
  }

  async #list(abort: AbortController): Promise<ListResult<Entry>> {
    // A server may cut a stream that is slow to read, again and again. Pages always make progress.
    if (this.#streaming && this.#broken < 2 && !this.#pagesNext && !this.#walk?.canGoOn) {
      const result = await this.#stream(abort);
      if (result) return result;
    }
    if (!this.#walk?.canGoOn) this.#walk = this.#newWalk();
    const walk = this.#walk;
    try {
      await walk.run(abort.signal);
    } catch (error) {
      const {name} = this.#options.reflector;
      if (!isApiError(error, 403) || name === undefined) throw error;
      return this.#getByName(name, abort.signal);
    }
    this.#walk = undefined;
    this.#pagesNext = false;
    this.#options.position.paginated = walk.paginated;
    return {entries: walk.entries, version: walk.version, startedAt: walk.startedAt};
  }

  #newWalk(): PageWalk<Entry> {
    const {position, query, onSeen} = this.#options;
    return new PageWalk(query, {
      ...this.#common(),
      pageSize: this.#options.reflector.pageSize,
      version: position.unavailable ? '' : position.version || '0',
      slow: this.#slow,
      paginated: position.paginated,
      onSeen,
    });
  }

  async #stream(abort: AbortController): Promise<ListResult<Entry> | undefined> {
    const {position, query, reflector, timeoutSeconds, onSeen} = this.#options;
    const startedAt = reflector.clock.now();
    try {
      const result = await streamList(query, {
        ...this.#common(),
        version: position.unavailable ? '' : position.version,
        timeoutSeconds: timeoutSeconds(),
        abort,
        onSeen,
      });
      if (result === 'not supported') this.#streaming = false;
      this.#slow = result === 'too slow';
      if (typeof result === 'string') return undefined;
      const {entries, version, stream, batches, rest} = result;
      return {entries, version, startedAt, next: {stream, batches, first: rest}};
    } catch (error) {
      if (isExpired(error) || isTooLargeVersion(error)) {
        // A list in pages would fail at this version too. Both start again from the newest version.
        if (position.unavailable) throw error;
        position.unavailable = true;
        return undefined;
      }
      // A user may have permission to list but not to watch.
      if (isApiError(error, 403)) return undefined;
      this.#broken++;
      throw error;
    }
  }

  async #getByName(name: string, signal: AbortSignal): Promise<ListResult<Entry>> {
    const {sink, client, reflector} = this.#options;
    const {resource, namespace, clock} = reflector;
    const startedAt = clock.now();
    const entries = new Map<string, Entry>();
    try {
      const entry = sink.prepare(await client.get(resource, {namespace, name}, {signal}));
      entries.set(sink.keyOf(entry), entry);
    } catch (error) {
      if (!isApiError(error, 404)) throw error;
    }
    return {entries, version: '', startedAt, next: 'by name'};
  }

  #common() {
    const {client, sink, reflector} = this.#options;
    return {client, sink, resource: reflector.resource, clock: reflector.clock};
  }
}
