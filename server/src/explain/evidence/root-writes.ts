// Finds the writes from outside behind a change within its batch, along all causes and not only the decisive ones.
import type {RecordedBatch, RecordedChange, Records} from '../records.ts';

/** Changes that one search visits. */
const MOST = 2000;

/** Places in the batch, including its own. */
export function upstreamPlaces(
  records: Records,
  batch: RecordedBatch,
  from: number,
  until?: number,
): ReadonlySet<number> {
  const seen = new Set([from]);
  for (const at of seen) {
    if (at === until || seen.size > MOST) break;
    const {run, from: parts = []} = batch.change(at);
    const causes = run === undefined ? undefined : records.runById(run)?.causes;
    for (const next of [...parts, ...(causes?.map(({published}) => published) ?? [])])
      if (next !== undefined) seen.add(next);
  }
  return seen;
}

/** Places of the root writes. */
export function rootWritesOf(
  records: Records,
  batch: RecordedBatch,
  change: RecordedChange,
): ReadonlySet<number> {
  if (change.place === undefined) return new Set();
  const roots = new Set(batch.rootPlaces);
  return new Set([...upstreamPlaces(records, batch, change.place)].filter(place => roots.has(place)));
}
