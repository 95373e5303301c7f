// Two ways to list a resource: a streaming list that continues as the watch, or pages of 500. Both prepare each
// object on arrival, so that fields that the sink drops do not fill memory.

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
import {isRecord, isStatus, type KubeList, type KubeObject, kindWords, type WatchEvent} from '../object.ts';
import {apiVersionOf, type Resource} from '../resource.ts';

interface EntryPreparation<Entry> {
  prepare(object: KubeObject): Entry;
  keyOf(entry: Entry): string;
  onProblem(problem: string): void;
}

export interface PagesOptions<Entry> {
  client: DynamicClientReader;
  resource: Resource;
  clock: Clock;
  sink: EntryPreparation<Entry>;
  pageSize?: number | undefined;
  /** `''` asks for the newest state, `'0'` for any cached state, others for at least this version. */
  version: string;
  /** A stream was slow on this link, so use small compressed pages. */
  slow: boolean;
  /** An earlier list had pages, so the server does not answer from its cache. */
  paginated: boolean;
  onSeen(seen: number, total?: number): void;
}

/** After a page that takes longer than this, the next pages are smaller. */
const longPage = 10_000;
const smallestPage = 20;
const slowPage = 100;
/** Servers drop the continue token of a list after about five minutes. */
const tokenValidFor = 240_000;
/** A filter may empty some pages of a list, but not so many in a row. */
const maxEmptyPages = 1000;

/** A list in pages. After a broken connection, `run` continues with the next page. */
export class PageWalk<Entry> {
  readonly entries = new Map<string, Entry>();
  readonly #query: ListOptions;
  readonly #options: PagesOptions<Entry>;
  /** The entries are from this time or newer. */
  startedAt: number;
  version = '';
  paginated: boolean;
  #requestedVersion: string;
  #limit: number | undefined;
  #next: string | undefined;
  /** Pages in a row that brought no new object. */
  #emptyPages = 0;

  constructor(query: ListOptions, options: PagesOptions<Entry>) {
    this.#query = query;
    this.#options = options;
    // A server sends its cached state as one page. A slow link could lose the whole page.
    this.#requestedVersion = options.slow && options.version === '0' ? '' : options.version;
    this.paginated = options.paginated;
    const fresh = this.#requestedVersion === '' || this.#requestedVersion === '0';
    this.#limit = options.pageSize ?? (fresh || options.paginated ? pageOf(options) : undefined);
    this.startedAt = options.clock.now();
  }

  /** True when some pages have arrived and the server may still accept the continue token. */
  get canGoOn(): boolean {
    return this.#next !== undefined && this.#options.clock.now() - this.startedAt < tokenValidFor;
  }

  /** Reads to the last page. Lists the newest state when the server does not have the requested version. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#next === undefined) await this.#first(signal);
    while (this.#next) {
      try {
        this.#take(await this.#page({limit: this.#limit, continue: this.#next}, signal));
      } catch (error) {
        if (!isExpired(error)) throw error;
        // The continue token expired. A list without pages cannot expire.
        await this.#whole(signal);
      }
    }
  }

  async #first(signal: AbortSignal): Promise<void> {
    this.startedAt = this.#options.clock.now();
    const list = await this.#orNewest(() => {
      if (this.#requestedVersion === '') this.#limit ??= 500;
      return this.#page({limit: this.#limit, resourceVersion: this.#requestedVersion || undefined}, signal);
    });
    this.version = list.metadata?.resourceVersion ?? '';
    this.#take(list);
    this.paginated ||= this.#requestedVersion === '0' && Boolean(this.#next);
  }

  async #whole(signal: AbortSignal): Promise<void> {
    this.startedAt = this.#options.clock.now();
    this.#next = undefined;
    const list = await this.#orNewest(() =>
      this.#page({resourceVersion: this.#requestedVersion || undefined}, signal),
    );
    this.entries.clear();
    this.version = list.metadata?.resourceVersion ?? '';
    this.#take(list);
  }

  /** Asks for the requested version, then for the newest when the server does not have that version. */
  async #orNewest(ask: () => Promise<KubeList>): Promise<KubeList> {
    try {
      return await ask();
    } catch (error) {
      if (this.#requestedVersion === '' || !(isExpired(error) || isTooLargeVersion(error))) throw error;
      this.#requestedVersion = '';
      return ask();
    }
  }

