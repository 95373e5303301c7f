// The object that a lookup without a result most likely was meant to find: the one that it found last, else the nearest.
import type {RerunReader} from '../evidence/field-reads.ts';
import {tryFetch} from '../evidence/filter-try.ts';
import type {RecordedRun} from '../records.ts';
import {findNearestMatch, type NearestMatch} from '../why-not/nearest-match.ts';

/** Earlier runs that are looked at. */
const MAX_RUNS = 200;

export interface MissedObject extends NearestMatch {
  /** The first run that did not find the object, where the recording has it. */
  readonly ended?: RecordedRun | undefined;
}

/** Earlier runs of the same input, newest first, each with the run after it. */
function* earlierRuns(
  reader: RerunReader,
  run: RecordedRun,
): Generator<{run: RecordedRun; after: RecordedRun}> {
  let after = run;
  for (let count = 0; count < MAX_RUNS; count++) {
    const before = reader.records.runBefore(after.id);
    if (!before) return;
    yield {run: before, after};
    after = before;
  }
}

/** What this fetch found last. Its place among the fetches of a run identifies it. */
function findLastFound(reader: RerunReader, run: RecordedRun, at: number): MissedObject | undefined {
  const fetch = run.fetches[at];
  if (!fetch) return undefined;
  for (const {run: before, after} of earlierRuns(reader, run)) {
    const then = before.fetches[at];
    const key = then?.collection === fetch.collection ? then.keys[0] : undefined;
    if (key === undefined) continue;
    const value = reader.records.value(fetch.collection, key, run.sequence);
    const {rows} = tryFetch(reader, {run}, fetch, key, undefined, value);
    const failing = rows.find(row => row.matchesNew === false);
    return {collection: fetch.collection, key, rows, failing, ended: after};
  }
  return undefined;
}

/** Undefined where no object comes near. The run's batch must be kept. */
export function findMissedObject(
  reader: RerunReader,
  run: RecordedRun,
  at: number,
): MissedObject | undefined {
  const fetch = run.fetches[at];
  if (!fetch || run.sequence < reader.records.oldest()) return undefined;
  return findLastFound(reader, run, at) ?? findNearestMatch(reader, {run, at: run.sequence}, fetch);
}
