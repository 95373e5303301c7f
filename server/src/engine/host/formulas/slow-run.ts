// A run of a slow formula, as its own process reports it to the engine process.
import type {Cause, Clause} from '../../../krt/index.ts';

/** Fetches of one run that are reported. The slow process itself knows all of them. */
export const MAX_REPORTED_FETCHES = 200;

export interface SlowFetch {
  readonly collection: string;
  readonly clauses: readonly Clause[];
  /** The keys of the result, at most 100. */
  readonly keys: readonly string[];
}

export interface SlowRun {
  readonly input: string;
  /** Absent if the run failed or discarded its result. */
  readonly rows?: readonly unknown[];
  /** Why it failed. */
  readonly error?: string;
  readonly fetches: readonly SlowFetch[];
  readonly causes: readonly Cause[];
}