  async #page(params: Partial<ListOptions>, signal: AbortSignal): Promise<KubeList> {
    const {client, resource, clock} = this.#options;
    const began = clock.now();
    const compress = this.#options.slow || undefined;
    const list = await client.list(resource, {...this.#query, ...params, signal, retries: 0, compress});
    checkList(list, resource);
    if (clock.now() - began > longPage && this.#limit) this.#limit = Math.max(smallestPage, this.#limit >> 1);
    return list;
  }

  #take(list: KubeList): void {
    const before = this.entries.size;
    addPage(list, this.entries, this.#options);
    this.#emptyPages = this.entries.size === before ? this.#emptyPages + 1 : 0;
    const next = list.metadata?.continue || undefined;
    const isEndless = next !== undefined && (next === this.#next || this.#emptyPages > maxEmptyPages);
    this.#next = isEndless ? undefined : next;
    if (isEndless) {
      const {plural} = this.#options.resource;
      throw new ConnectionError('other', 'decode', `the list of ${plural} never ends: its pages repeat`);
    }
    const rest = list.metadata?.remainingItemCount;
    this.#options.onSeen(this.entries.size, rest === undefined ? undefined : this.entries.size + rest);
  }
}

function pageOf({slow}: {slow: boolean}): number {
  return slow ? slowPage : 500;
}

/** Items of a list may have no kind. */
function isOfKind(kind: unknown, resource: Resource): boolean {
  return kind === undefined || kind === resource.kind || kind === 'PartialObjectMetadata';
}

function checkList(list: KubeList | undefined, {plural}: Resource): void {
  if (Array.isArray(list?.items) && list.kind !== 'Table') return;
  const received = list?.kind ?? 'something else';
  throw new ConnectionError('other', 'decode', `the server sent ${received} instead of a list of ${plural}`);
}

function addPage<Entry>(list: KubeList, entries: Map<string, Entry>, options: PagesOptions<Entry>): void {
  const apiVersion = apiVersionOf(options.resource);
  const {kind} = options.resource;
  for (const item of list.items) {
    if (!isRecord(item) || !isRecord(item.metadata)) {
      options.sink.onProblem(`the list of ${kind} has an object without metadata; it was skipped`);
      continue;
    }
    if (!isOfKind(item.kind, options.resource)) {
      options.sink.onProblem(`the list of ${kind} has ${kindWords(item.kind)}; it was skipped`);
      continue;
    }
    // Lists of built-in kinds leave out both fields, watch events include them. Cached objects always have them.
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

/** A streaming list with fewer bytes than this after this time is replaced by pages, which can be compressed. */
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

/** Returns `not supported` when the server has no streaming lists. */
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
    // A for-await loop would close the stream at its end, but the stream continues as the watch.
    for (;;) {
      const {done, value: batch} = await batches.next();
      if (done) throw new ConnectionError('reset', 'list', 'the stream ended before the list was complete');
      for (const [at, event] of batch.entries()) {
        const end = addEvents(event, entries, options);
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

/** Adds one initial event to the entries. Returns the list's version at the closing bookmark. */
function addEvents<Entry>(
  {type, object}: WatchEvent,
  entries: Map<string, Entry>,
  {sink, resource}: Pick<StreamListOptions<Entry>, 'sink' | 'resource'>,
): string | undefined {
  if (isStatus(object))
    throw type === 'ERROR' ? errorOfStatus(object) : new ApiError(500, 'a Status in a list', object);
  if (!isRecord(object.metadata)) {
    sink.onProblem('the list has an object without metadata; it was skipped');
    return undefined;
  }
  if (type === 'BOOKMARK') {
    if (object.metadata.annotations?.[initialEnd] !== 'true') return 'not supported';
    return object.metadata.resourceVersion ?? '';
  }
  if (!isOfKind(object.kind, resource)) {
    sink.onProblem(`the list of ${resource.kind} has ${kindWords(object.kind)}; it was skipped`);
    return undefined;
  }
  const entry = sink.prepare(object);
  if (type === 'DELETED') entries.delete(sink.keyOf(entry));
  else entries.set(sink.keyOf(entry), entry);
  return undefined;
}
