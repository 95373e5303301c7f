// Lists one resource, then watches it until stopped. After any failure the sink becomes equal to the server again,
// and `asOf` is the time up to which it is. This file decides when to list, resume, probe or wait.

import type {Readable} from 'node:stream';
import type {DynamicClientReader, ListOptions} from '../client/dynamic-client.ts';
import {type OpenStream, WatchStream} from '../client/watch-stream.ts';
import {sleep} from '../clock.ts';
import {isMissingKind} from '../discovery/missing-kind.ts';
import {ConnectionError, isApiError, isTooLargeVersion} from '../error.ts';
import type {WatchEvent} from '../object.ts';
import {Backoff} from '../transport/backoff.ts';
import type {Answer} from '../transport/transport.ts';
import {EventApplier} from './event-applier.ts';
import {Lister} from './lister.ts';
import type {ReflectorOptions, ReflectorSink} from './reflector-sink.ts';
import {isOutage, isResumable, type ReflectorState, stateOfFailure} from './reflector-state.ts';
import {ReflectorStatus} from './reflector-status.ts';
import {limitReadRate, ReflectorRateLimit} from './request-rate.ts';
import {type AuditResult, WatchAudit} from './watch-audit.ts';
import {WatchMonitor} from './watch-monitor.ts';
import {WatchPosition} from './watch-position.ts';
import {hasSameState, readServerSummary} from './watch-probe.ts';

/** Milliseconds between reads of objects that may be listed or read but not watched. */
const pollEvery = 10_000;
/** The shortest time between two tries of a reflector that is woken, in milliseconds. */
const spacing = 1000;

