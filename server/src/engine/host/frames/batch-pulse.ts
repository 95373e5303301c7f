// Summarizes one batch for the graph view: root writes, and the number of runs along each edge by outcome.
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Batch} from '../../../history/batch.ts';

/** The number of roots in one pulse. A first list of thousands is still one flash. */
const MAX_ROOTS = 20;
/** The number of pulses in one frame. The page does not draw more. */
export const MAX_PULSES = 30;

export function batchPulseOf(batch: Batch): BatchPulse {
  const waves = new Map<string, BatchPulse['waves'][number]>();
  for (const node of batch.runNodes) {
    if (node === undefined) continue;
    const {collection: to, outcome, causes} = node.run;
    const from = causes.find(cause => cause.collection !== undefined)?.collection ?? '';
    countRun(waves, from, to, outcome);
  }
  return {
    sequence: batch.sequence,
    at: batch.at,
    roots: batch.roots.slice(0, MAX_ROOTS).map(root => ({...root})),
    waves: [...waves.values()],
  };
}

function countRun(
  waves: Map<string, BatchPulse['waves'][number]>,
  from: string,
  to: string,
  outcome: RunOutcome,
): void {
  const edge = `${from} ${to}`;
  let wave = waves.get(edge);
  if (wave === undefined) {
    wave = {from, to, outcomes: {}};
    waves.set(edge, wave);
  }
  wave.outcomes[outcome] = (wave.outcomes[outcome] ?? 0) + 1;
}
