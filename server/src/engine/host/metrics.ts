// The engine process's numbers for /metrics: totals since its start, sizes, and the recorder's cost.
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Records} from '../../explain/records.ts';
import type {Batch} from '../../history/batch.ts';
import type {EngineMetrics} from '../link/engine-link.ts';

export class OutcomeCounts {
  readonly runs = new Map<string, Partial<Record<RunOutcome, number>>>();
  batches = 0;
  changes = 0;
  seconds = 0;

  add(batch: Batch): void {
    this.batches += 1;
    this.changes += batch.rootPlaces.length;
    this.seconds += batch.duration / 1000;
    for (const {collection, outcomes} of batch.runs) {
      const counts = this.runs.get(collection) ?? {};
      for (const [outcome, count] of Object.entries(outcomes) as [RunOutcome, number][]) {
        counts[outcome] = (counts[outcome] ?? 0) + count;
      }
      this.runs.set(collection, counts);
    }
  }
}

export function metricsOf(records: Records, counts: OutcomeCounts): EngineMetrics {
  const {share, heap} = records.recorder();
  return {
    sequence: records.newest(),
    batches: counts.batches,
    changes: counts.changes,
    seconds: counts.seconds,
    recorder: share,
    heap,
    kept: records.kept(),
    violations: records.violations().length,
    collections: records.collections().map(({name, kind, synced}) => ({
      name,
      kind,
      synced,
      size: records.size(name),
      failed: records.failedInputs(name).length,
      runs: counts.runs.get(name) ?? {},
    })),
  };
}
