// A run of the log, with the causes that were inferred for it.
import type {RowRef} from './krtz-structure.ts';
import type {AttributedRun} from './output-inputs.ts';

export interface InferredCause extends RowRef {
  kind: 'input' | 'fetch';
  /** The text of the fetch that found it, as the log writes it. */
  filter?: string;
}

export interface InferredRun extends AttributedRun {
  collection: string;
  /** One cause is named; several are possible; none is unknown. */
  causes: InferredCause[];
  /** The input was removed, so there was no run. */
  isRemoval: boolean;
  /** The first line of its batch. What caused it was published before. */
  first: number;
}
