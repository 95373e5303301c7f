// The two ways to read everything: as a stream that ends with a bookmark and goes on as the watch, or in
// pages of 500. Both prepare objects as they come, so that what the sink drops never piles up.

import type {DynamicClient, ListOptions} from './client.ts';
import type {Clock} from './clock.ts';
import {ApiError, ConnectionError, errorOfStatus, isApiError, isExpired, isTooLargeVersion} from './error.ts';
import {isStatus, type KubeList, type KubeObject, type WatchEvent} from './object.ts';
import {apiVersionOf, type Resource} from './resource.ts';
import {WatchStream} from './watch-stream.ts';

interface Preparing<Entry> {
  prepare(object: KubeObject): Entry;
  keyOf(entry: Entry): string;
}

export interface PagesOptions<Entry> {
  client: DynamicClient;
  resource: Resource;
  sink: Preparing<Entry>;
  pageSize?: number | undefined;
  /** `''` the newest, `'0'` whatever the server has at hand, else at least as new as this. */
  version: string;
  /** An earlier list came in pages, so the server does not answer from its cache anyway. */
  paginated: boolean;
  signal: AbortSignal;
  onSeen(seen: number): void;
}

export interface PagesResult<Entry> {
  entries: Map<string, Entry>;
  version: string;
  paginated: boolean;
}

/** A list at `version`; one that the server no longer (or not yet) has becomes a list of the newest. */
export async function listPages<Entry>(
  query: ListOptions,
  options: PagesOptions<Entry>,
): Promise<PagesResult<Entry>> {
  try {
    return await pages(query, options);
  } catch (error) {
    if (options.version === '' || !(isExpired(error) || isTooLargeVersion(error))) throw error;
    return await pages(query, {...options, version: ''});
  }
}

async function pages<Entry>(query: ListOptions, options: PagesOptions<Entry>): Promise<PagesResult<Entry>> {
  const {client, resource, version, signal} = options;
  const fresh = version === '' || version === '0';
  const limit = options.pageSize ?? (fresh || options.paginated ? 500 : undefined);
  const entries = new Map<string, Entry>();
  const base = {...query, signal, retries: 0};
  const first = await client.list(resource, {...base, limit, resourceVersion: version || undefined});
  const listVersion = first.metadata?.resourceVersion ?? '';
  take(first, entries, options);
  let next = first.metadata?.continue;
  const paginated = options.paginated || (version === '0' && next !== undefined && next !== '');
  while (next) {
    let page: KubeList;
    try {
      page = await client.list(resource, {...base, limit, continue: next});
    } catch (error) {
      if (!isExpired(error)) throw error;
      // The snapshot is gone in the middle: all at once, so that it cannot happen again.
      const whole = await client.list(resource, {...base, resourceVersion: version || undefined});
      entries.clear();
      take(whole, entries, options);
      return {entries, version: whole.metadata?.resourceVersion ?? '', paginated};
    }
    take(page, entries, options);
    next = page.metadata?.continue;
  }
  return {entries, version: listVersion, paginated};
}

function take<Entry>(list: KubeList, entries: Map<string, Entry>, options: PagesOptions<Entry>): void {
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
  options.onSeen(entries.size);
}

export interface StreamListOptions<Entry> {
  client: DynamicClient;
  resource: Resource;
  clock: Clock;
  sink: Preparing<Entry>;
  version: string;
  timeoutSeconds: number;
  abort: AbortController;
  onSeen(seen: number): void;
}

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
): Promise<StreamListResult<Entry> | 'not supported'> {
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
        const end = collect(event, entries, options.sink);
        if (end === 'not supported') return end;
        if (end === undefined) continue;
        keep = true;
        return {entries, version: end, stream, batches, rest: batch.slice(at + 1)};
      }
      options.onSeen(entries.size);
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
function collect<Entry>(
  {type, object}: WatchEvent,
  entries: Map<string, Entry>,
  sink: Preparing<Entry>,
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
