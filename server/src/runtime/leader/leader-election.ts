// The manager's side of leader election: where the lease is, who we are, and what happens when it is lost.

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
  /** The name of the Lease: the same for every process that stands for election. */
  id: string;
  /** Where the Lease is; otherwise the namespace of the Pod this runs in. */
  namespace?: string | undefined;
  /** Milliseconds: 15 s, 10 s, 2 s. */
  leaseDuration?: number | undefined;
  renewDeadline?: number | undefined;
  retryPeriod?: number | undefined;
  /**
   * Give the lease back at the end, so that another need not wait for it to run out. Off: only for programs that
   * end right after their manager does.
   */
  releaseOnCancel?: boolean | undefined;
  /** Otherwise the host's name and a random one. */
  identity?: string | undefined;
  /** There is only one kind of lock. */
  resourceLock?: 'leases' | undefined;
}

export interface LeaderElectionDependencies {
  wire: Wire;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

/** What a viewer is told of the lease. */
export interface LeaderView {
  lease: string;
  identity: string;
  leader: string;
  state: LeaderElector['state'];
  leading: boolean;
  renewTime?: string | undefined;
  /** Milliseconds that it lasts from then on, as the lease says. */
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

  /** Throws on times that cannot work, and where no namespace is known. */
  constructor(options: LeaderElectionOptions, around: LeaderElectionDependencies) {
    if (!options.id)
      throw new Error('leader election needs an id: the name of the Lease that all processes share');
    if (options.resourceLock !== undefined && options.resourceLock !== 'leases')
      throw new Error(
        `leader election: the lock ${JSON.stringify(options.resourceLock)} is none; use leases`,
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
   * Stands for election; `onLost` is called if leadership ends before `stop`, `onSeen` when the lease was renewed or has
   * another holder. Resolves when all is over.
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
        log.info('there is a new leader', {leader, lease: this.place.name});
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

  /** An Event on the Lease, for whoever looks. Not worth failing for. */
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
      log.warn('an event could not be recorded', {error});
    }
  }
}

const namespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

function ownNamespace(): string {
  if (existsSync(namespaceFile)) return readFileSync(namespaceFile, 'utf8').trim();
  throw new Error(
    'leader election needs a namespace: outside a cluster, say which with leaderElection.namespace',
  );
}
