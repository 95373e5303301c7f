// Whether a session's cluster answers, told by its sources together: one kind that is denied is not an outage.
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {ReflectorState} from '../kube/reflector/reflector-state.ts';

export type SessionConnection = SessionAnswer['connection'];

export class ConnectionState {
  readonly #states = new Map<string, ReflectorState>();
  readonly #now: () => number;
  readonly #kubectl: string;
  #answered = false;
  current: SessionConnection;

  /** `kubectl`: the command that reaches the same cluster, for a person to copy. */
  constructor(kubectl: string, now: () => number) {
    this.#kubectl = kubectl;
    this.#now = now;
    this.current = {state: 'connecting', since: now()};
  }

  /** Takes a source's state in; true when the whole changed. */
  note(collection: string, state: ReflectorState): boolean {
    this.#states.set(collection, state);
    const states = [...this.#states.values()];
    const answers = ({phase}: ReflectorState) => !isSilent(phase) && phase !== 'listing';
    const heard = states.some(one => answers(one) || (one.phase === 'listing' && one.seen > 0));
    if (heard) this.#answered = true;
    const silent = states.filter(one => isSilent(one.phase));
    if (heard && silent.length < states.length) return this.#setState('connected');
    if (silent.length < states.length || states.length === 0) return false;
    const reason = silent.find(one => one.phase !== 'reconnecting')?.reason ?? silent[0]?.reason ?? '';
    return this.#setState(this.#answered ? 'lost' : 'unreachable', reason);
  }

  /** A source that is no longer read says nothing any more. */
  forget(collection: string): void {
    this.#states.delete(collection);
  }

  /** The cluster cannot even be tried. */
  fail(reason: string): void {
    this.#setState('unreachable', reason);
  }

  #setState(state: SessionConnection['state'], reason?: string): boolean {
    if (this.current.state === state && this.current.reason === reason) return false;
    const since = this.current.state === state ? this.current.since : this.#now();
    const hint = `${this.#kubectl} version`;
    this.current = {state, since, ...(reason === undefined ? {} : {reason, hint})};
    return true;
  }
}

/** A server that takes none of our credentials tells us nothing: what is shown is as old as during an outage. */
function isSilent(phase: ReflectorState['phase']): boolean {
  return phase === 'unreachable' || phase === 'reconnecting' || phase === 'unauthorized';
}
