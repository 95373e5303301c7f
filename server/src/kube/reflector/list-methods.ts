// The two ways to read everything: as a stream that ends with a bookmark and goes on as the watch, or in
// pages of 500. Both prepare objects as they come, so that what the sink drops never piles up.

import type {DynamicClientReader, ListOptions} from '../client/dynamic-client.ts';
import {WatchStream} from '../client/watch-stream.ts';
import type {Clock} from '../clock.ts';
import {
  ApiError,
  ConnectionError,
  errorOfStatus,
  isApiError,
  isExpired,
  isTooLargeVersion,
} from '../error.ts';
import {isStatus, type KubeList, type KubeObject, type WatchEvent} from '../object.ts';
import {apiVersionOf, type Resource} from '../resource.ts';

interface EntryPreparation<Entry> {
  prepare(object: KubeObject): Entry;
  keyOf(entry: Entry): string;
}

export interface PagesOptions<Entry> {
  client: DynamicClientReader;
  resource: Resource;
  clock: Clock;
  sink: EntryPreparation<Entry>;
  pageSize?: number | undefined;
  /** `''` the newest, `'0'` whatever the server has at hand, else at least as new as this. */
  version: string;
  /** A stream has shown that the link is slow: small pages, compressed, each of which is kept. */
  slow: boolean;
  /** An earlier list came in pages, so the server does not answer from its cache anyway. */
  paginated: boolean;
  onSeen(seen: number, total?: number): void;
}

/** A page that takes longer than this is asked for in smaller ones: each that arrives is kept. */
const longPage = 10_000;
const smallestPage = 20;
const slowPage = 100;
/** Servers forget a list they have begun to give after five minutes or so. */
const tokenValidFor = 240_000;

/** One list in pages. What has come is kept when it breaks off: `run` goes on where it was. */
export class PageWalk<Entry> {
  readonly entries = new Map<string, Entry>();
  readonly #query: ListOptions;
  readonly #options: PagesOptions<Entry>;
  /** The content is as of this time, or newer. */
  startedAt: number;
  version = '';
  paginated: boolean;
  #asked: string;
  #limit: number | undefined;
  #next: string | undefined;

  constructor(query: ListOptions, options: PagesOptions<Entry>) {
    this.#query = query;
    this.#options = options;
    // What a server has at hand it gives as one page: over a slow link that would be lost whole.
    this.#asked = options.slow && options.version === '0' ? '' : options.version;
    this.paginated = options.paginated;
    const fresh = this.#asked === '' || this.#asked === '0';
    this.#limit = options.pageSize ?? (fresh || options.paginated ? pageOf(options) : undefined);
    this.startedAt = options.clock.now();
  }

  /** Whether going on is worth a try: some pages are there, and the server may still know the rest. */
  get canGoOn(): boolean {
    return this.#next !== undefined && this.#options.clock.now() - this.startedAt < tokenValidFor;
  }

  /** To the end. A version that the server no longer (or not yet) has becomes a list of the newest. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#next === undefined) await this.#first(signal);
    while (this.#next) {
      try {
        this.#take(await this.#page({limit: this.#limit, continue: this.#next}, signal));
      } catch (error) {
        if (!isExpired(error)) throw error;
        // The snapshot is gone in the middle: all at once, so that it cannot happen again.
        await this.#whole(signal);
      }
    }
  }

  async #first(signal: AbortSignal): Promise<void> {
    this.startedAt = this.#options.clock.now();
    const list = await this.#orNewest(() => {
      if (this.#asked === '') this.#limit ??= 500;
      return this.#page({limit: this.#limit, resourceVersion: this.#asked || undefined}, signal);
    });
    this.version = list.metadata?.resourceVersion ?? '';
    this.#take(list);
    this.paginated ||= this.#asked === '0' && Boolean(this.#next);
  }

  async #whole(signal: AbortSignal): Promise<void> {
    this.startedAt = this.#options.clock.now();
    this.#next = undefined;
    const list = await this.#orNewest(() => this.#page({resourceVersion: this.#asked || undefined}, signal));
    this.entries.clear();
    this.version = list.metadata?.resourceVersion ?? '';
    this.#take(list);
  }

  /** Asks at the version that is wanted; once more for the newest where the server does not have it. */
  async #orNewest(ask: () => Promise<KubeList>): Promise<KubeList> {
    try {
      return await ask();
    } catch (error) {
      if (this.#asked === '' || !(isExpired(error) || isTooLargeVersion(error))) throw error;
      this.#asked = '';
      return ask();
    }
  }

