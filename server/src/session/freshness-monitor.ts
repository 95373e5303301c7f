// Reports to the engine up to which time each source is right. A source is not current if its connection failed or if
// it was silent for a minute.
import type {EngineHandle, SourceFresh} from '../engine/link/engine-link.ts';
import type {Informer} from '../kube/informer/informer.ts';

const CHECK_MS = 1000;
/** Smallest step of time that is reported: every second of every source would be noise. */
const STEP_MS = 5000;
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

  constructor(engine: Pick<EngineHandle, 'freshen'>, onChange: () => void) {
    this.#engine = engine;
    this.#onChange = onChange;
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

  /** Sources with rows that are not current, with the time of their rows. */
  get behind(): {collection: string; asOf: number}[] {
    return [...this.#sources.values()].flatMap(({reported: told}) =>
      told === undefined || told.current ? [] : [{collection: told.collection, asOf: told.asOf}],
    );
  }

  check(): void {
    const changed: SourceFresh[] = [];
    for (const [collection, source] of this.#sources) {
      const now = this.#state(collection, source);
      const {reported: told} = source;
      if (now === undefined) continue;
      if (told !== undefined && told.current === now.current && !isWorthReporting(told, now)) continue;
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
    return {
      collection,
      asOf: Math.round(performance.timeOrigin + informer.asOf),
      // Checks come once a second, and the state must change before the minute ends.
      current: !away && now - informer.asOf <= OLD_MS - CHECK_MS,
    };
  }
}

function isWorthReporting(reported: SourceFresh, now: SourceFresh): boolean {
  const step = now.asOf - reported.asOf;
  return (
    step >= STEP_MS || (step > 0 && performance.timeOrigin + performance.now() - reported.asOf > AGED_MS)
  );
}
