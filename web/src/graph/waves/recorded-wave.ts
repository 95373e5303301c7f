// Rebuilds the wave of a recorded batch from its runs. Pure.
import type {RunRecord} from '@krtscope/shared/run.ts';
import type {BatchPulse} from '@krtscope/shared/stream.ts';

/** Has the form that the stream sends for a live batch. */
export function recordedWave(sequence: number, runs: readonly RunRecord[]): BatchPulse | undefined {
  const ofBatch = runs.filter(run => run.sequence === sequence);
  if (ofBatch.length === 0) return undefined;
  const roots = new Map<string, BatchPulse['roots'][number]>();
  const waves = new Map<string, BatchPulse['waves'][number]>();
  for (const run of ofBatch) {
    const cause = run.causes[0];
    const from = cause?.collection ?? run.collection;
    if (cause?.collection !== undefined && cause.key !== undefined && cause.run === undefined)
      roots.set(`${cause.collection} ${cause.key}`, {
        collection: cause.collection,
        key: cause.key,
        event: cause.event ?? 'update',
      });
    const id = `${from} ${run.collection}`;
    const wave = waves.get(id) ?? {from, to: run.collection, outcomes: {}};
    wave.outcomes[run.outcome] = (wave.outcomes[run.outcome] ?? 0) + 1;
    waves.set(id, wave);
  }
  return {sequence, at: ofBatch[0]!.at, roots: [...roots.values()], waves: [...waves.values()]};
}
