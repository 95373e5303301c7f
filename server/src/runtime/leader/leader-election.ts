// Leader election of a manager: the place of the lease, our identity, and the loss of the lease.

import {randomUUID} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import type {Clock} from '../../kube/clock.ts';
import {type Resource, resourcePath, resources} from '../../kube/resource.ts';
import type {Wire} from '../../kube/transport/transport.ts';
import type {Logger} from '../log/logger.ts';
import type {Metrics} from '../metrics/metrics.ts';
import {checkTimes, LeaderElector} from './elector.ts';
import {LeaseLock, type LeaseRef, makeIdentity, microTime} from './lease-record.ts';
import {WriteFence} from './write-fence.ts';

export interface LeaderElectionOptions {
  /** The name of the Lease. All candidates use the same name. */
  id: string;
  /** The namespace of the Lease. Default: the namespace of this Pod. */
  namespace?: string | undefined;
  /** Milliseconds. The defaults of the three times are 15 s, 10 s and 2 s. */
  leaseDuration?: number | undefined;
  renewDeadline?: number | undefined;
  retryPeriod?: number | undefined;
  /**
   * Release the lease at the end, so that another process need not wait until it expires. Default: false. Set it only
   * if the program ends right after its manager.
   */
  releaseOnCancel?: boolean | undefined;
  /** Default: the host name and a random suffix. */
  identity?: string | undefined;
  /** Only Leases are supported. */
  resourceLock?: 'leases' | undefined;
}

export interface LeaderElectionDependencies {
  wire: Wire;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

/** The lease as the Controllers view shows it. */
export interface LeaderView {
  lease: string;
  identity: string;
  leader: string;
  state: LeaderElector['state'];
  leading: boolean;
  renewTime?: string | undefined;
  /** The duration of the lease in milliseconds, from the last renewal. */
  duration?: number | undefined;
  transitions?: number | undefined;
}

export class LeaderElection {
  readonly fence: WriteFence;
  readonly place: LeaseRef;
  readonly identity: string;
  readonly #options: Required<Pick<LeaderElectionOptions, 'leaseDuration' | 'renewDeadline' | 'retryPeriod'>>;
  readonly #release: boolean;
  readonly #around: LeaderElectionDependencies;
  #elector: LeaderElector | undefined;

  /** Throws on inconsistent times and when the namespace is unknown. */
  constructor(options: LeaderElectionOptions, around: LeaderElectionDependencies) {
    if (!options.id)
      throw new Error('leader election needs an id: the name of the Lease that all processes share');
    if (options.resourceLock !== undefined && options.resourceLock !== 'leases')
      throw new Error(
        `leader election: the lock ${JSON.stringify(options.resourceLock)} is not supported; use leases`,
      );
    const times = {
      leaseDuration: options.leaseDuration ?? 15_000,
      renewDeadline: options.renewDeadline ?? 10_000,
      retryPeriod: options.retryPeriod ?? 2000,
    };
    checkTimes(times);
    this.#options = times;
    this.#release = options.releaseOnCancel ?? false;
    this.#around = around;
    this.place = {namespace: options.namespace ?? ownNamespace(), name: options.id};
    this.identity = options.identity ?? makeIdentity(randomUUID);
    this.fence = new WriteFence(around.clock, times.renewDeadline);
  }

  /**
   * Takes part in the election. `onLost` is called if leadership ends before `stop`, `onSeen` when the lease is renewed
   * or has another holder. Resolves when the election is over.
   */
  async run(onElected: () => void, onLost: () => void, onSeen: () => void = () => {}): Promise<void> {
    const {wire, clock, log, metrics} = this.#around;
    const status = metrics.masterStatus.labels({name: this.place.name});
    status.set(0);
    const timeout = Math.max(1000, this.#options.renewDeadline / 2);
    const {identity} = this;
    let led = false;
    const elector = new LeaderElector({
      ...this.#options,
      lock: new LeaseLock(wire, this.place, timeout),
      identity,
      clock,
      releaseOnCancel: this.#release,
      onRenewed: at => {
        this.fence.renewed(at);
        onSeen();
      },
      onNewLeader: leader => {
        log.info('new leader', {leader, lease: this.place.name});
        onSeen();
      },
      onProblem: (problem, error) => log.warn(problem, {lease: this.place.name, error}),
      onStartedLeading: () => {
        led = true;
        status.set(1);
        void this.#note('became leader');
        onElected();
      },
      onStoppedLeading: () => {
        status.set(0);
        this.fence.close();
      },
    });
    this.#elector = elector;
    await elector.run();
    if (led && !this.#stopped) {
      onLost();
      return;
    }
    if (led) await this.#note('stopped leading');
  }

  #stopped = false;

  stop(): void {
    this.#stopped = true;
    this.#elector?.stop();
  }

  view(): LeaderView {
    const elector = this.#elector;
    const seconds = elector?.record?.leaseDurationSeconds;
    return {
      lease: `${this.place.namespace}/${this.place.name}`,
      identity: this.identity,
      leader: elector?.leader ?? '',
      state: elector?.state ?? 'candidate',
      leading: elector?.state === 'leading' || elector?.state === 'renew-failing',
      renewTime: elector?.record?.renewTime,
      duration: seconds === undefined ? undefined : seconds * 1000,
      transitions: elector?.record?.leaseTransitions,
    };
  }

  /** Writes an Event about the Lease. A failure is only logged. */
  async #note(what: string): Promise<void> {
    const {wire, log} = this.#around;
    const {namespace, name} = this.place;
    const now = microTime();
    const seconds = `${now.slice(0, 19)}Z`;
    const body = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {namespace, name: `${name}.${Date.now().toString(16)}${randomUUID().slice(0, 4)}`},
      involvedObject: {apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', namespace, name},
      reason: 'LeaderElection',
      message: `${this.identity} ${what}`,
      type: 'Normal',
      source: {component: this.identity},
      firstTimestamp: seconds,
      lastTimestamp: seconds,
      count: 1,
    };
    try {
      const path = resourcePath(resources.Events as Resource, {namespace});
      await wire.request({method: 'POST', path, body, retries: 0, timeout: 1000});
    } catch (error) {
      log.warn('cannot record Event', {error});
    }
  }
}

const namespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

function ownNamespace(): string {
  if (existsSync(namespaceFile)) return readFileSync(namespaceFile, 'utf8').trim();
  throw new Error('leader election needs a namespace: outside a cluster, set leaderElection.namespace');
}
