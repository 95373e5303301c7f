// Leader election with a Lease. A lease has expired when this process has seen no change for its duration; the times
// in the Lease do not count. The states are candidate, leading, stopped, in this order only.

import {type Clock, sleep} from '../../kube/clock.ts';
import {isApiError} from '../../kube/error.ts';
import {type LeaseLock, type LeaseRecord, type LeaseSnapshot, microTime} from './lease-record.ts';

export interface ElectorTimes {
  /** Milliseconds without a renewal before others may take over. */
  leaseDuration: number;
  /** Milliseconds that a leader tries to renew before it gives up. */
  renewDeadline: number;
  /** Milliseconds between two tries. */
  retryPeriod: number;
}

export interface ElectorOptions extends ElectorTimes {
  lock: LeaseLock;
  identity: string;
  clock: Clock;
  releaseOnCancel: boolean;
  onStartedLeading: () => void;
  /** Called when the elector ends, even if it never led. */
  onStoppedLeading: () => void;
  onNewLeader?: ((identity: string) => void) | undefined;
  /** Called for an accepted renewal or takeover. `at` is the time of the request. */
  onRenewed?: ((at: number) => void) | undefined;
  onProblem?: ((what: string, error: unknown) => void) | undefined;
}

export type ElectorState = 'candidate' | 'leading' | 'renew-failing' | 'stopped';

const jitter = 1.2;

export class LeaderElector {
  readonly #options: ElectorOptions;
  readonly #stop = new AbortController();
  #observed: LeaseSnapshot | undefined;
  #observedAt = 0;
  #tries = 0;
  #reportedLeader: string | undefined;
  #state: ElectorState = 'candidate';

  constructor(options: ElectorOptions) {
    checkTimes(options);
    if (!options.identity) throw new Error('leader election needs an identity that is not empty');
    this.#options = options;
  }

  get state(): ElectorState {
    return this.#state;
  }

  get identity(): string {
    return this.#options.identity;
  }

  /** The last holder of the lease that this process has seen. */
  get leader(): string {
    return this.#observed?.record.holderIdentity ?? '';
  }

  get record(): LeaseRecord | undefined {
    return this.#observed?.record;
  }

  isLeader(): boolean {
    return this.leader === this.#options.identity;
  }

