// One batch of a program as main hands it to the engine process: changes as of any source, and what the program said
// of them. A change without `run` is one that was only seen.
import type {ProgramRun} from '@krtscope/shared/programs/program.ts';
import type {SourceChange} from './engine-link.ts';

export interface ProgramChangeReport extends SourceChange {
  /** The place of its run in the batch; null: written from outside; absent: not told. */
  run?: number | null;
  /** Places of the earlier changes of the batch that led to it. */
  from?: number[];
}

/** An input as it stands: what it yields and what it looks at, and nothing of when and why. */
export interface ProgramInputReport {
  collection: string;
  input: string;
  outputs: string[];
  fetches: ProgramRun['fetches'];
}

export interface ProgramBatchReport {
  received: number;
  settled: number;
  synced: string[];
  runs: ProgramRun[];
  /** With a snapshot. */
  inputs?: ProgramInputReport[];
}