  async #page(params: Partial<ListOptions>, signal: AbortSignal): Promise<KubeList> {
    const {client, resource, clock} = this.#options;
    const began = clock.now();
    const compress = this.#options.slow || undefined;
    const list = await client.list(resource, {...this.#query, ...params, signal, retries: 0, compress});
    if (clock.now() - began > longPage && this.#limit) this.#limit = Math.max(smallestPage, this.#limit >> 1);
    return list;
  }

  #take(list: KubeList): void {
    addPage(list, this.entries, this.#options);
    this.#next = list.metadata?.continue || undefined;
    const rest = list.metadata?.remainingItemCount;
    this.#options.onSeen(this.entries.size, rest === undefined ? undefined : this.entries.size + rest);
  }
}

function pageOf({slow}: {slow: boolean}): number {
  return slow ? slowPage : 500;
}

function addPage<Entry>(list: KubeList, entries: Map<string, Entry>, options: PagesOptions<Entry>): void {
  if (!Array.isArray(list?.items) || list.kind === 'Table')
    throw new ConnectionError(
      'other',
      'decode',
      `a list of ${options.resource.plural} came as ${list?.kind ?? 'something else'}`,
    );
  const apiVersion = apiVersionOf(options.resource);
  const {kind} = options.resource;
  for (const item of list.items) {
    // Items of built-in kinds come without these two, watch events with them: one shape for both.
    const entry = options.sink.prepare(item.kind ? item : {apiVersion, kind, ...item});
    entries.set(options.sink.keyOf(entry), entry);
  }
}

export interface StreamListOptions<Entry> {
  client: DynamicClientReader;
  resource: Resource;
  clock: Clock;
  sink: EntryPreparation<Entry>;
  version: string;
  timeoutSeconds: number;
  abort: AbortController;
  onSeen(seen: number): void;
}

/** A streaming list that has brought so little after this long is given up for pages, which can be compressed. */
const slowAfter = 5000;
const slowBytes = 1024 * 1024;

export interface StreamListResult<Entry> {
  entries: Map<string, Entry>;
  version: string;
  stream: WatchStream;
  batches: AsyncGenerator<WatchEvent[]>;
  rest: WatchEvent[];
}

const initialEnd = 'k8s.io/initial-events-end';

/** A streaming list, or `not supported` where the server does not know them. */
export async function streamList<Entry>(
  query: ListOptions,
  options: StreamListOptions<Entry>,
): Promise<StreamListResult<Entry> | 'not supported' | 'too slow'> {
  const began = options.clock.now();
  const stream = await openStreamList(query, options);
  if (!stream) return 'not supported';
  const entries = new Map<string, Entry>();
  const batches = stream.batches();
  let keep = false;
  try {
    // Read by hand: leaving a for-await loop would close the stream that goes on as the watch.
    for (;;) {
      const {done, value: batch} = await batches.next();
      if (done) throw new ConnectionError('reset', 'list', 'the stream ended before the list was complete');
      for (const [at, event] of batch.entries()) {
        const end = addEvents(event, entries, options.sink);
        if (end === 'not supported') return end;
        if (end === undefined) continue;
        keep = true;
        return {entries, version: end, stream, batches, rest: batch.slice(at + 1)};
      }
      options.onSeen(entries.size);
      if (options.clock.now() - began > slowAfter && stream.bytes < slowBytes) return 'too slow';
    }
  } finally {
    if (!keep) await batches.return(undefined);
  }
}

async function openStreamList<Entry>(
  query: ListOptions,
  options: StreamListOptions<Entry>,
): Promise<WatchStream | undefined> {
  const {client, resource, clock, abort, timeoutSeconds} = options;
  try {
    const answer = await client.watch(resource, {
      ...query,
      resourceVersion: options.version || undefined,
      resourceVersionMatch: 'NotOlderThan',
      sendInitialEvents: true,
      allowWatchBookmarks: true,
      timeoutSeconds,
      signal: abort.signal,
    });
    return new WatchStream(answer.body, {clock, abort, timeoutSeconds});
  } catch (error) {
    if (isApiError(error, 400, 405, 406, 415, 422)) return undefined;
    throw error;
  }
}

/** Puts one initial event into the entries; the closing bookmark gives the list's version. */
function addEvents<Entry>(
  {type, object}: WatchEvent,
  entries: Map<string, Entry>,
  sink: EntryPreparation<Entry>,
): string | undefined {
  if (isStatus(object))
    throw type === 'ERROR' ? errorOfStatus(object) : new ApiError(500, 'a Status in a list', object);
  if (type === 'BOOKMARK') {
    if (object.metadata.annotations?.[initialEnd] !== 'true') return 'not supported';
    return object.metadata.resourceVersion ?? '';
  }
  const entry = sink.prepare(object);
  if (type === 'DELETED') entries.delete(sink.keyOf(entry));
  else entries.set(sink.keyOf(entry), entry);
  return undefined;
}
