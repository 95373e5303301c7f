// What the repeat of a run costs, in rows that it tests: one question repeats only as many as fit its budget.
import type {RecordedRun, Records} from '../records.ts';

const COST_OF_REPEAT = 100;

/** Under a second of one core. */
export const repeatBudget = 400_000;

/** A fetch whose keys are not all recorded tests the whole collection again. */
export function repeatCost(records: Records, {fetches}: RecordedRun, at: number | undefined): number {
  let cost = COST_OF_REPEAT;
  for (const {collection, keys, matched} of fetches)
    cost += matched > keys.length ? records.size(collection, at) : keys.length;
  return cost;
}
