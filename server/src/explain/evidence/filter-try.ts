// Tries a recorded filter on two versions of an object.
import type {RecordedFetch, RecordedRun} from '../records.ts';
import type {RerunReader} from './field-reads.ts';
import {evaluateFilter, type FilterEvaluation} from './filter-evaluation.ts';

/** The run whose fetch is tried. */
export interface FetchingRun {
  readonly run: RecordedRun | undefined;
}

/** The engine's own result counts where the run can be repeated. */
export function tryFetch(
  reader: RerunReader,
  {run}: FetchingRun,
  fetch: RecordedFetch,
  key: string,
  old: unknown,
  now: unknown,
): FilterEvaluation {
  const version = (value: unknown) =>
    value === undefined ? undefined : {key, value, tested: reader.testFilter(run, fetch, key, value)};
  const complete = fetch.matched <= fetch.keys.length;
  return evaluateFilter(fetch.clauses, version(old), version(now), new Set(fetch.keys), complete);
}
