// Tells the engine up to when each source is right. A source that has not been heard of for a minute, or whose
// connection has failed, is not current, whatever its rows look like.
import type {EngineHandle, SourceFresh} from '../engine/link/engine-link.ts';
import type {Informer} from '../kube/informer/informer.ts';

const LOOK_MS = 1000;
/** A step of the clock that is worth telling: every second of every source would be noise. */
const STEP_MS = 5000;
const OLD_MS = 60_000;
/** Rows this old are told by the second: what was told last may not be called current past the minute. */
const AGED_MS = 45_000;
/** A connection that comes back within this time was never away. */
const BLINK_MS = 3000;

interface MonitoredSource {
  readonly informer: Informer;
  awaySince: number | undefined;
  told: SourceFresh | undefined;
}

export class FreshnessMonitor {
  readonly #engine: Pick<EngineHandle, 'freshen'>;
  readonly #onChange: () => void;
  readonly #sources = new Map<string, MonitoredSource>();
  readonly #timer: NodeJS.Timeout;

  constructor(engine: Pick<EngineHandle, 'freshen'>, onChange: () => void) {
    this.#engine = engine;
    this.#onChange = onChange;
    this.#timer = setInterval(() => this.check(), LOOK_MS);
    this.#timer.unref();
  }

  add(collection: string, informer: Informer): void {
    this.#sources.set(collection, {informer, awaySince: undefined, told: undefined});
  }

  drop(collection: string): void {
    this.#sources.delete(collection);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The oldest of all and the worst; undefined before the first list of any. */
  get worst(): {asOf: number; current: boolean} | undefined {
    let worst: {asOf: number; current: boolean} | undefined;
    for (const {told} of this.#sources.values()) {
      if (told === undefined) continue;
      worst = {
        asOf: Math.min(worst?.asOf ?? told.asOf, told.asOf),
        current: (worst?.current ?? true) && told.current,
      };
    }
    return worst;
  }

  /** Sources that have rows and are not current, by name, with the time of their rows. */
  get behind(): {collection: string; asOf: number}[] {
    return [...this.#sources.values()].flatMap(({told}) =>
      told === undefined || told.current ? [] : [{collection: told.collection, asOf: told.asOf}],
    );
  }

  check(): void {
    const news: SourceFresh[] = [];
    for (const [collection, source] of this.#sources) {
      const now = this.#state(collection, source);
      const {told} = source;
      if (now === undefined) continue;
      if (told !== undefined && told.current === now.current && !isWorthReporting(told, now)) continue;
      source.told = now;
      news.push(now);
    }
    if (news.length === 0) return;
    this.#engine.freshen(news);
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
      // It is looked at once a second, and has to have ended by the minute.
      current: !away && now - informer.asOf <= OLD_MS - LOOK_MS,
    };
  }
}

function isWorthReporting(told: SourceFresh, now: SourceFresh): boolean {
  const step = now.asOf - told.asOf;
  return step >= STEP_MS || (step > 0 && performance.timeOrigin + performance.now() - told.asOf > AGED_MS);
}
