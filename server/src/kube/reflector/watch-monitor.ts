// Keeps one open watch honest: a silent one is asked after, and one that may no longer be is ended. Runs beside
// the reading of the stream and ends with it.

import type {WatchStream} from '../client/watch-stream.ts';
import {sleep} from '../clock.ts';
import {ConnectionError, isApiError} from '../error.ts';
import {compareVersions} from '../resource-version.ts';
import {type ProbeOptions, probeSince, readServerVersion, waitForArrival} from './watch-probe.ts';

/** Silence that is asked about, and how often rights and version are looked at when there is none. */
const silence = 30_000;
const routine = 45_000;
/** A question that failed is put again after this long, and nothing heard for so long ends the watch. */
const again = 5_000;
const dead = 50_000;

export interface WatchMonitorOptions extends Omit<ProbeOptions, 'signal'> {
  /** Aborting ends the watch with the reason. */
  abort: AbortController;
  stream: WatchStream;
  asOf(): number;
  version(): string;
  /** Nothing was missed up to this time. */
  onHeard(at: number): void;
  /** The server knows less than we do. */
  onGoneBack(): void;
}

export class WatchMonitor {
  readonly #options: WatchMonitorOptions;
  #asked: number;

  constructor(options: WatchMonitorOptions) {
    this.#options = options;
    this.#asked = options.clock.now();
  }

  async run(): Promise<void> {
    const {clock, abort} = this.#options;
    const {signal} = abort;
    while (!signal.aborted) {
      const wait = this.#due() - clock.now();
      if (wait > 0) await sleep(clock, wait, signal);
      else await this.#ask();
    }
  }

  #due(): number {
    const first = Math.min(this.#options.asOf() + silence, this.#asked + routine);
    return Math.max(first, this.#asked + again);
  }

  async #ask(): Promise<void> {
    const {clock, abort, asOf, onHeard, onGoneBack, stream} = this.#options;
    const version = this.#options.version();
    const started = clock.now();
    this.#asked = started;
    const probe: ProbeOptions = {...this.#options, signal: abort.signal};
    try {
      if (started - asOf() < silence) {
        const order = compareVersions(await readServerVersion(probe), version);
        if (order === undefined || order >= 0) return;
        onGoneBack();
        this.#end('other', `the server went back behind version ${version}`);
        return;
      }
      switch (await probeSince(version, probe)) {
        case 'quiet':
          stream.caughtUp();
          onHeard(started);
          return;
        case 'gone back':
          onGoneBack();
          this.#end('other', `the server went back behind version ${version}`);
          return;
        case 'news':
          await this.#expect(version);
      }
    } catch (error) {
      if (abort.signal.aborted) return;
      // Rights were taken, or credentials ended: the watch goes on and shows what we may no longer see.
      if (isApiError(error, 401, 403, 404)) abort.abort(error);
      else if (clock.now() - asOf() > dead) this.#end('timeout', 'nothing was heard, and nobody answers');
    }
  }

  /** The open watch has to bring what another one brought. */
  async #expect(version: string): Promise<void> {
    const {clock, abort, stream} = this.#options;
    const moved = () => this.#options.version() !== version;
    if (await waitForArrival(clock, abort.signal, moved)) return;
    // Bytes still come: a slow link, not a dead one.
    if (clock.now() - stream.heard < again) return;
    this.#end('timeout', 'the watch was silent although there was news');
  }

  #end(failure: 'timeout' | 'other', reason: string): void {
    this.#options.abort.abort(new ConnectionError(failure, 'watch', reason));
  }
}
