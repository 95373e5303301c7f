// How a reflector stands: what it says it is doing, whether it ever had everything, since when it has lost touch, and
// up to when its rows are right.
import type {Clock} from '../clock.ts';
import type {ReflectorState} from './reflector-state.ts';

const first: ReflectorState = {phase: 'listing', reason: 'the first list is under way', seen: 0};

export interface ReflectorStatusOptions {
  clock: Clock;
  /** Once it has ended, nobody is told. */
  hasEnded(): boolean;
  onState(state: ReflectorState): void;
}

export class ReflectorStatus {
  readonly #options: ReflectorStatusOptions;
  #state = {...first};
  #synced = false;
  #asOf = Number.NEGATIVE_INFINITY;
  #lost: {at: number; because: string} | undefined;

  constructor(options: ReflectorStatusOptions) {
    this.#options = options;
  }

  get state(): ReflectorState {
    return this.#state;
  }

  get synced(): boolean {
    return this.#synced;
  }

  get asOf(): number {
    return this.#asOf;
  }

  begin(): void {
    this.#options.onState(this.#state);
  }

  say(state: ReflectorState): void {
    if (this.#options.hasEnded()) return;
    this.#state = state;
    this.#options.onState(state);
  }

  /** A list begins; only the first one is worth a word. */
  listing(): void {
    if (!this.#synced && this.#state.phase !== 'listing') this.say({...first});
  }

  /** How far the first list has got. */
  seen(seen: number, total?: number): void {
    if (this.#synced || (seen < this.#state.seen + 100 && seen !== total)) return;
    const reason = total === undefined ? `${seen} objects so far` : `${seen} of ${total} objects`;
    this.say({phase: 'listing', reason, seen, ...(total === undefined ? {} : {total})});
  }

  /** Everything was right at this time of the clock. */
  hear(at: number): void {
    if (at > this.#asOf) this.#asOf = at;
  }

  lose(because: string): void {
    this.#lost = {at: this.#lost?.at ?? this.#options.clock.now(), because};
  }

  /** The watch goes on where it was: nothing was missed. */
  resume(): void {
    this.#lost = undefined;
  }

  /** Holds everything again. Returns what was missed in between, if touch was lost after a first list. */
  sync(): {reason: string; lasted: number} | undefined {
    const lost = this.#synced ? this.#lost : undefined;
    this.#lost = undefined;
    this.#synced = true;
    return lost && {reason: lost.because, lasted: this.#options.clock.now() - lost.at};
  }
}
