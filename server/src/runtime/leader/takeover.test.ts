// The leader is killed, stopped or cut off, on a simulated clock, so that the takeover time depends only on the
// numbers. server/test/leader.integration.test.ts does the same with real processes.
import {expect, test} from 'vitest';
import {ManualClock, seededRandom} from '../../../test/manual-clock.ts';
import type {Clock} from '../../kube/clock.ts';
import type {RequestOptions, Wire} from '../../kube/transport/transport.ts';
import {silentLogger} from '../log/logger.ts';
import {Metrics} from '../metrics/metrics.ts';
import {LeaderElection} from './leader-election.ts';
import {LeaseServer} from './testing-lease-server.ts';

const times = {leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000};
const latency = 40;
/** Two tries of the other process, 2.2 periods each: the first sees the renewal, the second takes the lease. */
const latest = times.leaseDuration + 2 * 2.2 * times.retryPeriod + 4 * latency;

/** A process that can be stopped: its timers fire late, and before anything that arrived in between. */
class Process implements Clock {
  readonly #clock: ManualClock;
  #stopped: {timers: (() => void)[]; arrived: (() => void)[]} | undefined;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  now = () => this.#clock.now();
  random = () => this.#clock.random();

  after(ms: number, run: () => void): () => void {
    let cancelled = false;
    const cancel = this.#clock.after(ms, () => {
      const unlessCancelled = () => void (cancelled || run());
      if (this.#stopped) this.#stopped.timers.push(unlessCancelled);
      else unlessCancelled();
    });
    return () => {
      cancelled = true;
      cancel();
    };
  }

  /** An event from outside after `ms`. */
  async arrive(ms: number): Promise<void> {
    await new Promise<void>(resolve => this.#clock.after(ms, resolve));
    if (this.#stopped) await new Promise<void>(resolve => this.#stopped?.arrived.push(resolve));
  }

  stop(): void {
    this.#stopped = {timers: [], arrived: []};
  }

  goOn(): void {
    const {timers = [], arrived = []} = this.#stopped ?? {};
    this.#stopped = undefined;
    for (const run of [...timers, ...arrived]) run();
  }
}

class Candidate {
  readonly process: Process;
  readonly election: LeaderElection;
  readonly identity: string;
  cutOff = false;
  leading = false;
  over = false;

  constructor(room: Room, identity: string) {
    this.identity = identity;
    this.process = new Process(room.clock);
    const wire = this.#wire(room);
    this.election = new LeaderElection(
      {id: 'lock', namespace: 'default', identity, ...times},
      {wire, clock: this.process, log: silentLogger, metrics: new Metrics()},
    );
    const work = this.election.fence.around({
      ...wire,
      request: options => this.#send(room, options, async () => room.wrote(identity) as never),
    });
    void this.election
      .run(
        () => {
          this.leading = true;
          void this.#work(work);
        },
        () => {},
      )
      .then(() => {
        this.leading = false;
        this.over = true;
      });
  }

  #wire(room: Room): Wire {
    const server = room.server.wire(room.clock);
    return {
      ...server,
      request: options => this.#send(room, options, () => server.request(options)),
    };
  }

  /** Leaves now or once a socket is open and arrives a little later. The answer does the same. */
  async #send<T>(room: Room, {signal}: RequestOptions, answer: () => Promise<T>): Promise<T> {
    if (room.random() < 0.3) await this.process.arrive(20);
    signal?.throwIfAborted();
    if (this.cutOff) await new Promise(() => {});
    await new Promise<void>(resolve => room.clock.after(latency, resolve));
    const answered = await answer().then(
      value => () => value,
      error => () => {
        throw error;
      },
    );
    await this.process.arrive(latency);
    return answered();
  }

  async #work(wire: Wire): Promise<void> {
    while (this.leading) {
      await wire.request({method: 'PATCH', path: '/work'}).catch(() => {});
      await new Promise<void>(resolve => this.process.after(100, resolve));
    }
  }
}

class Room {
  readonly clock: ManualClock;
  readonly server = new LeaseServer();
  readonly random: () => number;
  readonly wrong: string[] = [];
  readonly writes = new Map<string, number>();
  #holder = '';
  #renewed = 0;

  constructor(seed: number) {
    this.clock = new ManualClock(seed);
    this.random = seededRandom(seed);
  }

  get holder(): string {
    return this.server.lease ? this.server.record.holderIdentity : '';
  }

  /** The time and the holder of the last write to the lease. */
  get renewed(): {by: string; at: number} {
    return {by: this.#holder, at: this.#renewed};
  }

  wrote(by: string): void {
    this.writes.set(by, (this.writes.get(by) ?? 0) + 1);
    if (by !== this.holder) this.wrong.push(`${by} wrote while ${this.holder} held the lease`);
    const age = this.clock.now() - this.#renewed;
    if (age > times.renewDeadline + 2 * latency) this.wrong.push(`${by} wrote ${age} ms after its renewal`);
  }

  async advanceUntil(what: string, holds: () => boolean, limit = 60_000): Promise<void> {
    for (const end = this.clock.now() + limit; !holds(); ) {
      if (this.clock.now() > end) throw new Error(`not within ${limit} ms: ${what}`);
      this.clock.advance(20);
      for (let turn = 0; turn < 30; turn++) await Promise.resolve();
      this.#look();
    }
  }

  #version = '';
  #look(): void {
    const version = this.server.lease?.metadata.resourceVersion ?? '';
    if (version === this.#version) return;
    this.#version = version;
    this.#holder = this.holder;
    this.#renewed = this.clock.now();
  }
}

async function round(seed: number, blow: 'kill' | 'stop' | 'partition') {
  const room = new Room(seed);
  const [a, b] = [new Candidate(room, 'a'), new Candidate(room, 'b')];
  await room.advanceUntil('somebody leads', () => a.leading || b.leading);
  const [leader, other] = a.leading ? [a, b] : [b, a];
  const struck = room.clock.now() + 5000 + room.random() * 5000;
  await room.advanceUntil('they stand for a while', () => room.clock.now() >= struck);
  if (blow === 'partition') leader.cutOff = true;
  else leader.process.stop();
  await room.advanceUntil('what is on its way arrives', () => room.clock.now() >= struck + 4 * latency);
  const before = room.renewed;
  expect(before.by).toBe(leader.identity);
  await room.advanceUntil('the other takes over', () => room.renewed.by === other.identity);
  const takeover = room.renewed.at - before.at;
  const woken = room.clock.now() + room.random() * 5000;
  await room.advanceUntil('the other works', () => room.clock.now() >= woken);
  // It wakes up, or is reachable again, in the middle of any step.
  if (blow === 'stop') leader.process.goOn();
  leader.cutOff = false;
  if (blow !== 'kill') await room.advanceUntil('the old leader has noticed', () => leader.over);
  const end = room.clock.now() + 20_000;
  await room.advanceUntil('a while goes by', () => room.clock.now() >= end);
  expect(room.wrong).toEqual([]);
  expect(other.leading, 'and goes on').toBe(true);
  for (const {identity} of [leader, other]) expect(room.writes.get(identity)).toBeGreaterThan(10);
  leader.election.stop();
  other.election.stop();
  return takeover;
}

test.each(['kill', 'stop', 'partition'] as const)(
  'after a %s the other leads within the time that the numbers say, and never two are active',
  async blow => {
    for (let seed = 1; seed <= 17; seed++) {
      const takeover = await round(seed, blow);
      expect(takeover, `seed ${seed}`).toBeGreaterThanOrEqual(times.leaseDuration);
      expect(takeover, `seed ${seed}`).toBeLessThanOrEqual(latest);
    }
  },
);
