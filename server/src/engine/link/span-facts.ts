// What main needs to write the spans of a batch. The engine process sends it only while an exporter is on.

/** A write from outside the graph. */
export interface SpanChange {
  collection: string;
  key: string;
  event: string;
  resourceVersion?: string;
  /** For `add`: a later version may be the first that arrives. */
  uid?: string;
  /** The field manager of the write. */
  writer?: string;
}

/** One run. */
export interface RunSpan {
  collection: string;
  input: string;
  outcome: string;
  /** Milliseconds after the start of the batch. */
  start: number;
  duration: number;
  /** The first cause, as text. */
  cause?: string;
  /** The positions of the causing runs in `runs`. */
  from?: number[];
  error?: string;
}

export interface BatchSpan {
  sequence: number;
  /** Milliseconds since 1970, with a fraction. */
  received: number;
  settled: number;
  changes: SpanChange[];
  runs: RunSpan[];
  /** The counts before the limits. */
  changeCount: number;
  runCount: number;
}
