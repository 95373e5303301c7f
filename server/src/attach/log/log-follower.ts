// The log of one attached program: its source, its lines and its state for people.
import type {AttachedState} from '@krtscope/shared/session.ts';
import type {LogSource} from './log-source.ts';
import {LogStream} from './log-stream.ts';
import type {LogBatch, RunAssemblerOptions} from './run-assembler.ts';

type LogState = NonNullable<AttachedState['log']>;

/** A line without an end that stays so long is complete. */
const REST_MS = 300;

export class LogFollower {
  readonly #source: LogSource;
  readonly #stream: LogStream;
  #runs = 0;
  #reason: string | undefined;
  /** When the last line of krt's debug scope came, milliseconds since 1970. */
  #lastKrtAt: number | undefined;
  #lastLineAt: number | undefined;
  #restTimer: NodeJS.Timeout | undefined;
  /** Rows changed and the log said nothing about them. */
  #isMissingLines = false;

  constructor(source: LogSource, options: RunAssemblerOptions) {
    this.#source = source;
    this.#stream = new LogStream(options);
  }

  /** Calls `changed` after lines came or the state changed. */
  start(changed: () => void): void {
    this.#source.start({
      data: piece => {
        this.#read(() => this.#stream.write(piece));
        changed();
        clearTimeout(this.#restTimer);
        if (!this.#stream.hasRest) return;
        this.#restTimer = setTimeout(() => {
          this.#read(() => this.#stream.endFile());
          changed();
        }, REST_MS);
      },
      restart: () => this.#read(() => this.#stream.endFile()),
      problem: reason => {
        if (reason === this.#reason) return;
        this.#reason = reason;
        changed();
      },
    });
  }

  #read(read: () => void): void {
    const {krt, lines} = this.#stream.counts;
    read();
    if (this.#stream.counts.lines > lines) this.#lastLineAt = Date.now();
    if (this.#stream.counts.krt === krt) return;
    this.#lastKrtAt = Date.now();
    this.#isMissingLines = false;
  }

  stop(): Promise<void> {
    clearTimeout(this.#restTimer);
    return this.#source.stop();
  }

  /** Whether lines of krt's debug scope come. */
  get isTelling(): boolean {
    return this.#lastKrtAt !== undefined && !this.#isMissingLines;
  }

  get lastKrtAt(): number | undefined {
    return this.#lastKrtAt;
  }

  /** What the owners did since the last call. */
  take(): LogBatch[] {
    const batches = this.#stream.take();
    for (const {runs} of batches) this.#runs += runs.length;
    return batches;
  }

  /** The debug scope seems to be off: rows changed without a line. */
  reportMissingLines(): void {
    this.#isMissingLines = true;
  }

  get state(): LogState {
    const {lines, krt, unread, samples} = this.#stream.counts;
    const level = krt === 0 ? (lines > 0 ? 'info' : 'unknown') : this.#isMissingLines ? 'info' : 'debug';
    const state: LogState = {
      state: lines === 0 ? 'silent' : 'following',
      lines,
      runs: this.#runs,
      unread,
      level,
      source: this.#source.text,
    };
    if (this.#lastLineAt !== undefined) state.asOf = this.#lastLineAt;
    if (this.#reason !== undefined) state.reason = this.#reason;
    if (samples.length > 0) state.samples = [...samples];
    return state;
  }
}
