// Finds all runs that one change started inside its batch.
import type {Why} from '@krtscope/shared/why.ts';
import type {RecordedBatch} from '../records.ts';

/** Positions of the runs in running order, at most about `limit`. */
export function runsCausedBy(batch: RecordedBatch, place: number, limit = 50_000): number[] {
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

/** Marks shown of one collection. */
const MARKS = 120;

/** The runs by collection, with the asked run always among the marks. */
export function impactGroups(
  batch: RecordedBatch | undefined,
  place: number | undefined,
  own: string | undefined,
): Why['blast'] {
  if (!batch || place === undefined) return [];
  const groups = new Map<string, Why['blast'][number]>();
  for (const position of runsCausedBy(batch, place)) {
    const run = batch.run(position);
    const group = groups.get(run.collection) ?? {collection: run.collection, marks: [], total: 0};
    group.total++;
    // The asked run is always among the marks: it is drawn with a ring.
    if (group.marks.length < MARKS || run.id === own)
      group.marks.push({
        id: run.id,
        sequence: run.sequence,
        at: Math.round(run.at),
        outcome: run.outcome,
        input: run.input,
      });
    groups.set(run.collection, group);
  }
  return [...groups.values()];
}
