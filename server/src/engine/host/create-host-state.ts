// Creates the host's state in three ways: for a graph that runs here, for a graph that a program reports, and for a
// file.
import type {RetainedHistory} from '@krtscope/shared/timeline.ts';
import type {CollectionFacts} from '../../explain/records.ts';
import {PastStates} from '../../history/past-states.ts';
import {Recording} from '../../history/recording.ts';
import type {BatchTrace} from '../../krt/index.ts';
import type {FromHost, ReplayRows, StartOptions} from '../link/host-messages.ts';
import type {FormulaAnnouncer} from './formulas/formula-announcer.ts';
import {FRAME_MS} from './frames/frame-rate.ts';
import {HostSubscriptions} from './frames/subscriptions.ts';
import type {HostState} from './host-state.ts';
import {type BatchWriteOrigin, LiveGraph, type LiveGraphBuilder} from './live-graph/live-graph.ts';
import {ProgramGraph} from './live-graph/program-graph.ts';
import {wallClockNow} from './live-graph/wall-clock.ts';
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
  /** Runs work that the event loop calls, and reports its errors. */
  guard(work: () => void): void;
  /** Tells the views what changed. Call it before reading from them. */
  refresh(): void;
  /** Collections were added or removed. The collection history is already up to date. */
  onGraphChanged(): void;
  onSettled(recorder: TraceRecorder, trace: BatchTrace, origin: BatchWriteOrigin): void;
}

export function createLiveHostState(
  options: StartOptions,
  graph: LiveGraphBuilder,
  callbacks: HostStateCallbacks,
): HostState {
  const {firstSequence, sources, recording: id, redacted} = options;
  const limits = {runs: options.historyRuns, megabytes: options.historyMb};
  const collections = new CollectionHistory();
  const recording = new Recording(
    {runs: limits.runs, bytes: limits.megabytes * 1024 * 1024},
    collections,
    firstSequence,
  );
  const history: HostHistory = {
    recording,
    past: new PastStates(recording),
    gaps: [],
    collections,
    limits,
  };
  let records: HostRecords | undefined;
  let subscriptions: HostSubscriptions | undefined;
  const retained = (): RetainedHistory =>
    records?.kept() ?? {...recording.kept, oldest: 0, newest: 0, limits};
  const recorder = new TraceRecorder(history, message => callbacks.send(message), retained);
  if (options.copy) recorder.keepToItself();
  else if (options.resumes) recorder.hold();
  const common = {
    firstSequence,
    onGraph: (facts: readonly CollectionFacts[]) => {
      // Not the recording of the start: a restore replaces it.
      history.collections.update(facts, history.recording.newest, recorder.oldest);
      callbacks.onGraphChanged();
    },
    onTrace: (trace: BatchTrace, origin: BatchWriteOrigin) => callbacks.onSettled(recorder, trace, origin),
    recorder: () => ({
      share: recorder.share,
      cost: recorder.cost,
      heap: process.memoryUsage().heapUsed,
      frame: subscriptions?.frame ?? FRAME_MS,
    }),
  };
  const formulas = {
    announcer: callbacks.announcer,
    // A copy runs slow formulas itself: a trial waits for all of its rows.
    slowLanes: options.copy
      ? undefined
      : {
          send: (request: FromHost) => callbacks.send(request),
          guard: (work: () => void) => callbacks.guard(work),
          keepRows: (rows: readonly ReplayRows[]) => recorder.keepRows(rows),
          onProgress: () => subscriptions?.markAll(),
        },
    revision: (name: string, at: number) => collections.revision(name, at),
    build: (module: string, at: number) => collections.build(module, at),
  };
  const fed = options.told
    ? new ProgramGraph({...common, ...formulas, history})
    : new LiveGraph({...common, ...formulas, sources, graph});
  const live = fed instanceof ProgramGraph ? fed.live : fed;
  records = new HostRecords(history, fed);
  const state = completeHostState(
    {
      id,
      redacted,
      history,
      graph: fed,
      records,
      writableGraph: fed,
      live,
      recorder,
      dump: indent => fed.dump(indent),
    },
    callbacks,
  );
  subscriptions = state.subscriptions;
  return state;
}

export function createRecordedHostState(
  {history, graph, header, dump}: DecodedRecording,
  callbacks: HostStateCallbacks,
): HostState {
  return completeHostState(
    {
      id: header.recording,
      redacted: header.redacted,
      history,
      graph,
      records: new HostRecords(history, graph),
      formulas: graph.facts.formulas,
      dump,
    },
    callbacks,
  );
}

function completeHostState(
  state: Omit<HostState, 'answers' | 'subscriptions' | 'incidents'>,
  callbacks: HostStateCallbacks,
): HostState {
  const {writableGraph: fed, history, recorder, records} = state;
  const refresh = () => callbacks.refresh();
  const answers = new QuestionAnswers(records, refresh);
  const incidents =
    fed &&
    new IncidentMonitor({
      history,
      graph: fed,
      answers,
      slices: callbacks.slices,
      refresh,
      onFault: error => callbacks.send({type: 'broken', message: `incidents: ${String(error)}`}),
    });
  const subscriptions = new HostSubscriptions({
    answer: question => answers.answer(question),
    answerInSlices: (question, done, failed) =>
      answers.answerInSlices(question, callbacks.slices, done, failed),
    send: message => {
      recorder?.flush();
      callbacks.send(message);
    },
    sequence: () => history.recording.newest,
    refresh,
    now: wallClockNow,
  });
  return {...state, answers, subscriptions, ...(incidents ? {incidents} : {})};
}
