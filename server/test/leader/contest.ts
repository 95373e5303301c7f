// Two managers in their own processes compete for one Lease, and the leader is killed, stopped or cut off.
// The server runs in this process and sees all writes in order. A write by a manager without the Lease is the
// failure.
import {type ChildProcess, fork} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {at, stringAt} from '../../src/cluster/object/stored-object.ts';
import type {EmbeddedCluster} from '../../src/cluster/start.ts';
import {FaultProxy} from '../fault-proxy.ts';
import {eventually} from '../manual-clock.ts';
import {EventLoopLag} from './event-loop-lag.ts';

export const leaderDisruptions = ['kill', 'stop', 'partition'] as const;
export type LeaderDisruption = (typeof leaderDisruptions)[number];

export interface Times {
  leaseDuration: number;
  renewDeadline: number;
  retryPeriod: number;
}

export interface ContestRound {
  disruption: LeaderDisruption;
  /** Milliseconds from the old leader's last renewal to the new leader's first. */
  takeover: number;
  /** Milliseconds of the takeover that the machine delayed the server or the new leader. */
  lag: number;
  /** Writes of the old leader. */
  writes: number;
}

interface Candidate {
  identity: string;
  child: ChildProcess;
  proxy: FaultProxy;
  gone: Promise<void>;
  /** The test ends this process. */
  struck: boolean;
  /** Total delay by the machine, as the process last reported. */
  lag: number;
}

/** Time that a write may take from the sender's check to the server's storage on a busy machine. */
const ON_THE_WAY_MS = 500;
/** Far longer than any expected time, for busy machines. */
const PATIENCE_MS = 60_000;
const candidateFile = fileURLToPath(new URL('./candidate.ts', import.meta.url));

export class Contest {
  /** Failures in words. */
  readonly wrong: string[] = [];
  readonly #cluster: EmbeddedCluster;
  readonly #times: Times;
  readonly #candidates = new Map<string, Candidate>();
  readonly #lag = new EventLoopLag();
  #named = 0;
  #holder = '';
  #renewed = 0;
  #writes = new Map<string, number>();

  constructor(cluster: EmbeddedCluster, times: Times) {
    this.#cluster = cluster;
    this.#times = times;
    cluster.api.storage.listeners.add((shelf, {object}) => {
      if (shelf === 'coordination.k8s.io/leases' && object.metadata.name === 'lock')
        this.#seeLease(stringAt(object, 'spec', 'holderIdentity'));
      if (shelf === 'configmaps' && object.metadata.name === 'work')
        this.#seeWrite(stringAt(object, 'data', 'by'), String(at(object, 'data', 'n')));
    });
  }

  async start(): Promise<void> {
    await this.#join();
    await this.#join();
    await this.#leads(() => true);
  }

  async round(disruption: LeaderDisruption): Promise<ContestRound> {
    await this.#stand();
    const old = this.#holder;
    const leader = this.#candidates.get(old);
    // The leader ended by itself, because the machine was too busy for its Lease. Another one will lead.
    if (!leader) {
      await this.#leads(holder => this.#candidates.has(holder));
      return this.round(disruption);
    }
    leader.struck = true;
    const heldUp = () => this.#heldUp(old);
    const lagBefore = heldUp();
    await this.#strike(disruption, leader);
    const last = () => this.#renewed;
    let renewed = last();
    await eventually(
      `another leads after ${disruption}`,
      () => {
        if (this.#holder !== old) return true;
        renewed = last();
        return false;
      },
      {every: 1, limit: PATIENCE_MS},
    );
    const takeover = this.#renewed - renewed;
    await this.#leads(holder => holder !== old);
    const lag = heldUp() - lagBefore;
    // The old leader continues and must notice that its Lease is over.
    if (disruption === 'stop') leader.child.kill('SIGCONT');
    if (disruption === 'partition') leader.proxy.rules = [];
    await leader.gone;
    await leader.proxy.close();
    this.#candidates.delete(old);
    await this.#join();
    return {disruption, takeover, lag, writes: this.#writes.get(old) ?? 0};
  }

  async stop(): Promise<void> {
    this.#lag.end();
    for (const candidate of this.#candidates.values()) {
      const {child, proxy, gone} = candidate;
      candidate.struck = true;
      child.kill('SIGKILL');
      await gone;
      await proxy.close();
    }
  }

  #heldUp(leader: string): number {
    const others = [...this.#candidates.values()].filter(({identity}) => identity !== leader);
    return others.reduce((sum, {lag}) => sum + lag, this.#lag.total);
  }

  async #strike(disruption: LeaderDisruption, {child, proxy}: Candidate): Promise<void> {
    if (disruption === 'kill') child.kill('SIGKILL');
    if (disruption === 'stop') child.kill('SIGSTOP');
    if (disruption !== 'partition') return;
    proxy.rules = [() => ({kind: 'hang'})];
    proxy.resetAll();
  }

  #seeLease(holder: string): void {
    const now = performance.now();
    const early =
      this.#holder !== '' && this.#holder !== holder && now - this.#renewed < this.#times.leaseDuration;
    if (early)
      this.wrong.push(
        `${holder} took the lease of ${this.#holder} ${Math.round(now - this.#renewed)} ms after its renewal`,
      );
    this.#holder = holder;
    this.#renewed = now;
  }

  #seeWrite(by: string, n: string): void {
    this.#writes.set(by, (this.#writes.get(by) ?? 0) + 1);
    if (by !== this.#holder)
      this.wrong.push(`write ${n} of ${by} was accepted while ${this.#holder} held the lease`);
    const age = performance.now() - this.#renewed;
    // The sender counts from the time it sent its renewal, which is before the server saw it.
    if (age > this.#times.renewDeadline + ON_THE_WAY_MS)
      this.wrong.push(`write ${n} of ${by} was accepted ${Math.round(age)} ms after its last renewal`);
  }

  /**
   * Waits until all candidates have looked at the Lease twice, because a later one must wait for its whole
   * duration.
   */
  async #stand(): Promise<void> {
    const looked = ({proxy}: Candidate) =>
      proxy.seen.filter(({path}) => path.includes('/leases/')).length > 1;
    await eventually('both stand', () => [...this.#candidates.values()].every(looked), {
      every: 5,
      limit: PATIENCE_MS,
    });
  }

  /** Waits until a matching candidate leads and writes. */
  async #leads(fits: (holder: string) => boolean): Promise<void> {
    let seen = '';
    let from = 0;
    await eventually(
      () => `a leader that writes; ${this.#holder} holds the lease`,
      () => {
        if (seen !== this.#holder) {
          seen = this.#holder;
          from = this.#writes.get(seen) ?? 0;
        }
        return seen !== '' && fits(seen) && (this.#writes.get(seen) ?? 0) > from + 2;
      },
      {every: 2, limit: PATIENCE_MS},
    );
  }

  async #join(): Promise<void> {
    const identity = `candidate-${++this.#named}`;
    const proxy = new FaultProxy(this.#cluster);
    await proxy.start();
    const child = fork(candidateFile, [proxy.url, identity, JSON.stringify(this.#times)]);
    const gone = new Promise<void>(resolve => child.once('exit', () => resolve()));
    const candidate: Candidate = {identity, child, proxy, gone, struck: false, lag: 0};
    this.#candidates.set(identity, candidate);
    child.on('message', message => {
      if (typeof message === 'object') candidate.lag = (message as {lag: number}).lag;
    });
    child.once('exit', () => {
      if (candidate.struck) return;
      this.#candidates.delete(identity);
      void proxy.close();
      void this.#join();
    });
  }
}
