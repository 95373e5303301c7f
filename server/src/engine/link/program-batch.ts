// One batch of a program as main sends it to the engine process: changes, and the program's report about them. A
// change without `run` was only observed.
import type {ProgramRun} from '@krtscope/shared/programs/program.ts';
import type {SourceChange} from './engine-link.ts';

export interface ProgramChangeReport extends SourceChange {
  /** The place of its run in the batch; null if written from outside; undefined if not reported. */
  run?: number | null;
  /** Places of the earlier changes of the batch that led to it. */
  from?: number[];
}

/** The current rows and fetches of an input, without the time and reason of its run. */
export interface ProgramInputReport {
  collection: string;
  input: string;
  outputs: string[];
  fetches: ProgramRun['fetches'];
}

export interface ProgramBatchReport {
  /** The document was polled, so when the program received its changes is unknown. */
  isPolled?: true;
  received: number;
  settled: number;
  synced: string[];
  runs: ProgramRun[];
  /** Only with a snapshot. */
  inputs?: ProgramInputReport[];
}