  /** Resolves when leadership is lost or after `stop`, and after the release of the lease if configured. */
  async run(): Promise<void> {
    const {signal} = this.#stop;
    try {
      if (!(await this.#acquire(signal))) return;
      this.#state = 'leading';
      this.#options.onStartedLeading();
      await this.#renew(signal);
      if (this.#options.releaseOnCancel && this.isLeader()) await this.#release();
    } finally {
      this.#state = 'stopped';
      this.#options.onStoppedLeading();
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    const {clock, retryPeriod} = this.#options;
    while (!signal.aborted) {
      const got = await this.#tryAcquireOrRenew();
      this.#tellLeader();
      // After a stop during the request, this process must not lead.
      if (got) return !signal.aborted;
      await sleep(clock, retryPeriod * (1 + clock.random() * jitter), signal);
    }
    return false;
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const {clock, retryPeriod, renewDeadline} = this.#options;
    while (!signal.aborted) {
      const end = clock.now() + renewDeadline;
      for (;;) {
        const renewed = await beforeDeadline(clock, end, signal, this.#tryAcquireOrRenew());
        this.#tellLeader();
        if (signal.aborted) return;
        if (renewed) break;
        this.#state = 'renew-failing';
        const left = end - clock.now();
        if (left > 0) await sleep(clock, Math.min(retryPeriod, left), signal);
        if (signal.aborted || clock.now() >= end) return;
      }
      this.#state = 'leading';
      await sleep(clock, retryPeriod, signal);
    }
  }

  /** Makes one try. Never rejects. */
  async #tryAcquireOrRenew(): Promise<boolean> {
    const {lock, identity, leaseDuration, clock} = this.#options;
    const now = microTime(this.#tries++);
    const record: LeaseRecord = {
      holderIdentity: identity,
      leaseDurationSeconds: Math.max(1, Math.ceil(leaseDuration / 1000)),
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 0,
    };
    const own = this.#observed;
    if (own && this.isLeader() && this.#valid()) {
      const {acquireTime, leaseTransitions} = own.record;
      if (await this.#write(() => lock.update(own, {...record, acquireTime, leaseTransitions}), 'renew'))
        return true;
    }
    let current: LeaseSnapshot;
    try {
      current = await lock.get();
    } catch (error) {
      if (isApiError(error, 404)) return this.#write(() => lock.create(record), 'create');
      this.#options.onProblem?.('the lease could not be read', error);
      return false;
    }
    if (!this.#observed || !sameRecord(this.#observed.record, current.record)) {
      this.#observed = current;
      this.#observedAt = clock.now();
    } else this.#observed = current;
    const {holderIdentity, acquireTime, leaseTransitions} = current.record;
    if (holderIdentity && holderIdentity !== identity && this.#valid()) return false;
    const taken =
      holderIdentity === identity
        ? {...record, acquireTime, leaseTransitions}
        : {...record, leaseTransitions: leaseTransitions + 1};
    return this.#write(() => lock.update(current, taken), 'take');
  }

  async #write(write: () => Promise<LeaseSnapshot>, what: string): Promise<boolean> {
    const {clock, onRenewed, onProblem} = this.#options;
    const sent = clock.now();
    try {
      this.#observed = await write();
    } catch (error) {
      onProblem?.(`the lease could not be written (${what})`, error);
      return false;
    }
    this.#observedAt = clock.now();
    onRenewed?.(sent);
    return true;
  }

  /** Measured by our own clock since the last change. */
  #valid(): boolean {
    const {clock, leaseDuration} = this.#options;
    const {holderIdentity = '', leaseDurationSeconds = 0} = this.#observed?.record ?? {};
    // Our own duration is exact. Another holder's duration is in the Lease, in seconds.
    const lasts = holderIdentity === this.#options.identity ? leaseDuration : leaseDurationSeconds * 1000;
    return this.#observedAt + lasts > clock.now();
  }

  async #release(): Promise<void> {
    const {lock, identity, onProblem} = this.#options;
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        const current = await lock.get();
        if (current.record.holderIdentity !== identity) return;
        const now = microTime(this.#tries++);
        const {leaseTransitions} = current.record;
        this.#observed = await lock.update(current, {
          holderIdentity: '',
          leaseDurationSeconds: 1,
          acquireTime: now,
          renewTime: now,
          leaseTransitions,
        });
        return;
      } catch (error) {
        if (isApiError(error, 409)) continue;
        onProblem?.('the lease could not be released', error);
        return;
      }
    }
  }

  #tellLeader(): void {
    const {leader} = this;
    if (leader === '' || leader === this.#reportedLeader) return;
    this.#reportedLeader = leader;
    this.#options.onNewLeader?.(leader);
  }
}

export function checkTimes({leaseDuration, renewDeadline, retryPeriod}: ElectorTimes): void {
  if (!(leaseDuration > 0 && renewDeadline > 0 && retryPeriod > 0))
    throw new Error('leader election: leaseDuration, renewDeadline and retryPeriod must be greater than 0');
  if (leaseDuration <= renewDeadline)
    throw new Error(
      `leader election: leaseDuration (${leaseDuration} ms) must be longer than renewDeadline (${renewDeadline} ms)`,
    );
  if (renewDeadline <= jitter * retryPeriod)
    throw new Error(
      `leader election: renewDeadline (${renewDeadline} ms) must be longer than ${jitter} times retryPeriod (${retryPeriod} ms)`,
    );
}

function sameRecord(a: LeaseRecord, b: LeaseRecord): boolean {
  return (
    a.holderIdentity === b.holderIdentity &&
    a.renewTime === b.renewTime &&
    a.acquireTime === b.acquireTime &&
    a.leaseTransitions === b.leaseTransitions &&
    a.leaseDurationSeconds === b.leaseDurationSeconds
  );
}

/** Returns the result of a try, or false when the deadline or the signal comes first. */
async function beforeDeadline(
  clock: Clock,
  end: number,
  signal: AbortSignal,
  trying: Promise<boolean>,
): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(clock, end - clock.now(), AbortSignal.any([over.signal, signal])).then(() => false);
  try {
    return await Promise.race([trying, late]);
  } finally {
    over.abort();
  }
}
