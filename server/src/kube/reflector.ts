// Lists one resource, then watches it, for ever: whatever breaks, the sink ends up equal to the server. It
// decides when to list, resume or wait; listing.ts knows how to list, the informer what changes mean.

import type {Readable} from 'node:stream';
import {Backoff} from './backoff.ts';
import type {ListOptions} from './client.ts';
import {sleep} from './clock.ts';
import {ConnectionError, errorOfStatus, isApiError, isExpired, isTooLargeVersion} from './error.ts';
import {listPages, streamList} from './listing.ts';
import {isStatus, type KubeObject, type WatchEvent} from './object.ts';
import type {ReflectorOptions, ReflectorSink} from './reflector-sink.ts';
import {type ReflectorState, stateOfFailure} from './reflector-state.ts';
import type {Answer} from './transport.ts';
import {WatchStream} from './watch-stream.ts';

/** How far back an event that comes twice is recognised. */
const remembered = 4096;
/** Bookmarks come once a minute: a watch this long without one is odd. */
const quietWatch = 180_000;

export class Reflector<Entry> {
  readonly #options: ReflectorOptions;
  readonly #sink: ReflectorSink<Entry>;
  readonly #backoff: Backoff;
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #running: Promise<void> | undefined;
  #state: ReflectorState = {phase: 'listing', reason: 'the first list is under way', seen: 0};
  #version = '';
  #versionUnavailable = false;
  #paginated = false;
  #streaming: boolean;
  #needsList = true;
  #refused = false;
  #brokenLists = 0;
  #synced = false;
  #lostAt: number | undefined;
  #lostBecause = '';
  #recent = new Set<string>();

  constructor(options: ReflectorOptions, sink: ReflectorSink<Entry>) {
    this.#options = options;
    this.#sink = sink;
    this.#backoff = new Backoff(options.clock);
    this.#streaming = options.streaming ?? true;
  }

  get state(): ReflectorState {
    return this.#state;
  }

  /** The last resourceVersion heard of: opaque, to be compared for equality only. */
  get resourceVersion(): string {
    return this.#version;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends requests and waits; nothing reaches the sink afterwards. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Ends a wait early: there is reason to think that the next try will do better. */
  wake(): void {
    this.#backoff.reset();
    this.#wake.abort();
  }

  async #run(): Promise<void> {
    const {signal} = this.#stop;
    this.#sink.onState(this.#state);
    while (!signal.aborted) {
      let wait: number;
      try {
        wait = await this.#round();
      } catch (error) {
        if (signal.aborted) return;
        wait = this.#failed(error);
      }
      if (wait > 0) await this.#pause(wait);
    }
  }

  async #pause(ms: number): Promise<void> {
    this.#wake = new AbortController();
    await sleep(this.#options.clock, ms, AbortSignal.any([this.#stop.signal, this.#wake.signal]));
  }

  /** One list if needed and one watch. Returns how long to wait before the next; throws what ended it. */
  async #round(): Promise<number> {
    const abort = new AbortController();
    const onStop = () => abort.abort(this.#stop.signal.reason);
    this.#stop.signal.addEventListener('abort', onStop, {once: true});
    try {
      // A watch from a version that a restarted server has yet to reach stays silent for ever, and says
      // nothing wrong: after a refused connection only a list tells what the server knows now.
      if (this.#refused && !this.#needsList) await this.#answersAgain(abort);
      const stream = (this.#needsList && (await this.#list(abort))) || (await this.#open(abort));
      return await this.#follow(stream);
    } finally {
      this.#stop.signal.removeEventListener('abort', onStop);
      abort.abort();
    }
  }

  async #answersAgain(abort: AbortController): Promise<void> {
    const attempt = new AbortController();
    const {body} = await this.#watch(AbortSignal.any([abort.signal, attempt.signal]), this.#timeoutSeconds());
    body.on('error', () => {});
    attempt.abort();
    this.#distrust();
  }

  /** Fills the sink. Returns the stream to go on with, when the list was one. */
  async #list(abort: AbortController): Promise<OpenStream | undefined> {
    if (!this.#synced) this.#setState({phase: 'listing', reason: 'the first list is under way', seen: 0});
    if (this.#refused) this.#distrust();
    // A stream that keeps breaking before its end, such as one that a server cuts for being slow to read,
    // would never end: pages always make some way.
    if (this.#streaming && this.#brokenLists < 2) {
      const opened = await this.#streamList(abort);
      if (opened) return opened;
    }
    const result = await listPages(this.#query(), {
      client: this.#options.client,
      resource: this.#options.resource,
      sink: this.#sink,
      pageSize: this.#options.pageSize,
      version: this.#versionUnavailable ? '' : this.#version || '0',
      paginated: this.#paginated,
      signal: abort.signal,
      onSeen: seen => this.#seen(seen),
    });
    this.#paginated = result.paginated;
    this.#replace(result.entries, result.version);
    return undefined;
  }

  async #streamList(abort: AbortController): Promise<OpenStream | undefined> {
    const version = this.#versionUnavailable ? '' : this.#version;
    const timeoutSeconds = this.#timeoutSeconds();
    try {
      const listed = await streamList(this.#query(), {
        client: this.#options.client,
        resource: this.#options.resource,
        clock: this.#options.clock,
        sink: this.#sink,
        version,
        timeoutSeconds,
        abort,
        onSeen: seen => this.#seen(seen),
      });
      if (listed === 'not supported') {
        this.#streaming = false;
        return undefined;
      }
      this.#replace(listed.entries, listed.version);
      return {stream: listed.stream, batches: listed.batches, first: listed.rest};
    } catch (error) {
      if (isExpired(error) || isTooLargeVersion(error)) {
        // The plain list would fail at this version too; both start afresh from the newest.
        if (this.#versionUnavailable) throw error;
        this.#versionUnavailable = true;
        return undefined;
      }
      // Someone who may list but not watch still gets to see the objects.
      if (isApiError(error, 403)) return undefined;
      this.#brokenLists++;
      throw error;
    }
  }

