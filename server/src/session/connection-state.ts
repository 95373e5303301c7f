// Derives from all sources whether the cluster answers. One forbidden kind is not an outage.
import type {SessionAnswer} from '@krtscope/shared/session.ts';
import type {ReflectorState} from '../kube/reflector/reflector-state.ts';

export type SessionConnection = SessionAnswer['connection'];

export class ConnectionState {
  readonly #states = new Map<string, ReflectorState>();
  readonly #now: () => number;
  readonly #kubectl: string;
  #answered = false;
  current: SessionConnection;

  /** `kubectl` is the command for the same cluster, to be copied by a person. */
  constructor(kubectl: string, now: () => number) {
    this.#kubectl = kubectl;
    this.#now = now;
    this.current = {state: 'connecting', since: now()};
  }

  /** Records a source's state. Returns true if the connection changed. */
  record(collection: string, state: ReflectorState): boolean {
    this.#states.set(collection, state);
    const states = [...this.#states.values()];
    const answers = ({phase}: ReflectorState) => !isSilent(phase) && phase !== 'listing';
    const answering = states.some(one => answers(one) || (one.phase === 'listing' && one.seen > 0));
    if (answering) this.#answered = true;
    const silent = states.filter(one => isSilent(one.phase));
    if (answering && silent.length < states.length) return this.#setState('connected');
    if (silent.length < states.length || states.length === 0) return false;
    const reason = silent.find(one => one.phase !== 'reconnecting')?.reason ?? silent[0]?.reason ?? '';
    return this.#setState(this.#answered ? 'lost' : 'unreachable', reason);
  }

  /** Forgets a source that is no longer read. */
  forget(collection: string): void {
    this.#states.delete(collection);
  }

  /** Records that the cluster cannot be contacted at all. */
  fail(reason: string): void {
    this.#setState('unreachable', reason);
  }

  #setState(state: SessionConnection['state'], reason?: string): boolean {
    if (this.current.state === state && this.current.reason === reason) return false;
    const since = this.current.state === state ? this.current.since : this.#now();
    const hint = `${this.#kubectl} version`;
    this.current = {state, since, reason, hint: reason === undefined ? undefined : hint};
    return true;
  }
}

/** A server that rejects our credentials is like an outage: the shown data gets old. */
function isSilent(phase: ReflectorState['phase']): boolean {
  return phase === 'unreachable' || phase === 'reconnecting' || phase === 'unauthorized';
}
