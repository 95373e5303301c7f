// A session with real engine processes: kills them with SIGKILL at random times, while it changes things at random, and
// compares the retained moments before each kill with the same moments after the restart.
import {setTimeout as sleep} from 'node:timers/promises';
import type {QuestionInput} from '@krtscope/shared/questions.ts';
import type {RetainedHistory} from '@krtscope/shared/timeline.ts';
import {ask, engineFor, type TestEngine, until} from '../../src/engine/testing-engine.ts';
import {seededRandom} from '../manual-clock.ts';
import {differencesOf, momentsOf} from './moments.ts';
import {type FuzzedSession, RandomSteps} from './random-steps.ts';

const LIMIT_MS = 120_000;
/** So many of the newest moments are compared: each takes as many questions as there are collections. */
const COMPARED = 40;

export class ProcessSession {
  readonly problems: string[] = [];
  moments = 0;
  readonly #random: () => number;
  readonly #engine: TestEngine;
  readonly #steps: RandomSteps;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    const engine = engineFor({
      historyRuns: this.#chance(0.3) ? 40 + this.#below(200) : 50_000,
      // Without a process that waits, the next one is started after the kill.
      spareMs: this.#chance(0.5) ? 50 : 600_000,
      sources: [{collection: 'Widgets'}, {collection: 'Gadgets'}],
    });
    this.#engine = engine;
    const session: FuzzedSession = {
      isKilled: false,
      apply: arrival => {
        if ('source' in arrival) engine.sourceState(arrival.source, arrival.report);
        else engine.apply(arrival.changes);
      },
      command: command =>
        engine.command(command).then(
          () => true,
          () => false,
        ),
      settle: () => this.#settle(),
    };
    this.#steps = new RandomSteps(this.#random, session);
  }

  /** One round: changes, a kill at a random time among further changes, a comparison. */
  async round(): Promise<void> {
    for (let steps = 4 + this.#below(12); steps > 0; steps--) await this.#steps.step();
    const newest = await this.#addBatch();
    const oldest = newest - COMPARED;
    const before = await momentsOf(this, oldest, newest);
    await this.#killAmongChanges();
    // A process may die again before the recording is back.
    if (this.#chance(0.2)) await this.#killAmongChanges();
    await this.#settle();
    // A question about the past waits until the recording is back, or is refused where the past has rolled off.
    await ask(this.#engine, {ask: 'graph', at: before[0]?.at ?? newest}).catch(() => {});
    const after = await momentsOf(this, oldest, newest);
    const byMoment = new Map(after.map(one => [one.at, one.rows]));
    const kept = await this.ask<RetainedHistory>({ask: 'kept'});
    for (const {at, rows} of before) {
      if (at < kept.oldest) continue;
      this.moments += 1;
      const found = byMoment.get(at);
      if (found === undefined) this.#report(`moment ${at} is lost`);
      else for (const one of differencesOf(rows, found)) this.#report(`moment ${at}: ${one}`);
    }
  }

  stop(): Promise<void> {
    return this.#engine.stop();
  }

  /** Asks again while the process restarts. */
  ask<T>(question: QuestionInput): Promise<T> {
    return until(() => ask<T>(this.#engine, question), LIMIT_MS);
  }

  async #killAmongChanges(): Promise<void> {
    const {pid} = this.#engine;
    const killed = sleep(this.#below(40)).then(() => {
      this.#steps.done.push('kill');
      process.kill(pid, 'SIGKILL');
    });
    for (let steps = this.#below(8); steps > 0; steps--) {
      await this.#steps.step();
      await sleep(this.#below(6));
    }
    await killed;
    await until(async () => (this.#engine.pid !== pid ? true : undefined), LIMIT_MS);
    await this.ask({ask: 'kept'});
  }

  /** A moment shows collections that no batch has seen only while it is the newest: adds one more batch. */
  async #addBatch(): Promise<number> {
    await this.#settle();
    const {newest} = await this.ask<RetainedHistory>({ask: 'kept'});
    const row = {key: 'last', n: this.#below(1_000_000)};
    this.#engine.apply([
      {collection: 'Widgets', key: 'last', event: 'update', new: row, received: Date.now()},
    ]);
    await until(async () => {
      const kept = await this.ask<RetainedHistory>({ask: 'kept'});
      return kept.newest > newest ? true : undefined;
    }, LIMIT_MS);
    return newest;
  }

  async #settle(): Promise<void> {
    await until(async () => {
      const {state, unsettled, trouble} = this.#engine;
      if (trouble !== undefined) this.#engine.restartNow();
      return state === 'ready' && unsettled === 0 ? true : undefined;
    }, LIMIT_MS);
  }

  #report(problem: string): void {
    if (this.problems.length < 3)
      this.problems.push(`${problem}\n    after ${this.#steps.done.slice(-20).join('; ')}`);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }
}

/** The rounds of one session: a long one finds what many short ones do not. */
const SESSION = 10;

/** Resolves to the kills, the compared moments, and the sessions with a difference. */
export async function runProcessRounds(first: number, count: number): Promise<[number, number, number]> {
  let [kills, moments, lost] = [0, 0, 0];
  for (let seed = first; kills < count; seed++) {
    const session = new ProcessSession(seed);
    for (let round = 0; round < SESSION && kills < count; round++, kills++) await session.round();
    await session.stop();
    moments += session.moments;
    if (session.problems.length === 0) continue;
    lost += 1;
    process.stdout.write(`seed ${seed}:\n${session.problems.map(one => `  ${one}\n`).join('')}`);
  }
  return [kills, moments, lost];
}
