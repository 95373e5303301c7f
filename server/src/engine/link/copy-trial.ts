// A trial in a copy of the graph: what main sends, and what the copy answers.
import type {Check} from '@krtscope/shared/checks.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {RowDifference} from '@krtscope/shared/what-if/what-if.ts';
import type {InstallableFormula} from './commands.ts';

/** An object after the edits. Without `new` it is deleted. */
export interface EditedObject {
  collection: string;
  key: string;
  new?: unknown;
}

export interface CopyTrial {
  objects: readonly EditedObject[];
  /** Formulas to install for the trial. */
  formulas?: readonly InstallableFormula[];
  /** Only rows of these collections are in the result. */
  collections?: readonly string[] | undefined;
}

export interface CopyTrialResult {
  collections: Record<string, RowDifference[]>;
  runs: number;
  stopped: ItemRef[];
  /** Changed rows that are not in the result because it would be too large. */
  omitted: number;
  /** Findings about the state alone, before and after the edits. */
  before: Check[];
  after: Check[];
  /** False if taking the edits back did not restore every row. The copy is then useless. */
  isRestored: boolean;
}
