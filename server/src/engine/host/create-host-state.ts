// Creates the host's state in three ways: for a graph that runs here, for a graph that a program reports, and for a
// file.
import type {RetainedHistory} from '@krtscope/shared/timeline.ts';
import type {CollectionFacts} from '../../explain/records.ts';
import {PastStates} from '../../history/past-states.ts';
import {Recording} from '../../history/recording.ts';
import type {BatchTrace} from '../../krt/index.ts';
import type {FromHost, StartOptions} from '../link/host-messages.ts';
import type {FormulaAnnouncer} from './formulas/formula-announcer.ts';
import {FRAME_MS} from './frames/frame-rate.ts';
import {HostSubscriptions} from './frames/subscriptions.ts';
import type {HostState} from './host-state.ts';
import {
  type BatchWriteOrigin,
  LiveGraph,
  type LiveGraphBuilder,
  wallClockNow,
} from './live-graph/live-graph.ts';
import {ProgramGraph} from './live-graph/program-graph.ts';
import {QuestionAnswers} from './query/question-answers.ts';
import {CollectionHistory} from './recording/collection-history.ts';
import type {HostHistory} from './recording/host-history.ts';
import {HostRecords} from './recording/host-records.ts';
import {IncidentMonitor} from './recording/incident-monitor.ts';
import type {DecodedRecording} from './recording/recording-codec.ts';
import {TraceRecorder} from './recording/trace-recorder.ts';
import type {SliceScheduler} from './slice-scheduler.ts';

export interface HostStateCallbacks {
  readonly announcer: FormulaAnnouncer;
  readonly slices: SliceScheduler;
  send(message: FromHost): void;
  /** Tells the views what changed. Call it before reading from them. */
  refresh(): void;
  /** Collections were added or removed. The collection history is already up to date. */
  onGraphChanged(): void;
  onSettled(keeper: TraceRecorder, trace: BatchTrace, origin: BatchWriteOrigin): void;
}

export function createLiveHostState(
  options: StartOptions,
  graph: LiveGraphBuilder,
  around: HostStateCallbacks,
): HostState {
  const {firstSequence, sources, recording: id, redacted} = options;
  const limits = {runs: options.historyRuns, megabytes: options.historyMb};
  const lives = new CollectionHistory();
  const recording = new Recording(
    {runs: limits.runs, bytes: limits.megabytes * 1024 * 1024},
    lives,
    firstSequence,
  );
  const books: HostHistory = {
    recording,
    past: new PastStates(recording),
    gaps: [],
    collections: lives,
    limits,
  };
  let records: HostRecords | undefined;
  let subscriptions: HostSubscriptions | undefined;
  const kept = (): RetainedHistory => records?.kept() ?? {...recording.kept, oldest: 0, newest: 0, limits};
  const keeper = new TraceRecorder(books, message => around.send(message), kept);
  if (options.resumes) keeper.hold();
  const common = {
    firstSequence,
    onGraph: (facts: readonly CollectionFacts[]) => {
      books.collections.update(facts, recording.newest, recording.oldest);
      around.onGraphChanged();
    },
    onTrace: (trace: BatchTrace, origin: BatchWriteOrigin) => around.onSettled(keeper, trace, origin),
    recorder: () => ({
      share: keeper.share,
      cost: keeper.cost,
      heap: process.memoryUsage().heapUsed,
      frame: subscriptions?.frame ?? FRAME_MS,
    }),
  };
  const live = options.told
    ? undefined
    : new LiveGraph({
        ...common,
        sources,
        graph,
        announcer: around.announcer,
        revision: (name, at) => lives.revision(name, at),
        build: (module, at) => lives.build(module, at),
      });
  const fed = live ?? new ProgramGraph({...common, history: books});
  records = new HostRecords(books, fed);
  const desk = completeHostState(
    {
      id,
      redacted,
      history: books,
      graph: fed,
      records,
      writableGraph: fed,
      ...(live === undefined ? {} : {live}),
      recorder: keeper,
      dump: indent => fed.dump(indent),
    },
    around,
  );
  subscriptions = desk.subscriptions;
  return desk;
}

export function createRecordedHostState(
  {history: books, graph: world, header, dump}: DecodedRecording,
  around: HostStateCallbacks,
): HostState {
  return completeHostState(
    {
      id: header.recording,
      redacted: header.redacted,
      history: books,
      graph: world,
      records: new HostRecords(books, world),
      formulas: world.facts.formulas,
      dump,
    },
    around,
  );
}

function completeHostState(
  desk: Omit<HostState, 'answers' | 'subscriptions' | 'incidents'>,
  around: HostStateCallbacks,
): HostState {
  const {writableGraph: fed, history: books, recorder: keeper, records} = desk;
  const refresh = () => around.refresh();
  const answers = new QuestionAnswers(records, refresh);
  const incidents =
    fed &&
    new IncidentMonitor({
      history: books,
      graph: fed,
      answers,
      slices: around.slices,
      refresh,
      onFault: error => around.send({type: 'broken', message: `incidents: ${String(error)}`}),
    });
  const subscriptions = new HostSubscriptions({
    answer: question => answers.answer(question),
    answerInSlices: (question, done, failed) => answers.answerInSlices(question, around.slices, done, failed),
    send: message => {
      keeper?.flush();
      around.send(message);
    },
    sequence: () => books.recording.newest,
    refresh,
    now: wallClockNow,
  });
  return {...desk, answers, subscriptions, ...(incidents ? {incidents} : {})};
}