  #query(): ListOptions {
    const {namespace, labelSelector, fieldSelector, as} = this.#options;
    return {namespace, labelSelector, fieldSelector, as};
  }

  #replace(entries: Map<string, Entry>, version: string): void {
    this.#stop.signal.throwIfAborted();
    const differed = this.#sink.replace(entries);
    this.#version = version;
    this.#versionUnavailable = false;
    this.#needsList = false;
    this.#refused = false;
    this.#brokenLists = 0;
    this.#recent.clear();
    if (this.#synced && this.#lostAt !== undefined) {
      const lasted = this.#options.clock.now() - this.#lostAt;
      this.#sink.onGap({reason: this.#lostBecause, lasted, differed});
    }
    this.#lostAt = undefined;
    this.#synced = true;
    this.#setState({
      phase: 'synced',
      reason: `follows the server since version ${version}`,
      seen: entries.size,
    });
  }

  async #open(abort: AbortController): Promise<OpenStream> {
    const timeoutSeconds = this.#timeoutSeconds();
    const answer = await this.#watch(abort.signal, timeoutSeconds);
    const stream = new WatchStream(answer.body, {clock: this.#options.clock, abort, timeoutSeconds});
    this.#lostAt = undefined;
    if (this.#state.phase !== 'synced')
      this.#setState({phase: 'synced', reason: `follows the server since version ${this.#version}`, seen: 0});
    return {stream, batches: stream.batches(), first: []};
  }

  #watch(signal: AbortSignal, timeoutSeconds: number): Promise<Answer<Readable>> {
    return this.#options.client.watch(this.#options.resource, {
      ...this.#query(),
      resourceVersion: this.#version || undefined,
      allowWatchBookmarks: true,
      timeoutSeconds,
      signal,
    });
  }

  /** Reads one watch to its end. Returns the wait before the next one. */
  async #follow({stream, batches, first}: OpenStream): Promise<number> {
    const watch = {recording: this.#version !== '' && this.#version !== '0', stream};
    try {
      this.#take(first, watch);
      for await (const batch of batches) this.#take(batch, watch);
    } catch (error) {
      if (!(error instanceof ConnectionError) || error.stage !== 'watch') throw error;
      this.#stop.signal.throwIfAborted();
      this.#lost(error.message);
      this.#setState({...stateOfFailure(error, this.#options.resource, true), seen: 0});
      if (error.failure === 'timeout') this.#distrust();
      return this.#short(stream) ? this.#backoff.next() : 0;
    }
    // Not even a bookmark: the server may be waiting for a version from before it lost its memory.
    if (stream.events === 0 && this.#options.clock.now() - stream.openedAt > quietWatch) this.#distrust();
    if (!this.#short(stream)) return 0;
    // A server that closes at once may have lost its place: the list finds out.
    const reason = 'the server closed the watch at once';
    this.#lost(reason);
    this.#setState({phase: 'reconnecting', reason, seen: 0});
    this.#needsList = true;
    return this.#backoff.next();
  }

  /** Our version means nothing to the server any more: list the newest. */
  #distrust(): void {
    this.#needsList = true;
    this.#versionUnavailable = true;
  }

  #short(stream: WatchStream): boolean {
    return stream.events === 0 && this.#options.clock.now() - stream.openedAt < 1000;
  }

  #take(batch: WatchEvent[], watch: {recording: boolean; stream: WatchStream}): void {
    this.#stop.signal.throwIfAborted();
    const changes: {gone: boolean; entry: Entry}[] = [];
    let failure: unknown;
    for (const {type, object} of batch) {
      if (type === 'ERROR') {
        failure = isStatus(object)
          ? errorOfStatus(object)
          : new ConnectionError('other', 'decode', 'an ERROR event without a Status');
        break;
      }
      if (isStatus(object) || !this.#expected(object)) continue;
      const version = object.metadata.resourceVersion ?? '';
      if (type === 'BOOKMARK') {
        watch.stream.expectBookmarks();
        if (version) this.#version = version;
        continue;
      }
      if (this.#repeated(version)) continue;
      changes.push({gone: type === 'DELETED', entry: this.#sink.prepare(object)});
      watch.recording ||= type !== 'ADDED';
      if (watch.recording && version) this.#version = version;
    }
    if (changes.length) this.#sink.apply(changes);
    if (failure) throw failure;
  }

  /** Every event has a version of its own; the same one again is a stream that stutters. */
  #repeated(version: string): boolean {
    if (!version) return false;
    if (this.#recent.has(version)) return true;
    this.#recent.add(version);
    if (this.#recent.size > remembered) this.#recent.delete(this.#recent.values().next().value ?? '');
    return false;
  }

  #expected(object: KubeObject): boolean {
    const {kind} = this.#options.resource;
    if (object.kind === undefined || object.kind === kind) return true;
    if (this.#options.as === 'metadata' && object.kind === 'PartialObjectMetadata') return true;
    this.#sink.onProblem(`a ${object.kind} came while watching ${kind}; it was skipped`);
    return false;
  }

  /** Sets the state after a failure and says how long to wait. */
  #failed(error: unknown): number {
    const state = stateOfFailure(
      error,
      this.#options.resource,
      this.#synced,
      this.#needsList ? 'list' : 'watch',
    );
    this.#lost(state.reason);
    const resumable =
      (error instanceof ConnectionError && error.stage !== 'decode') ||
      isApiError(error, 429) ||
      isRetryable(error);
    if (!resumable) this.#needsList = true;
    if (error instanceof ConnectionError && error.failure === 'refused') this.#refused = true;
    // A list that stayed silent may have waited for a version the server will never reach.
    const silent = error instanceof ConnectionError && error.failure === 'timeout' && this.#needsList;
    if (silent || isTooLargeVersion(error)) this.#versionUnavailable = true;
    // A server that comes back may be another version of itself.
    if (state.phase === 'unreachable') this.#streaming = this.#options.streaming ?? true;
    if (state.phase === 'not installed') this.#missing();
    this.#setState({...state, seen: 0});
    const asked = isApiError(error) ? (error.retryAfter ?? 0) * 1000 : 0;
    return Math.max(this.#backoff.next(), asked);
  }

  /** A resource that does not exist has no objects: a deleted CRD takes its objects with it. */
  #missing(): void {
    this.#version = '';
    this.#sink.replace(new Map());
    this.#synced = true;
    this.#lostAt = undefined;
  }

  #lost(reason: string): void {
    this.#lostAt ??= this.#options.clock.now();
    this.#lostBecause = reason;
  }

  #seen(seen: number): void {
    if (this.#synced || seen < this.#state.seen + 100) return;
    this.#setState({phase: 'listing', reason: `${seen} objects so far`, seen});
  }

  #setState(state: ReflectorState): void {
    if (this.#stop.signal.aborted) return;
    this.#state = state;
    this.#sink.onState(state);
  }

  #timeoutSeconds(): number {
    return Math.floor(300 + this.#options.clock.random() * 300);
  }
}

interface OpenStream {
  stream: WatchStream;
  batches: AsyncGenerator<WatchEvent[]>;
  /** Events that came in the same chunk as the end of a streaming list. */
  first: WatchEvent[];
}

function isRetryable(error: unknown): boolean {
  return isApiError(error, 503) && error.retryAfter !== undefined;
}
