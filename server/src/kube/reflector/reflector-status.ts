// The status of a reflector: its state, whether the first list is complete, since when the watch is lost, and the
// time up to which its objects are current.
import type {Clock} from '../clock.ts';
import type {ReflectorState} from './reflector-state.ts';

const initialState: ReflectorState = {phase: 'listing', reason: 'the first list is running', seen: 0};

export interface ReflectorStatusOptions {
  clock: Clock;
  /** True once the reflector has stopped. It then reports no more states. */
  hasEnded(): boolean;
  onState(state: ReflectorState): void;
}

export class ReflectorStatus {
  readonly #options: ReflectorStatusOptions;
  #state = {...initialState};
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

  setState(state: ReflectorState): void {
    if (this.#options.hasEnded()) return;
    this.#state = state;
    this.#options.onState(state);
  }

  /**
   * A list begins. Only the first list changes the state. A refusal stays until the server answers otherwise: a forbidden
   * kind is asked again and again, and would otherwise make its session unready each time.
   */
  listing(): void {
    const {phase} = this.#state;
    if (!this.#synced && !['listing', 'forbidden', 'unauthorized'].includes(phase))
      this.setState({...initialState});
  }

  /** Reports the progress of the first list. */
  seen(seen: number, total?: number): void {
    if (this.#synced || (seen < this.#state.seen + 100 && seen !== total)) return;
    const reason = total === undefined ? `${seen} objects so far` : `${seen} of ${total} objects`;
    this.setState({phase: 'listing', reason, seen, total});
  }

  /** All objects were current at this time of the clock. */
  setCurrent(at: number): void {
    if (at > this.#asOf) this.#asOf = at;
  }

  lose(because: string): void {
    this.#lost = {at: this.#lost?.at ?? this.#options.clock.now(), because};
  }

  /** The watch continues from the last version, so no event was missed. */
  resume(): void {
    this.#lost = undefined;
  }

  /** A list is complete. Returns the gap since the watch was lost, if any. */
  sync(): {reason: string; lasted: number} | undefined {
    const lost = this.#synced ? this.#lost : undefined;
    this.#lost = undefined;
    this.#synced = true;
    return lost && {reason: lost.because, lasted: this.#options.clock.now() - lost.at};
  }
}
