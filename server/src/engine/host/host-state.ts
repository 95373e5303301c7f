// The state of an engine process after its start message.
import type {FormulaHashes} from './formulas/rerun-formulas.ts';
import type {HostSubscriptions} from './frames/subscriptions.ts';
import type {ReadableGraph, WritableGraph} from './live-graph/graph-interface.ts';
import type {LiveGraph} from './live-graph/live-graph.ts';
import type {QuestionAnswers} from './query/question-answers.ts';
import type {HostHistory} from './recording/host-history.ts';
import type {HostRecords} from './recording/host-records.ts';
import type {IncidentMonitor} from './recording/incident-monitor.ts';
import type {TraceRecorder} from './recording/trace-recorder.ts';

export interface HostState {
  readonly id: string;
  readonly redacted: boolean;
  readonly history: HostHistory;
  readonly graph: ReadableGraph;
  readonly records: HostRecords;
  readonly answers: QuestionAnswers;
  readonly subscriptions: HostSubscriptions;
  /** Undefined for a file. */
  readonly writableGraph?: WritableGraph;
  /** The engine that runs formulas. For a program that reports its own graph it has these only. Undefined for a file. */
  readonly live?: LiveGraph;
  readonly recorder?: TraceRecorder;
  readonly incidents?: IncidentMonitor;
  /** For an opened file: the hashes of the formulas that made it. */
  readonly formulas?: FormulaHashes | undefined;
  /** The debug document as JSON text, in pieces. */
  dump(indent: number): Iterable<string>;
}
