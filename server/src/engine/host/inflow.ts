// What main gives to a graph that runs here: changes, objects again after a restart, gaps, and the recording from before.
import type {IncrementalWork} from '../../history/incremental-work.ts';
import {noteGap} from '../link/gaps.ts';
import type {SourceReport} from '../link/link.ts';
import type {Arrival, Block, FromHost, KeptRows, ToHost} from '../link/messages.ts';
import {adopt} from './adopt.ts';
import type {Desk} from './desk.ts';
import {type FirstRuns, inTurns, SLICE_RUNS} from './first-runs.ts';
import {type Before, restoreBooks, startOver} from './recorded.ts';
import type {Slices} from './slices.ts';
import type {FedWorld} from './world.ts';

export type Fed = Extract<
  ToHost,
  {type: 'apply' | 'replay' | 'replay-end' | 'gap' | 'restore' | 'restore-end'}
>;

/** What it needs of the host. */
interface Around {
  readonly firstRuns: FirstRuns;
  readonly slices: Slices;
  send(message: FromHost): void;
  guard(work: () => void): void;
  flushSoon(): void;
}

/** Milliseconds of writes before frames and heartbeats have their turn. */
const SLICE = 12;

/** A message of main's that is being taken in. */
interface Intake {
  readonly desk: Desk;
  readonly fed: FedWorld;
  readonly arrivals: readonly Arrival[];
  readonly through: number;
  next: number;
}

export class Inflow {
  readonly #host: Around;
  #intakes: Intake[] = [];
  #replayed: [string, string, unknown][] = [];
  #replaySequence = 0;
  #returned: Block[] = [];

  constructor(host: Around) {
    this.#host = host;
  }

  take(desk: Desk, message: Fed): void {
    const {fed, keeper} = desk;
    if (fed === undefined || keeper === undefined) return;
    switch (message.type) {
      case 'apply':
        this.#intakes.push({
          desk,
          fed,
          arrivals: JSON.parse(message.arrivals) as Arrival[],
          through: message.through,
          next: 0,
        });
        if (this.#intakes.length === 1) this.#slice(SLICE);
        return;
      case 'replay':
        for (const object of JSON.parse(message.objects) as [string, string, unknown][])
          this.#replayed.push(object);
        return;
      case 'replay-end':
        this.#replay(desk, fed, message.reports, message.rows);
        return;
      case 'gap':
        noteGap(desk.books.gaps, message.gap);
        desk.subscriptions.all();
        return;
      case 'restore':
        for (const block of message.blocks) this.#returned.push(block);
        return;
      case 'restore-end':
        desk.books.gaps.splice(0, desk.books.gaps.length, ...message.gaps);
        this.#restore(desk, message.oldest, message.lives, blocks => {
          keeper.release(blocks);
          desk.records.forget();
          desk.answers.reset();
          desk.subscriptions.all();
          desk.incidents?.open();
          this.#host.send({type: 'restored'});
        });
    }
  }

  /** All that has come is in: whoever asks sees what was written before. */
  catchUp(): void {
    this.#slice(Number.POSITIVE_INFINITY);
  }

  /** After a pause a hundred writes come at once: a frame does not wait for the last of them. */
  #slice(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    for (let intake = this.#intakes[0]; intake !== undefined; intake = this.#intakes[0]) {
      const {desk, fed, arrivals} = intake;
      while (intake.next < arrivals.length) {
        this.#enter(desk, fed, arrivals[intake.next++] as Arrival);
        if (performance.now() < end) continue;
        setImmediate(() => this.#host.guard(() => this.#slice(milliseconds)));
        return;
      }
      this.#intakes.shift();
      fed.settle();
      desk.keeper?.applied(intake.through);
      this.#host.firstRuns.soon();
      this.#host.flushSoon();
    }
  }

  #enter(desk: Desk, fed: FedWorld, arrival: Arrival): void {
    try {
      if ('changes' in arrival) fed.apply(arrival.changes, arrival.told);
      else {
        fed.report(arrival.source, arrival.report);
        noteSync(desk, fed, arrival.source);
        desk.subscriptions.all();
      }
    } catch (error) {
      // One bad batch must not stop those behind it; what of it was written has settled.
      this.#host.send({
        type: 'broken',
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }

  /** In slices, as they came the first time: a hundred thousand objects at once would be taken for a hang. */
  #replay(desk: Desk, fed: FedWorld, reports: [string, SourceReport][], rows: KeptRows[]): void {
    const release = desk.live && adopt(desk.live.engine, rows);
    const objects = this.#replayed;
    this.#replayed = [];
    const whole = () => {
      release?.();
      for (const [source] of reports) noteSync(desk, fed, source);
      this.#replaySequence = desk.books.recording.newest;
      desk.keeper?.replayed(this.#replaySequence);
      this.#host.send({type: 'replayed', sequence: this.#replaySequence});
      // What has changed while there was no process is news: the replay itself must end where its records do.
      for (const [source, report] of reports) if (fed.fact(source)) fed.report(source, report);
      fed.settle();
    };
    const take = (from: number) => this.#host.guard(() => fed.replay(objects.slice(from, from + SLICE_RUNS)));
    fed.replayJournal(rows);
    inTurns(starts(objects.length), take, () => {
      this.#host.guard(() => fed.replayReports(reports));
      this.#host.firstRuns.whenDone(() => this.#host.guard(whole));
    });
  }

  /**
   * In slices: a full recording takes seconds to read. One that cannot be read back must not end the process again: it
   * would never come back.
   */
  #restore(desk: Desk, oldest: number, lives: string, done: (blocks: Block[]) => void): void {
    // What this process has settled since then came back with the rest; it has that itself.
    const before = this.#returned.filter(({sequence}) => sequence <= this.#replaySequence);
    this.#returned = [];
    const failed = (error: unknown): void => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#host.send({type: 'broken', message: `the recording before the restart is lost: ${reason}`});
      this.#host.guard(() => done(startOver(desk, before)));
    };
    const replay = this.#replaySequence;
    const steps = function* (): IncrementalWork<Block[]> {
      return yield* restoreBooks(desk, before, oldest, replay, JSON.parse(lives) as Before);
    };
    this.#host.slices.run(steps(), blocks => this.#host.guard(() => done(blocks)), failed);
  }
}

/** A sync that nobody waited for is no batch of its own. */
function noteSync({books: {recording, lives}}: Desk, fed: FedWorld, source: string): void {
  if (lives.syncedAt(source) !== undefined) return;
  if (fed.fact(source)?.synced) lives.noteSynced(source, recording.newest);
}

/** Where each slice of a list begins. */
function* starts(length: number): Generator<number> {
  for (let from = 0; from < length; from += SLICE_RUNS) yield from;
}
