// Lists one resource, then watches it, for ever: whatever breaks, the sink ends up equal to the server, and
// `asOf` says up to when it is. It decides when to list, resume, ask or wait; lister.ts knows how to list,
// probe.ts how to ask, the informer what changes mean.

import type {Readable} from 'node:stream';
import type {DynamicClientReader, ListOptions} from '../client/dynamic-client.ts';
import {type OpenStream, WatchStream} from '../client/watch-stream.ts';
import {sleep} from '../clock.ts';
import {isMissingKind} from '../discovery/missing-kind.ts';
import {ConnectionError, errorOfStatus, isApiError, isTooLargeVersion} from '../error.ts';
import {isStatus, type KubeObject, type WatchEvent} from '../object.ts';
import {Backoff} from '../transport/backoff.ts';
import type {Answer} from '../transport/transport.ts';
import {Lister} from './lister.ts';
import type {ReflectorOptions, ReflectorSink} from './reflector-sink.ts';
import {isOutage, isResumable, type ReflectorState, stateOfFailure} from './reflector-state.ts';
import {ReflectorStatus} from './reflector-status.ts';
import {limitReadRate, ReflectorRateLimit} from './request-rate.ts';
import {WatchMonitor} from './watch-monitor.ts';
import {WatchPosition} from './watch-position.ts';
import {hasSameState, readServerVersion} from './watch-probe.ts';

/** What may be listed but not watched, or only read by name, is read this often. */
const pollEvery = 10_000;
/** A reflector that is woken asks at most this often. */
const spacing = 1000;

export class Reflector<Entry> {
  readonly #options: ReflectorOptions;
  readonly #sink: ReflectorSink<Entry>;
  readonly #backoff: Backoff;
  readonly #client: DynamicClientReader;
  readonly #lister: Lister<Entry>;
  readonly #stop = new AbortController();
  readonly #place = new WatchPosition();
  readonly #standing: ReflectorStatus;
  #wake = new AbortController();
  #running: Promise<void> | undefined;
  #tried = Number.NEGATIVE_INFINITY;

