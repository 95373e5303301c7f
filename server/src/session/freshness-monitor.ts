// Reports to the engine up to which time each source is right. A source is not current if its connection failed or if
// it was silent for a minute. Sources use monotonic time; this file converts it to wall time and notices its steps.
import type {EngineHandle, SourceFresh} from '../engine/link/engine-link.ts';
import type {Informer} from '../kube/informer/informer.ts';

const CHECK_MS = 1000;
/** Smallest change of a source's time that is reported: every second of every source would be noise. */
const REPORT_MS = 5000;
/** Smallest difference between wall time and monotonic time that counts as a step of the wall clock. */
const CLOCK_STEP_MS = 5000;
/** A check that comes this much late means that the process was stopped, or starved of processor time. */
const PAUSE_MS = 10_000;
const OLD_MS = 60_000;
/** Rows of this age are reported every second, so that they do not count as current after the minute. */
const AGED_MS = 45_000;
/** A connection that returns within this time counts as uninterrupted. */
const BLINK_MS = 3000;

interface MonitoredSource {
  readonly informer: Informer;
  awaySince: number | undefined;
  reported: SourceFresh | undefined;
}

export class FreshnessMonitor {
  readonly #engine: Pick<EngineHandle, 'freshen'>;
  readonly #onChange: () => void;
  readonly #sources = new Map<string, MonitoredSource>();
  readonly #timer: NodeJS.Timeout;
  readonly #askAgain: (reason: string) => void;
  #checkedAt = performance.now();
  /** Wall time minus monotonic time. */
  #offset = Date.now() - performance.now();
  /** The last step of the wall clock in monotonic time, and the offset before it. */
  #step: {at: number; offset: number} | undefined;

  /** `askAgain` must make all sources ask again: the machine may have slept, and their watches with it. */
  constructor(
    engine: Pick<EngineHandle, 'freshen'>,
    onChange: () => void,
    askAgain: (reason: string) => void = () => {},
  ) {
    this.#engine = engine;
    this.#onChange = onChange;
    this.#askAgain = askAgain;
    this.#timer = setInterval(() => this.check(), CHECK_MS);
    this.#timer.unref();
  }

  add(collection: string, informer: Informer): void {
    this.#sources.set(collection, {informer, awaySince: undefined, reported: undefined});
  }

  drop(collection: string): void {
    this.#sources.delete(collection);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The oldest time, and whether all are current; undefined before the first list. */
  get worst(): {asOf: number; current: boolean} | undefined {
    let worst: {asOf: number; current: boolean} | undefined;
    for (const {reported: told} of this.#sources.values()) {
      if (told === undefined) continue;
      worst = {
        asOf: Math.min(worst?.asOf ?? told.asOf, told.asOf),
        current: (worst?.current ?? true) && told.current,
      };
    }
    return worst;
  }

  isCurrent(collection: string): boolean {
    return this.#sources.get(collection)?.reported?.current === true;
  }

  /** Sources with rows that are not current, with the time of their rows. */
  get behind(): {collection: string; asOf: number}[] {
    return [...this.#sources.values()].flatMap(({reported: told}) =>
      told === undefined || told.current ? [] : [{collection: told.collection, asOf: told.asOf}],
    );
  }

  check(): void {
    this.#checkClock();
    const changed: SourceFresh[] = [];
    for (const [collection, source] of this.#sources) {
      const now = this.#state(collection, source);
      const {reported: told} = source;
      if (now === undefined) continue;
      if (told !== undefined && told.current === now.current && !this.#isWorthReporting(told, now)) continue;
      source.reported = now;
      changed.push(now);
    }
    if (changed.length === 0) return;
    this.#engine.freshen(changed);
    this.#onChange();
  }

  #state(collection: string, source: MonitoredSource): SourceFresh | undefined {
    const {informer} = source;
    const now = performance.now();
    const {phase} = informer.state;
    const here = phase === 'synced' || phase === 'not installed';
    source.awaySince = here ? undefined : (source.awaySince ?? now);
    if (!Number.isFinite(informer.asOf)) return undefined;
    const away = source.awaySince !== undefined && now - source.awaySince > BLINK_MS;
    // An answer from before a step belongs to the time before it, and the machine may have slept since.
    const beforeStep = this.#step !== undefined && informer.asOf < this.#step.at;
    const offset = beforeStep ? Math.min(this.#offset, this.#step?.offset ?? this.#offset) : this.#offset;
    return {
      collection,
      asOf: Math.round(offset + informer.asOf),
      // Checks come once a second, and the state must change before the minute ends.
      current: !away && !beforeStep && now - informer.asOf <= OLD_MS - CHECK_MS,
    };
  }

  #checkClock(): void {
    const now = performance.now();
    const offset = Date.now() - now;
    const step = offset - this.#offset;
    const pause = now - this.#checkedAt - CHECK_MS;
    this.#checkedAt = now;
    if (Math.abs(step) > CLOCK_STEP_MS || pause > PAUSE_MS) {
      // Events that waited in a buffer during a pause are older than the moment at which they are read.
      this.#step = {at: now, offset: this.#offset};
      this.#askAgain(Math.abs(step) > CLOCK_STEP_MS ? describeClockStep(step) : describePause(pause));
    }
    // Follow small differences, which accumulate while the wall clock is adjusted.
    this.#offset = offset;
  }

  #isWorthReporting(reported: SourceFresh, now: SourceFresh): boolean {
    const step = now.asOf - reported.asOf;
    if (Math.abs(step) >= REPORT_MS) return true;
    return step > 0 && performance.now() + this.#offset - reported.asOf > AGED_MS;
  }
}

/** A sentence about a step of the wall clock, for the state of the sources and the log. */
function describeClockStep(ms: number): string {
  return `the clock of this machine stepped ${ms > 0 ? 'forward' : 'back'} by ${durationText(ms)}`;
}

function describePause(ms: number): string {
  return `krtscope did not run for ${durationText(ms)}`;
}

function durationText(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
