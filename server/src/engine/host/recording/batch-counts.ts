// Counts the runs and writes of batches, for the buckets of the timeline and the seconds of the history on disk.
import {isPersonManager} from '@krtscope/shared/field-managers.ts';
import type {Bucket} from '@krtscope/shared/timeline.ts';
import type {BatchSummary} from '../../../explain/records.ts';
import type {SecondTally} from '../../link/recording-archive.ts';

/** Whether objects of a collection were still being listed in a batch: they were written at another time. */
export type ListedIn = (collection: string, sequence: number) => boolean;

export function countBatch(bucket: Omit<Bucket, 'at'>, batch: BatchSummary, isListed: ListedIn): void {
  bucket.sequence = batch.sequence;
  bucket.writes += batch.roots.length;
  for (const {collection, manager} of batch.roots)
    if (manager !== undefined && isPersonManager(manager) && !isListed(collection, batch.sequence))
      bucket.people++;
  // Documents without a log name inputs only where their rows changed.
  bucket.changed += batch.observed ?? 0;
  for (const {outcomes} of batch.runs) {
    bucket.changed += (outcomes.added ?? 0) + (outcomes.changed ?? 0) + (outcomes.deleted ?? 0);
    bucket.equal += (outcomes.equal ?? 0) + (outcomes.empty ?? 0) + (outcomes.discarded ?? 0);
    // A suspended run has not happened yet: it runs again after the sync that it waits for.
    bucket.equal += outcomes.suspended ?? 0;
    bucket.failed += outcomes.failed ?? 0;
  }
}

/** The counts of each second. */
export function talliesOf(batches: readonly BatchSummary[], isListed: ListedIn): SecondTally[] {
  const seconds = new Map<number, Omit<Bucket, 'at'>>();
  for (const batch of batches) {
    const second = Math.floor(batch.at / 1000);
    let bucket = seconds.get(second);
    if (bucket === undefined) {
      bucket = {sequence: 0, changed: 0, equal: 0, failed: 0, writes: 0, people: 0};
      seconds.set(second, bucket);
    }
    countBatch(bucket, batch, isListed);
  }
  return [...seconds].map(([second, {sequence, changed, equal, failed, writes, people}]) => [
    second,
    sequence,
    changed,
    equal,
    failed,
    writes,
    people,
  ]);
}
