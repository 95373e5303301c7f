// Everything that followed from one change inside its batch, forward along the recorded causes.
import type {RecordedBatch} from './records.ts';

/** Positions of all runs that one change led to, in running order; stops after `limit`. */
export function blastOf(batch: RecordedBatch, place: number, limit = 50_000): number[] {
  const runs = new Set<number>();
  const places = new Set<number>([place]);
  const queue = [place];
  for (let at = queue.pop(); at !== undefined && runs.size < limit; at = queue.pop()) {
    const reach = (next: number): void => {
      if (places.has(next)) return;
      places.add(next);
      queue.push(next);
    };
    for (const next of batch.ledTo(at)) reach(next);
    for (const run of batch.causedBy(at)) {
      if (runs.has(run)) continue;
      runs.add(run);
      for (const next of batch.announced(run)) reach(next);
    }
  }
  return [...runs].sort((a, b) => a - b);
}
