// The runs of an item that an answer includes: those around the explained run, and the number of others.
import type {RunStrip} from '@krtscope/shared/run.ts';
import type {Records} from '../records.ts';

/** A busy item has thousands of runs. The page draws two dozen, and all would be 225 KB an answer. */
const MAX_RUNS = 200;

/** `told`: the explained run by id, or by a moment; absent: the newest. */
export function runHistoryOf(
  records: Records,
  collection: string,
  input: string | undefined,
  told: {run?: string | undefined; at?: number | undefined} = {},
): RunStrip {
  const marks = input === undefined ? [] : records.runsOf(collection, input);
  const {run, at} = told;
  const here = marks.findLastIndex(mark =>
    run === undefined ? mark.sequence <= (at ?? Infinity) : mark.id === run,
  );
  const middle = here < 0 ? marks.length : here;
  const before = Math.max(0, Math.min(middle - MAX_RUNS / 2, marks.length - MAX_RUNS));
  const strip = marks.slice(before, before + MAX_RUNS);
  return {
    strip: strip.map(mark => ({...mark, at: Math.round(mark.at)})),
    beyond: {before, after: marks.length - before - strip.length},
  };
}
