// Takes in what main sends to a running graph: changes, replayed objects after a restart, gaps, and the old
// recording.
import type {IncrementalWork} from '../../history/incremental-work.ts';
import {noteGap} from '../link/gaps.ts';
import type {Arrival, Block, FromHost, ToHost} from '../link/host-messages.ts';
import {PatchMismatch} from '../link/sent-object.ts';
import type {HostState} from './host-state.ts';
import {type FirstRuns, SLICE_RUNS, takeInTurns} from './live-graph/first-runs.ts';
import type {WritableGraph} from './live-graph/graph-interface.ts';
import {restoreRows} from './live-graph/restore-rows.ts';
import {discardRestoredBlocks, type EarlierHistory, restoreRecording} from './recording/recording-codec.ts';
import type {SliceScheduler} from './slice-scheduler.ts';

export type GraphMessage = Extract<
  ToHost,
  {type: 'apply' | 'replay' | 'replay-end' | 'gap' | 'restore' | 'restore-end'}
>;

/** The parts of the host that it uses. */
interface ChangeReceiverHost {
  readonly firstRuns: FirstRuns;
  readonly slices: SliceScheduler;
  send(message: FromHost): void;
  guard(work: () => void): void;
  flushSoon(): void;
}

/** Milliseconds of writes before frames and heartbeats get their turn. */
const SLICE = 12;

/** A message from main that is not fully applied yet. */
interface UnfinishedIntake {
  readonly state: HostState;
  readonly graph: WritableGraph;
  readonly arrivals: readonly Arrival[];
  readonly ids: readonly number[];
  next: number;
}

export class ChangeReceiver {
  readonly #host: ChangeReceiverHost;
  #intakes: UnfinishedIntake[] = [];
  #replayed: [string, string, unknown][] = [];
  #replaySequence = 0;
  #returned: Block[] = [];

  constructor(host: ChangeReceiverHost) {
    this.#host = host;
  }

