// The source that `ctx.minute()` reads: one row with the current minute. It exists only while formulas use it.
import type {EngineFailure, EngineHandle} from '../../engine/link/engine-link.ts';
import {CLOCK} from '../../formula/compile/scope-names.ts';

const MINUTE_MS = 60_000;
/** A draft that stopped using the clock for this long counts as closed. */
const UNUSED_MS = 10 * MINUTE_MS;
const KEY = 'minute';

export class MinuteClock {
  readonly #engine: Pick<EngineHandle, 'command' | 'apply' | 'sourceState'>;
  readonly #now: () => number;
  #adding: Promise<void> | undefined;
  #lastUse = 0;
  #written: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(engine: Pick<EngineHandle, 'command' | 'apply' | 'sourceState'>, now: () => number = Date.now) {
    this.#engine = engine;
    this.#now = now;
  }

  /** Resolves when the source exists. Rejects with EngineFailure if a collection of another kind has its name. */
  async start(): Promise<void> {
    this.#lastUse = this.#now();
    this.#adding ??= this.#add().catch((error: unknown) => {
      this.#adding = undefined;
      throw error;
    });
    await this.#adding;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #add(): Promise<void> {
    await this.#engine.command({command: 'add-source', source: {collection: CLOCK}});
    this.#write();
    this.#engine.sourceState(CLOCK, {state: 'synced', synced: true});
    this.#schedule();
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#tick(), MINUTE_MS - (this.#now() % MINUTE_MS));
    this.#timer.unref();
  }

  async #tick(): Promise<void> {
    if (this.#now() - this.#lastUse > UNUSED_MS && (await this.#drop())) return;
    this.#write();
    this.#schedule();
  }

  /** False while a formula reads it. */
  async #drop(): Promise<boolean> {
    try {
      await this.#engine.command({command: 'drop-source', name: CLOCK});
      this.#adding = undefined;
      this.#written = undefined;
      return true;
    } catch (error) {
      if ((error as EngineFailure).code === 'in-use') this.#lastUse = this.#now();
      return false;
    }
  }

  /** A timer may fire early, and a clock may step back: the minute is written only if it differs. */
  #write(): void {
    const now = this.#now();
    const minute = now - (now % MINUTE_MS);
    if (minute === this.#written) return;
    this.#engine.apply([
      {
        collection: CLOCK,
        key: KEY,
        event: this.#written === undefined ? 'add' : 'update',
        new: {key: KEY, minute, time: new Date(minute).toISOString()},
        writer: {manager: 'krtscope', operation: 'Update'},
        received: now,
      },
    ]);
    this.#written = minute;
  }
}
