// Finds the paths of an object that its direct readers read, by repeating their runs. Runs over large collections are
// expensive, so one question repeats only as many as fit its budget.
import type {RerunReader} from '../evidence/field-reads.ts';
import {ReadTracker} from '../evidence/read-tracker.ts';
import type {Rerun} from '../evidence/rerun.ts';
import type {Records} from '../records.ts';
import {repeatBudget, repeatCost} from './repeat-cost.ts';
import type {ImpactSteps, RowReader, RowReaders} from './row-readers.ts';

/** A reader, and the paths of the object that it reads. Undefined: it may read all of them. */
export interface DirectReader extends RowReader {
  readonly paths: readonly string[] | undefined;
}

export interface DirectReaders {
  readonly readers: readonly DirectReader[];
  /** Readers whose runs were not repeated, because the budget was spent. */
  readonly unrepeated: number;
}

interface ImpactObject {
  readonly collection: string;
  readonly key: string;
  readonly at: number | undefined;
}

export function* directReaders(
  records: Records,
  reader: RerunReader,
  rows: RowReaders,
  object: ImpactObject,
  budget = repeatBudget,
): ImpactSteps<DirectReaders> {
  const value = records.value(object.collection, object.key, object.at);
  const readers: DirectReader[] = [];
  let spent = 0;
  let unrepeated = 0;
  for (const one of yield* rows.of(object.collection, object.key)) {
    yield;
    spent += one.run === undefined ? 0 : repeatCost(records, one.run, object.at);
    if (spent <= budget) {
      readers.push({...one, paths: pathsOf(reader, one, object, value)});
      continue;
    }
    unrepeated += 1;
    readers.push({...one, how: 'couldMatch', paths: undefined});
  }
  return {readers, unrepeated};
}

function pathsOf(
  reader: RerunReader,
  {run, how}: RowReader,
  object: ImpactObject,
  value: unknown,
): readonly string[] | undefined {
  if (run === undefined) return undefined;
  const rerun = reader.rerun(run);
  if (rerun.faith.repeat !== 'same' || run.outcome === 'failed') return undefined;
  if (how === 'couldMatch') return filterPaths(rerun, object, value);
  return rerun.allReads
    .filter(read => read.collection === object.collection && read.key === object.key)
    .flatMap(({paths, listed = []}) => [...paths, ...listed]);
}

/** The fields that the filters of a run test, including those that the object does not have. */
function filterPaths(rerun: Rerun, {collection, key}: ImpactObject, value: unknown): string[] {
  const tracker = new ReadTracker();
  for (const asked of rerun.fetches)
    if (asked.collection === collection) asked.test(tracker.watch(collection, key, value), key);
  return tracker.reads().flatMap(({paths, listed = []}) => [...paths, ...listed]);
}
