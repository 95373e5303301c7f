// What one batch did, in short, for the graph: root writes and how many runs each edge carried, by outcome.
import type {BatchPulse} from '@krtscope/shared/stream.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Batch} from '../../../history/batch.ts';

/** Roots that one pulse names; a first list of thousands is one flash all the same. */
const MAX_ROOTS = 20;
/** Pulses of one frame: more are not drawn. */
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
