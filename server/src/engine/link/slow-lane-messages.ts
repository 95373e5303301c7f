// The messages between an engine process and the process of one slow formula. Main passes them on without reading rows.
import type {InstallableFormula} from './commands.ts';

/** Changed rows of one collection. `rows` is JSON of `[key, value][]`. */
export interface SlowRows {
  collection: string;
  reset: boolean;
  rows: string;
  gone: string[];
  synced: boolean;
}

export type ToSlowProcess =
  | {type: 'formula'; formula: InstallableFormula}
  /** One round of changes is one batch. It begins with the last message of the round. */
  | {type: 'rows'; round: number; parts: SlowRows[]; isLast: boolean};

export interface SlowReport {
  round: number;
  /** All runs of the round are reported. */
  isSettled: boolean;
  /** JSON of `SlowRun[]`. */
  runs: string;
  cost: FormulaCostReport;
}

export interface FormulaCostReport {
  runs: number;
  totalMs: number;
  slowestMs: number;
}

export type FromSlowProcess =
  | {type: 'ready'}
  /** Sent before a slice of runs, as an engine process does. */
  | {type: 'running'; formula: string; hash: string}
  | {type: 'rested'}
  /** Runs of this round so far. */
  | {type: 'progress'; runs: number}
  | ({type: 'report'} & SlowReport);

/** From the engine process to main. `lane` numbers the processes of slow formulas. */
export type SlowLaneRequest =
  | {type: 'slow-open'; lane: number; formula: InstallableFormula}
  | {type: 'slow-rows'; lane: number; message: ToSlowProcess}
  | {type: 'slow-close'; lane: number};

/** From main to the engine process. */
export type SlowLaneEvent =
  | ({type: 'slow-report'; lane: number} & SlowReport)
  | {type: 'slow-progress'; lane: number; runs: number}
  /** The process has ended through no fault of the formula. The engine process opens another one. */
  | {type: 'slow-lost'; lane: number};
