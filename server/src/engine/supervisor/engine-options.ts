// The options of an engine process that main decides.
import type {RecordedSession, SourceSpec} from '../link/engine-link.ts';

export interface EngineProcessSettings {
  name: string;
  memoryMb: number;
  historyRuns: number;
  historyMb: number;
  redacted: boolean;
  recording?: string;
  firstSequence?: number;
  sources: SourceSpec[];
  /**
   * Milliseconds without a heartbeat until the process counts as stuck. Default 20 s, above the longest honest batch.
   */
  silenceMs?: number;
  /** Milliseconds of health until a spare process is loaded for a faster takeover. Default 10 s. */
  spareMs?: number;
  /** Milliseconds without a reader until the process ends, where allowRest() allows it. Default one minute. */
  restMs?: number;
  /** Where the recording was made, if that is not this session. */
  session?: RecordedSession;
  /** The process waits for attachArchive() before it starts its graph. */
  awaitsArchive?: boolean;
  /** No graph runs here: a program reports its own. */
  told?: boolean;
  /** The URL of a module with another graph; see LiveGraphBuilder in host/live-graph/live-graph.ts. */
  graph?: string;
  /** The share of a file that is read, from 0 to 1. */
  onOpening?(share: number): void;
  /** Gets the facts of spans, as JSON of `BatchSpan[]`. Without it the process sends none. */
  onSpans?: ((batches: string) => void) | undefined;
  /** Writes one line to the log. */
  log?(message: string, fields: Record<string, unknown>): void;
}

/** The options that also apply without a cluster. */
export type OpenRecordingOptions = Pick<
  EngineProcessSettings,
  'name' | 'memoryMb' | 'silenceMs' | 'onOpening' | 'log'
> & {
  /** Aborts the opening: ends the process and rejects. */
  signal?: AbortSignal;
};