  constructor(options: ReflectorOptions, sink: ReflectorSink<Entry>) {
    this.#options = options;
    this.#sink = sink;
    this.#backoff = new Backoff(options.clock);
    this.#standing = new ReflectorStatus({
      clock: options.clock,
      hasEnded: () => this.#stop.signal.aborted,
      onState: state => sink.onState(state),
    });
    this.#client = limitReadRate(options.client, new ReflectorRateLimit(options.clock));
    this.#lister = new Lister({
      reflector: options,
      client: this.#client,
      sink,
      place: this.#place,
      query: this.#query(),
      timeoutSeconds: () => this.#timeoutSeconds(),
      onSeen: (seen, total) => this.#standing.seen(seen, total),
    });
  }

  get state(): ReflectorState {
    return this.#standing.state;
  }

  /** The sink holds every change up to this time of the clock, less what a link takes. Never by opening a watch. */
  get asOf(): number {
    return this.#standing.asOf;
  }

  /** The last resourceVersion heard of. */
  get resourceVersion(): string {
    return this.#place.version;
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
    const wake = this.#wake;
    const rest = this.#tried + spacing - this.#options.clock.now();
    if (rest <= 0) wake.abort();
    else this.#options.clock.after(rest, () => wake.abort());
  }

  async #run(): Promise<void> {
    const {signal} = this.#stop;
    this.#standing.begin();
    while (!signal.aborted) {
      let wait: number;
      this.#tried = this.#options.clock.now();
      try {
        wait = await this.#round();
      } catch (error) {
        if (signal.aborted) return;
        wait = await this.#failed(error);
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
      if (this.#place.suspect && !this.#place.needsList) await this.#recheck(abort.signal);
      const stream = (this.#place.needsList && (await this.#list(abort))) || (await this.#open(abort));
      return stream === 'by name' ? this.#poll('read by name') : await this.#follow(stream, abort);
    } finally {
      this.#stop.signal.removeEventListener('abort', onStop);
      abort.abort();
    }
  }

  /** A watch from a version that a restored server has yet to reach stays silent, and says nothing wrong. */
  async #recheck(signal: AbortSignal): Promise<void> {
    const probe = {...this.#asking(), signal};
    const {version, suspect} = this.#place;
    if (suspect === 'replaced') {
      // The smallest question first: one that is still away is not asked for everything.
      await readServerVersion(probe);
      this.#distrust();
    } else if (await hasSameState(version, this.#sink, probe)) this.#place.suspect = undefined;
    else this.#distrust();
  }

  #asking() {
    const {resource, clock} = this.#options;
    return {client: this.#client, resource, clock, query: this.#query()};
  }

  /** Fills the sink. Returns the stream to go on with, when the list was one. */
  async #list(abort: AbortController): Promise<OpenStream | 'by name' | undefined> {
    this.#standing.listing();
    if (this.#place.suspect === 'replaced') this.#distrust();
    const {entries, version, startedAt, next} = await this.#lister.list(abort);
    this.#replace(entries, version, startedAt);
    return next;
  }

  #query(): ListOptions {
    const {namespace, labelSelector, fieldSelector, as} = this.#options;
    return {namespace, labelSelector, fieldSelector, as};
  }

  #replace(entries: Map<string, Entry>, version: string, startedAt: number): void {
    this.#stop.signal.throwIfAborted();
    const differed = this.#sink.replace(entries);
    this.#place.listed(version);
    this.#backoff.reset();
    this.#standing.hear(startedAt);
    const missed = this.#standing.sync();
    if (missed) this.#sink.onGap({...missed, differed});
    this.#standing.say({
      phase: 'synced',
      reason: `follows the server since version ${version}`,
      seen: entries.size,
    });
  }

  /** What cannot be watched is read again soon; its rows are as of the last reading. */
  #poll(how: string): number {
    this.#place.needsList = true;
    this.#standing.say({
      phase: 'synced',
      reason: `${how} every ${pollEvery / 1000} s: you may not watch it`,
      seen: this.state.seen,
    });
    return pollEvery;
  }

  async #open(abort: AbortController): Promise<OpenStream> {
    const timeoutSeconds = this.#timeoutSeconds();
    const answer = await this.#watch(abort.signal, timeoutSeconds);
    const stream = new WatchStream(answer.body, {clock: this.#options.clock, abort, timeoutSeconds});
    this.#standing.resume();
    if (this.state.phase !== 'synced')
      this.#standing.say({
        phase: 'synced',
        reason: `follows the server since version ${this.#place.version}`,
        seen: 0,
      });
    return {stream, batches: stream.batches(), first: []};
  }

  #watch(signal: AbortSignal, timeoutSeconds: number): Promise<Answer<Readable>> {
    return this.#client.watch(this.#options.resource, {
      ...this.#query(),
      resourceVersion: this.#place.version || undefined,
      allowWatchBookmarks: true,
      timeoutSeconds,
      signal,
    });
  }

  /** Reads one watch to its end. Returns the wait before the next one. */
  async #follow({stream, batches, first}: OpenStream, abort: AbortController): Promise<number> {
    const watch = {recording: this.#place.hasVersion, stream};
    const pulse = new WatchMonitor({
      ...this.#asking(),
      abort,
      stream,
      asOf: () => this.asOf,
      version: () => this.#place.version,
      onHeard: at => this.#standing.hear(at),
      onGoneBack: () => this.#distrust(),
    });
    void pulse.run();
    try {
      this.#take(first, watch);
      for await (const batch of batches) this.#take(batch, watch);
    } catch (error) {
      if (!(error instanceof ConnectionError) || error.stage !== 'watch') throw error;
      this.#stop.signal.throwIfAborted();
      this.#standing.lose(error.message);
      this.#standing.say({...stateOfFailure(error, this.#options.resource, true), seen: 0});
      if (error.failure === 'timeout') this.#distrust();
      else this.#place.suspect ??= 'broken';
      return this.#short(stream) ? this.#backoff.next() : 0;
    }
    if (!this.#short(stream)) return 0;
    // A server that closes at once may have lost its place: the list finds out.
    const reason = 'the server closed the watch at once';
    this.#standing.lose(reason);
    this.#standing.say({phase: 'reconnecting', reason, seen: 0});
    this.#place.needsList = true;
    return this.#backoff.next();
  }

  /** Our version means nothing to the server any more: list the newest. */
  #distrust(): void {
    this.#place.distrust();
    this.#lister.forget();
  }

  #short(stream: WatchStream): boolean {
    return stream.events === 0 && this.#options.clock.now() - stream.openedAt < 1000;
  }

  #take(batch: WatchEvent[], watch: {recording: boolean; stream: WatchStream}): void {
    this.#stop.signal.throwIfAborted();
    const changes: {gone: boolean; entry: Entry}[] = [];
    let failure: unknown;
    let heard = false;
    for (const {type, object} of batch) {
      if (type === 'ERROR') {
        failure = isStatus(object)
          ? errorOfStatus(object)
          : new ConnectionError('other', 'decode', 'an ERROR event without a Status');
        break;
      }
      if (isStatus(object) || !this.#expected(object)) continue;
      heard = true;
      const version = object.metadata.resourceVersion ?? '';
      if (type === 'BOOKMARK') {
        if (version) this.#place.version = version;
        continue;
      }
      if (this.#place.repeats(version)) continue;
      changes.push({gone: type === 'DELETED', entry: this.#sink.prepare(object)});
      watch.recording ||= type !== 'ADDED';
      if (watch.recording && version) this.#place.version = version;
    }
    if (changes.length) this.#sink.apply(changes);
    if (failure) throw failure;
    if (!heard) return;
    this.#backoff.reset();
    if (!watch.stream.behind) this.#standing.hear(this.#options.clock.now());
  }

  #expected(object: KubeObject): boolean {
    const {kind} = this.#options.resource;
    if (object.kind === undefined || object.kind === kind) return true;
    if (this.#options.as === 'metadata' && object.kind === 'PartialObjectMetadata') return true;
    this.#sink.onProblem(`a ${object.kind} came while watching ${kind}; it was skipped`);
    return false;
  }

  /** Sets the state after a failure and says how long to wait. */
  async #failed(error: unknown): Promise<number> {
    const {resource, client} = this.#options;
    if (isApiError(error, 403) && this.#standing.synced && !this.#place.needsList)
      return this.#poll('listed');
    const missing = isApiError(error, 404) && (await isMissingKind(error, resource, client.transport));
    if (missing && (await this.#options.elsewhere?.())) return this.#waitForMove();
    const state = stateOfFailure(error, resource, this.#standing.synced, missing);
    this.#standing.lose(state.reason);
    if (!isResumable(error)) this.#place.needsList = true;
    // Whoever answers after an outage may know less than we do, or something else.
    if (isOutage(error)) this.#place.suspect = 'replaced';
    // A list that stayed silent may have waited for a version the server will never reach.
    const silent = error instanceof ConnectionError && error.failure === 'timeout' && this.#place.needsList;
    if (silent || isTooLargeVersion(error)) this.#place.unavailable = true;
    if (state.phase === 'unreachable') this.#lister.startOver();
    if (missing) this.#missing();
    this.#standing.say({...state, seen: 0});
    const asked = isApiError(error) ? (error.retryAfter ?? 0) * 1000 : 0;
    return Math.max(this.#backoff.next(), asked);
  }

  /** The objects are still there, under another version: whoever follows them there takes over. */
  #waitForMove(): number {
    const reason = 'the server has it in another version now';
    this.#standing.lose(reason);
    this.#place.needsList = true;
    this.#standing.say({phase: this.#standing.synced ? 'reconnecting' : 'listing', reason, seen: 0});
    return this.#backoff.next();
  }

  /** A resource that does not exist has no objects: a deleted CRD takes its objects with it. */
  #missing(): void {
    this.#place.version = '';
    this.#sink.replace(new Map());
    this.#standing.sync();
    this.#standing.hear(this.#options.clock.now());
  }

  #timeoutSeconds(): number {
    return Math.floor(300 + this.#options.clock.random() * 300);
  }
}
