// Checks one open watch: probes the server when the watch is silent, and ends the watch when it is dead or no
// longer permitted. Runs until the stream ends.

import type {WatchStream} from '../client/watch-stream.ts';
import {sleep} from '../clock.ts';
import {ConnectionError, isApiError} from '../error.ts';
import {compareVersions} from '../resource-version.ts';
import {type ProbeOptions, probeSince, readServerSummary, waitForArrival} from './watch-probe.ts';

/** Milliseconds of silence before a probe. */
const silence = 30_000;
/** Milliseconds between checks of permissions and version on a busy watch. */
const routine = 45_000;
/** Milliseconds between failed probes. */
const again = 5_000;
/** Milliseconds without any proof of life that end the watch. */
const dead = 50_000;

export interface WatchMonitorOptions extends Omit<ProbeOptions, 'signal'> {
  /** Aborting ends the watch with the reason. */
  abort: AbortController;
  stream: WatchStream;
  asOf(): number;
  version(): string;
  /** No event was missed up to this time. */
  onHeard(at: number): void;
  /** The server's version is older than ours. */
  onGoneBack(): void;
  /** The number of objects in the cache. */
  cachedCount(): number;
  /** The server has another number of objects, so the watch may have lost events. */
  onCountDiffers(): void;
}

export class WatchMonitor {
  readonly #options: WatchMonitorOptions;
  #probedAt: number;
  /** The last check of a busy watch found another count. Events may have been on their way. */
  #differed = false;

  constructor(options: WatchMonitorOptions) {
    this.#options = options;
    this.#probedAt = options.clock.now();
  }

  /** `atOnce`: starts with a probe that proves whether the watch is complete. */
  async run(atOnce = false): Promise<void> {
    const {clock, abort} = this.#options;
    const {signal} = abort;
    if (atOnce) await this.#probe(true);
    while (!signal.aborted) {
      const wait = this.#due() - clock.now();
      if (wait > 0) await sleep(clock, wait, signal);
      else await this.#probe();
    }
  }

  #due(): number {
    const first = Math.min(this.#options.asOf() + silence, this.#probedAt + routine);
    return Math.max(first, this.#probedAt + again);
  }

  async #probe(complete = false): Promise<void> {
    const {clock, abort, asOf, onHeard, onGoneBack, stream} = this.#options;
    const version = this.#options.version();
    const started = clock.now();
    this.#probedAt = started;
    const probe: ProbeOptions = {...this.#options, signal: abort.signal};
    try {
      if (!complete && started - asOf() < silence) {
        const server = await readServerSummary(probe);
        const order = compareVersions(server.version, version);
        if (order === undefined || order >= 0) {
          this.#compareCount(server.count, false);
          return;
        }
        onGoneBack();
        this.#end('other', `the server went back to before version ${version}`);
        return;
      }
      const {result, count} = await probeSince(version, probe);
      switch (result) {
        case 'quiet':
          stream.caughtUp();
          onHeard(started);
          this.#compareCount(count, true);
          return;
        case 'gone back':
          onGoneBack();
          this.#end('other', `the server went back to before version ${version}`);
          return;
        case 'news':
          await this.#expect(version);
      }
    } catch (error) {
      if (abort.signal.aborted) return;
      // Permissions or credentials ended. The open watch would still show objects that are no longer permitted.
      if (isApiError(error, 401, 403, 404)) abort.abort(error);
      else if (clock.now() - asOf() > dead)
        this.#end('timeout', 'the watch is silent and the server does not answer');
    }
  }

  #compareCount(count: number | undefined, isQuiet: boolean): void {
    const differs = count !== undefined && count !== this.#options.cachedCount();
    if (differs && (isQuiet || this.#differed)) this.#options.onCountDiffers();
    this.#differed = differs;
  }

  /** The open watch must deliver the event that the second watch delivered. */
  async #expect(version: string): Promise<void> {
    const {clock, abort, stream} = this.#options;
    const moved = () => this.#options.version() !== version;
    if (await waitForArrival(clock, abort.signal, moved)) return;
    // Bytes still arrive, so the link is slow but not dead.
    if (clock.now() - stream.lastBytesAt < again) return;
    this.#end('timeout', 'the watch was silent although there were events');
  }

  #end(failure: 'timeout' | 'other', reason: string): void {
    this.#options.abort.abort(new ConnectionError(failure, 'watch', reason));
  }
}
