// One round: changes sources, formulas and modules at random, kills the host at a random message several times, and
// compares every retained moment before each kill with the same moment after the restart.
import '../../src/formula/sandbox/lockdown.ts';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {RetainedHistory} from '@krtscope/shared/timeline.ts';
import {seededRandom} from '../manual-clock.ts';
import {HostSession} from './host-session.ts';
import {differencesOf, momentsOf} from './moments.ts';
import {RandomSteps} from './random-steps.ts';

export class RecordingRound {
  readonly problems: string[] = [];
  kills = 0;
  moments = 0;
  readonly #random: () => number;
  readonly #session: HostSession;
  /** The recording is so small that its oldest blocks roll off. */
  readonly #rollsOff: boolean;
  readonly #steps: RandomSteps;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#rollsOff = this.#chance(0.25);
    this.#session = new HostSession(this.#rollsOff ? 20 + this.#below(60) : 100_000);
    this.#steps = new RandomSteps(this.#random, this.#session);
  }

  async run(): Promise<void> {
    const restarts = 1 + this.#below(3);
    for (let n = 0; n < restarts; n++) {
      const steps = 4 + this.#below(12);
      const killAt = this.#below(steps);
      for (let step = 0; step < steps; step++) {
        if (step === killAt) this.#session.killAfter(this.#below(30));
        await this.#steps.step();
        if (this.#chance(0.5)) await nextTurn();
      }
      if (this.#chance(0.5)) await this.#session.settle();
      await this.#restart();
    }
  }

  async #restart(): Promise<void> {
    const old = this.#session.process;
    old.isAlive = false;
    const newest = this.#session.newest;
    // A moment shows collections that no batch has seen only while it is the newest.
    await old.addBatch();
    const before = await momentsOf(old, 0, newest);
    this.kills += 1;
    const blames = this.#chance(0.3);
    const culprit = blames ? this.#session.running : undefined;
    this.#steps.done.push(blames ? `kill, blame ${culprit}` : 'kill');
    this.#session.restart(blames);
    await this.#session.settle();
    for (const fault of this.#session.faults.splice(0)) this.#report(`fault: ${fault}`);
    const after = await momentsOf(this.#session.process, 0, newest);
    const byMoment = new Map(after.map(one => [one.at, one.rows]));
    const {oldest} = await this.#session.process.ask<RetainedHistory>({ask: 'kept'});
    for (const {at, rows} of before) {
      // The runs of the restart roll further moments off.
      if (this.#rollsOff && at < oldest) continue;
      this.moments += 1;
      const found = byMoment.get(at);
      if (found === undefined) this.#report(`moment ${at} is lost`);
      else for (const one of differencesOf(rows, found)) this.#report(`moment ${at}: ${one}`);
    }
  }

  #report(problem: string): void {
    if (this.problems.length < 3)
      this.problems.push(`${problem}\n    after ${this.#steps.done.slice(-14).join('; ')}`);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }
}

/** Resolves to the restarts, the compared moments, and the rounds with a difference. */
export async function runRounds(first: number, count: number): Promise<[number, number, number]> {
  // The worker that compiles formulas does not keep the process alive.
  const alive = setInterval(() => {}, 1000);
  let [kills, moments, lost] = [0, 0, 0];
  for (let seed = first; seed < first + count; seed++) {
    const round = new RecordingRound(seed);
    await round.run();
    kills += round.kills;
    moments += round.moments;
    if (round.problems.length === 0) continue;
    lost += 1;
    process.stdout.write(`seed ${seed}:\n${round.problems.map(one => `  ${one}\n`).join('')}`);
  }
  clearInterval(alive);
  return [kills, moments, lost];
}