  take(state: HostState, message: GraphMessage): void {
    const {writableGraph: fed, recorder} = state;
    if (fed === undefined || recorder === undefined) return;
    switch (message.type) {
      case 'apply':
        this.#intakes.push({
          state,
          graph: fed,
          arrivals: JSON.parse(message.arrivals) as Arrival[],
          ids: message.ids,
          next: 0,
        });
        if (this.#intakes.length === 1) this.#slice(SLICE);
        return;
      case 'replay':
        for (const object of JSON.parse(message.objects) as [string, string, unknown][])
          this.#replayed.push(object);
        return;
      case 'replay-end':
        this.#replay(state, fed, message);
        return;
      case 'gap':
        noteGap(state.history.gaps, message.gap);
        state.subscriptions.markAll();
        return;
      case 'restore':
        for (const block of message.blocks) this.#returned.push(block);
        return;
      case 'restore-end':
        state.history.gaps.splice(0, state.history.gaps.length, ...message.gaps);
        this.#restore(state, message.oldest, blocks => {
          recorder.release(blocks);
          state.records.forget();
          state.answers.reset();
          state.subscriptions.markAll();
          state.incidents?.start();
          this.#host.send({type: 'restored'});
        });
    }
  }

  /** Applies everything that has arrived, so that a question sees all earlier writes. */
  catchUp(): void {
    this.#slice(Number.POSITIVE_INFINITY);
  }

  /** Works in slices: after a pause a hundred writes arrive at once, and a frame must not wait for all of them. */
  #slice(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    for (let intake = this.#intakes[0]; intake !== undefined; intake = this.#intakes[0]) {
      const {state, graph: fed, arrivals, ids} = intake;
      while (intake.next < arrivals.length) {
        const id = ids[intake.next] as number;
        this.#enter(state, fed, arrivals[intake.next++] as Arrival);
        // One by one: blocks that main keeps must not be ahead of the objects that main replays.
        state.recorder?.markApplied(id);
        if (performance.now() < end) continue;
        setImmediate(() => this.#host.guard(() => this.#slice(milliseconds)));
        return;
      }
      this.#intakes.shift();
      fed.settle();
      this.#host.firstRuns.schedule();
      this.#host.flushSoon();
    }
  }

  #enter(state: HostState, fed: WritableGraph, arrival: Arrival): void {
    try {
      if ('changes' in arrival) fed.apply(arrival.changes, arrival.told);
      else {
        fed.report(arrival.source, arrival.report);
        noteSync(state, fed, arrival.source);
        state.subscriptions.markAll();
      }
    } catch (error) {
      // The next process gets all objects whole.
      if (error instanceof PatchMismatch) throw error;
      // One bad batch must not stop the batches behind it. Its finished writes have settled.
      this.#host.send({
        type: 'broken',
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }

  /** Works in slices: main would take a hundred thousand objects in one turn for a hang. */
  #replay(
    state: HostState,
    fed: WritableGraph,
    {reports, rows, lives}: Extract<ToHost, {type: 'replay-end'}>,
  ): void {
    const {live} = state;
    const release = live && restoreRows(live.engine, rows, (...row) => live.userCollections.adoptRow(...row));
    const objects = this.#replayed;
    this.#replayed = [];
    const whole = () => {
      release?.();
      for (const [source] of reports) noteSync(state, fed, source);
      this.#replaySequence = state.history.recording.newest;
      const {collections, modules} = JSON.parse(lives) as EarlierHistory;
      state.history.collections.restore(collections, this.#replaySequence, modules);
      state.recorder?.markReplayed(this.#replaySequence);
      this.#host.send({type: 'replayed', sequence: this.#replaySequence});
      // A report that changed while no process ran is a new batch. The replay itself must end where its records end.
      for (const [source, report] of reports) if (fed.fact(source)) fed.report(source, report);
      fed.settle();
    };
    const take = (from: number) => this.#host.guard(() => fed.replay(objects.slice(from, from + SLICE_RUNS)));
    fed.replayJournal(rows);
    takeInTurns(sliceStarts(objects.length), take, () => {
      this.#host.guard(() => fed.replayReports(reports));
      this.#host.firstRuns.whenDone(() => this.#host.guard(whole));
    });
  }

  /**
   * Works in slices, because a full recording takes seconds to read. An unreadable recording must not end the
   * process: every later process would end, too.
   */
  #restore(state: HostState, oldest: number, done: (blocks: Block[]) => void): void {
    // This process has its own records of the batches it settled since, so it ignores their returned blocks.
    const before = this.#returned.filter(({sequence}) => sequence <= this.#replaySequence);
    this.#returned = [];
    const failed = (error: unknown): void => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#host.send({type: 'broken', message: `the recording before the restart is lost: ${reason}`});
      this.#host.guard(() => done(discardRestoredBlocks(state, before)));
    };
    const lost: number[] = [];
    const unreadable = (sequence: number, error: unknown): void => {
      lost.push(sequence);
      this.#host.send({
        type: 'broken',
        message: `batch ${sequence} of the recording is lost: ${String(error)}`,
      });
    };
    const replay = this.#replaySequence;
    const steps = function* (): IncrementalWork<Block[]> {
      return yield* restoreRecording(state, before, oldest, replay, unreadable);
    };
    const restored = (blocks: Block[]): void => {
      state.history.recording.drop(lost);
      done(blocks);
    };
    this.#host.slices.run(steps(), blocks => this.#host.guard(() => restored(blocks)), failed);
  }
}

/** A sync that no collection waited for is not a batch of its own. */
function noteSync({history: {recording, collections}}: HostState, fed: WritableGraph, source: string): void {
  if (collections.syncedAt(source) !== undefined) return;
  if (fed.fact(source)?.synced) collections.noteSynced(source, recording.newest);
}

/** Where each slice of a list begins. */
function* sliceStarts(length: number): Generator<number> {
  for (let from = 0; from < length; from += SLICE_RUNS) yield from;
}
