// Reads everything of one resource once, in the best way that server, link and rights allow: as a stream that goes on as the
// watch, in pages, or one object by its name. Remembers what has failed, so that the next time goes another way.

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
  place: WatchPosition;
  query: ListOptions;
  timeoutSeconds(): number;
  onSeen(seen: number, total?: number): void;
}

export interface ListResult<Entry> {
  entries: Map<string, Entry>;
  version: string;
  /** The content is as of this time, or newer. */
  startedAt: number;
  /** The stream to go on with, when the list was one, or that there is none: it was read by name. */
  next?: OpenStream | 'by name';
}

export class Lister<Entry> {
  readonly #options: ListerOptions<Entry>;
  #streaming: boolean;
  #broken = 0;
  #slow = false;
  #walk: PageWalk<Entry> | undefined;

  constructor(options: ListerOptions<Entry>) {
    this.#options = options;
    this.#streaming = options.reflector.streaming ?? true;
  }

  /** What has come of an unfinished list means nothing any more. */
  forget(): void {
    this.#walk = undefined;
  }

  /** A server that comes back may be another version of itself. */
  startOver(): void {
    this.#streaming = this.#options.reflector.streaming ?? true;
  }

  async list(abort: AbortController): Promise<ListResult<Entry>> {
    const listed = await this.#list(abort);
    this.#broken = 0;
    return listed;
  }

  async #list(abort: AbortController): Promise<ListResult<Entry>> {
    // A stream that keeps breaking before its end, such as one that a server cuts for being slow to read,
    // would never end: pages always make some way.
    if (this.#streaming && this.#broken < 2 && !this.#walk?.canGoOn) {
      const listed = await this.#stream(abort);
      if (listed) return listed;
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
    this.#options.place.paginated = walk.paginated;
    return {entries: walk.entries, version: walk.version, startedAt: walk.startedAt};
  }

  #newWalk(): PageWalk<Entry> {
    const {place, query, onSeen} = this.#options;
    return new PageWalk(query, {
      ...this.#common(),
      pageSize: this.#options.reflector.pageSize,
      version: place.unavailable ? '' : place.version || '0',
      slow: this.#slow,
      paginated: place.paginated,
      onSeen,
    });
  }

  async #stream(abort: AbortController): Promise<ListResult<Entry> | undefined> {
    const {place, query, reflector, timeoutSeconds, onSeen} = this.#options;
    const startedAt = reflector.clock.now();
    try {
      const listed = await streamList(query, {
        ...this.#common(),
        version: place.unavailable ? '' : place.version,
        timeoutSeconds: timeoutSeconds(),
        abort,
        onSeen,
      });
      if (listed === 'not supported') this.#streaming = false;
      this.#slow = listed === 'too slow';
      if (typeof listed === 'string') return undefined;
      const {entries, version, stream, batches, rest} = listed;
      return {entries, version, startedAt, next: {stream, batches, first: rest}};
    } catch (error) {
      if (isExpired(error) || isTooLargeVersion(error)) {
        // The plain list would fail at this version too; both start afresh from the newest.
        if (place.unavailable) throw error;
        place.unavailable = true;
        return undefined;
      }
      // Someone who may list but not watch still gets to see the objects.
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