export class Reflector<Entry> {
  readonly #options: ReflectorOptions;
  readonly #sink: ReflectorSink<Entry>;
  readonly #backoff: Backoff;
  readonly #client: DynamicClientReader;
  readonly #lister: Lister<Entry>;
  readonly #stop = new AbortController();
  readonly #position = new WatchPosition();
  readonly #status: ReflectorStatus;
  #wake = new AbortController();
  /** The open watch. Aborting it ends the watch. */
  #openWatch: {abort: AbortController; stream: WatchStream} | undefined;
  #probeAtOnce = false;
  #closedAtOnce = false;
  readonly #audit = new WatchAudit();
  readonly #events: EventApplier<Entry>;
  /** An audit has found lost events, and the next list repairs them. */
  #repairs = false;
  #nextOwnAudit = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ReflectorOptions, sink: ReflectorSink<Entry>) {
    this.#options = options;
    this.#sink = sink;
    this.#backoff = new Backoff(options.clock);
    this.#status = new ReflectorStatus({
      clock: options.clock,
      hasEnded: () => this.#stop.signal.aborted,
      onState: state => sink.onState(state),
    });
    this.#events = new EventApplier({
      resource: options.resource,
      as: options.as,
      sink,
      position: this.#position,
      onEvent: key => this.#audit.noteEvent(key),
    });
    this.#client = limitReadRate(options.client, new ReflectorRateLimit(options.clock));
    this.#lister = new Lister({
      reflector: options,
      client: this.#client,
      sink,
      position: this.#position,
      query: this.#query(),
      timeoutSeconds: () => this.#timeoutSeconds(),
      onSeen: (seen, total) => this.#status.seen(seen, total),
    });
  }

  get state(): ReflectorState {
    return this.#status.state;
  }

  /** The sink contains every change up to this time of the clock, minus the delay of the link. */
  get asOf(): number {
    return this.#status.asOf;
  }

  /** The last resourceVersion received. */
  get resourceVersion(): string {
    return this.#position.version;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends all requests. The sink receives nothing afterwards. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Ends the wait before the next try. */
  wake(): void {
    this.#backoff.reset();
    const wake = this.#wake;
    const rest = this.#triedAt + spacing - this.#options.clock.now();
    if (rest <= 0) wake.abort();
    else this.#options.clock.after(rest, () => wake.abort());
  }

  /** Ends the watch and asks the server at once. The state shows `reason` until the server has answered. */
  askAgain(reason: string): void {
    this.#probeAtOnce = true;
    this.#position.suspect ??= 'broken';
    this.#openWatch?.abort.abort(new ConnectionError('other', 'watch', reason));
    this.wake();
  }

  /**
   * Compares the sink with the server. Lists again if the watch has lost events. Resolves to undefined when no watch is
   * open, when a comparison is running, or when the server does not answer.
   */
  async audit(): Promise<AuditResult | undefined> {
    const watch = this.#openWatch;
    if (watch === undefined || watch.abort.signal.aborted || this.#audit.isRunning) return undefined;
    const {abort, stream} = watch;
    try {
      const options = {...this.#probeOptions(), cache: this.#sink, stream, signal: abort.signal};
      const result = await this.#audit.run({...options, version: () => this.#position.version});
      if (result.missed > 0) {
        this.#repairs = true;
        this.#distrust();
        this.#lister.usePagesNext();
        const events = result.missed === 1 ? '1 event' : `${result.missed} events`;
        abort.abort(new ConnectionError('other', 'watch', `it missed ${events}`));
      }
      return result;
    } catch {
      return undefined;
    }
  }

  /** Starts a comparison because of a different count, at most once a minute and for 1 % of the time. */
  async #auditOwn(): Promise<void> {
    const {clock} = this.#options;
    if (clock.now() < this.#nextOwnAudit) return;
    const result = await this.audit();
    this.#nextOwnAudit = clock.now() + Math.max(60_000, 100 * (result?.requestMs ?? 0));
  }

  async #run(): Promise<void> {
    const {signal} = this.#stop;
    this.#status.begin();
    while (!signal.aborted) {
      let wait: number;
      this.#triedAt = this.#options.clock.now();
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

  /** Makes one list if needed and one watch. Returns the wait before the next round. */
  async #round(): Promise<number> {
    const abort = new AbortController();
    const onStop = () => abort.abort(this.#stop.signal.reason);
    this.#stop.signal.addEventListener('abort', onStop, {once: true});
    try {
      if (this.#position.suspect && !this.#position.needsList) await this.#recheck(abort.signal);
      const stream = (this.#position.needsList && (await this.#list(abort))) || (await this.#open(abort));
      return stream === 'by name' ? this.#poll('read by name') : await this.#follow(stream, abort);
    } finally {
      this.#stop.signal.removeEventListener('abort', onStop);
      abort.abort();
    }
  }

  /** Checks that the server is still the same one, because a restored server may never send the next event. */
  async #recheck(signal: AbortSignal): Promise<void> {
    const probe = {...this.#probeOptions(), signal};
    const {version, suspect} = this.#position;
    if (suspect === 'replaced') {
      // Start with the smallest request, because the server may still be down.
      await readServerSummary(probe);
      this.#distrust();
    } else if (await hasSameState(version, this.#sink, probe)) this.#position.suspect = undefined;
    else this.#distrust();
  }

  #probeOptions() {
    const {resource, clock} = this.#options;
    return {client: this.#client, resource, clock, query: this.#query()};
  }

  /** Fills the sink. Returns the stream that continues as the watch after a streaming list. */
  async #list(abort: AbortController): Promise<OpenStream | 'by name' | undefined> {
    this.#status.listing();
    if (this.#position.suspect === 'replaced') this.#distrust();
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
    this.#position.listed(version);
    this.#sink.onProgress?.();
    // A server that closes every watch at once must be asked less and less often.
    if (!this.#closedAtOnce) this.#backoff.reset();
    this.#status.setCurrent(startedAt);
    const missed = this.#status.sync();
    if (missed && this.#repairs && differed > 0) this.#sink.onGap({...missed, differed, missed: differed});
    else if (missed && !this.#repairs) this.#sink.onGap({...missed, differed});
    this.#repairs = false;
    this.#status.setState({
      phase: 'synced',
      reason: `follows the server since version ${version}`,
      seen: entries.size,
    });
  }

  /** Objects that cannot be watched are read periodically. */
  #poll(how: string): number {
    this.#position.needsList = true;
    this.#status.setState({
      phase: 'synced',
      reason: `${how} every ${pollEvery / 1000} s, because you may not watch it`,
      seen: this.state.seen,
    });
    return pollEvery;
  }

  async #open(abort: AbortController): Promise<OpenStream> {
    const timeoutSeconds = this.#timeoutSeconds();
    const answer = await this.#watch(abort.signal, timeoutSeconds);
    const stream = new WatchStream(answer.body, {clock: this.#options.clock, abort, timeoutSeconds});
    this.#status.resume();
    if (this.state.phase !== 'synced')
      this.#status.setState({
        phase: 'synced',
        reason: `follows the server since version ${this.#position.version}`,
        seen: 0,
      });
    return {stream, batches: stream.batches(), first: []};
  }

  #watch(signal: AbortSignal, timeoutSeconds: number): Promise<Answer<Readable>> {
    return this.#client.watch(this.#options.resource, {
      ...this.#query(),
      resourceVersion: this.#position.version || undefined,
      allowWatchBookmarks: true,
      timeoutSeconds,
      signal,
    });
  }

  /** Reads one watch to its end. Returns the wait before the next watch. */
  async #follow({stream, batches, first}: OpenStream, abort: AbortController): Promise<number> {
    const watch = {recording: this.#position.hasVersion, stream};
    const monitor = new WatchMonitor({
      ...this.#probeOptions(),
      abort,
      stream,
      asOf: () => this.asOf,
      version: () => this.#position.version,
      onHeard: at => this.#status.setCurrent(at),
      onGoneBack: () => this.#distrust(),
      cachedCount: () => this.#sink.size,
      onCountDiffers: () => void this.#auditOwn(),
    });
    this.#openWatch = {abort, stream};
    void monitor.run(this.#probeAtOnce);
    this.#probeAtOnce = false;
    try {
      this.#take(first, watch);
      for await (const batch of batches) this.#take(batch, watch);
    } catch (error) {
      if (!(error instanceof ConnectionError) || error.stage !== 'watch') throw error;
      this.#stop.signal.throwIfAborted();
      this.#status.lose(error.message);
      this.#status.setState({...stateOfFailure(error, this.#options.resource, true), seen: 0});
      if (error.failure === 'timeout') this.#distrust();
      else this.#position.suspect ??= 'broken';
      return this.#short(stream) ? this.#backoff.next() : 0;
    }
    this.#closedAtOnce = this.#short(stream);
    if (!this.#closedAtOnce) return 0;
    // A server that closes at once may have lost our version, so list again.
    const reason = 'the server closed the watch at once';
    this.#status.lose(reason);
    this.#status.setState({phase: 'reconnecting', reason, seen: 0});
    this.#position.needsList = true;
    return this.#backoff.next();
  }

  /** The server does not know our version any more, so list the newest state. */
  #distrust(): void {
    this.#position.distrust();
    this.#lister.forget();
  }

  #short(stream: WatchStream): boolean {
    return stream.events === 0 && this.#options.clock.now() - stream.openedAt < 1000;
  }

  #take(batch: WatchEvent[], watch: {recording: boolean; stream: WatchStream}): void {
    this.#stop.signal.throwIfAborted();
    const {failure, heard} = this.#events.apply(batch, watch);
    if (failure) throw failure;
    if (!heard) return;
    this.#backoff.reset();
    if (!watch.stream.behind) this.#status.setCurrent(this.#options.clock.now());
  }

  /** Sets the state after a failure. Returns the wait before the next try. */
  async #failed(error: unknown): Promise<number> {
    const {resource, client} = this.#options;
    if (isApiError(error, 403) && this.#status.synced && !this.#position.needsList)
      return this.#poll('listed');
    const missing = isApiError(error, 404) && (await isMissingKind(error, resource, client.transport));
    if (missing && (await this.#options.elsewhere?.())) return this.#waitForMove();
    const state = stateOfFailure(error, resource, this.#status.synced, missing);
    this.#status.lose(state.reason);
    if (!isResumable(error)) this.#position.needsList = true;
    // After an outage another server may answer, with older or different objects.
    if (isOutage(error)) this.#position.suspect = 'replaced';
    // A silent list may have waited for a version that the server never reaches.
    const silent =
      error instanceof ConnectionError && error.failure === 'timeout' && this.#position.needsList;
    if (silent || isTooLargeVersion(error)) this.#position.unavailable = true;
    if (state.phase === 'unreachable') this.#lister.startOver();
    if (missing) this.#missing();
    this.#status.setState({...state, seen: 0});
    const retryAfter = isApiError(error) ? (error.retryAfter ?? 0) * 1000 : 0;
    return Math.max(this.#backoff.next(), retryAfter);
  }

  /** The objects still exist in another version, and the informer of that version takes over. */
  #waitForMove(): number {
    const reason = 'the server now serves this kind in another version';
    this.#status.lose(reason);
    this.#position.needsList = true;
    this.#status.setState({phase: this.#status.synced ? 'reconnecting' : 'listing', reason, seen: 0});
    return this.#backoff.next();
  }

  /** A deleted CRD deletes its objects too, so the sink becomes empty. */
  #missing(): void {
    this.#position.version = '';
    this.#sink.replace(new Map());
    this.#status.sync();
    this.#status.setCurrent(this.#options.clock.now());
  }

  #timeoutSeconds(): number {
    return Math.floor(300 + this.#options.clock.random() * 300);
  }
}
