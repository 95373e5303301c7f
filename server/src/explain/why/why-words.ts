// Gathers what the sentence of a why needs from the recorded run and its chain of causes.
import type {Hop} from '@krtscope/shared/why.ts';
import {rankChanges} from '../evidence/change-rank.ts';
import {wholeChangeOf} from '../evidence/object-lifetime.ts';
import {syncBlockersOf} from '../evidence/sync-blockers.ts';
import type {RecordedRun, Records} from '../records.ts';
import type {CauseFacts, ChainEnd, HopWords, SyncBlocker} from '../wording/why-sentence.ts';

export function hopWordsOf(hop: Hop): HopWords {
  const whole = wholeChangeOf({before: hop.before, after: hop.after});
  return {hop: {...hop, changes: rankChanges(hop.changes)}, whole};
}

/** A filter of the run that another change of its input replaced. */
function replacedFilterOf(run: RecordedRun): CauseFacts['filter'] {
  for (const gained of run.gained) {
    const lost = run.lost.find(one => one.collection === gained.collection);
    if (lost) return {collection: gained.collection, now: gained.filter, before: lost.filter};
  }
  return undefined;
}

export function causeFactsOf(
  records: Records,
  run: RecordedRun,
  hop: Hop | undefined,
  first: boolean,
): CauseFacts {
  return {
    cause: hop?.cause ?? run.causes[0],
    hop: hop && hopWordsOf(hop),
    first,
    filter: replacedFilterOf(run),
    writer: hop?.writer,
    ending:
      records.ending?.(run.collection, run.sequence) ?? records.rebuilding?.(run.collection, run.sequence),
  };
}

export function chainEndOf(run: RecordedRun | undefined, hops: readonly Hop[]): ChainEnd {
  const others = (run?.causes.length ?? 1) - 1;
  // A new formula changed a row that existed, so the earlier changes of its input did not.
  const replaced = hops.find((hop, at) => hop.cause?.kind === 'formula' && hops[at - 1]?.event === 'update');
  if (replaced) return {others, replacedFormula: replaced.collection};
  const end = hops[hops.length - 1];
  const standing = hops[0]?.text === undefined ? undefined : hops[1];
  const isWrite = hops.length > 1 && end?.kind === 'write' && end !== standing;
  // The words of the first cause name its own writer.
  const writer = end === hops[0] ? undefined : end?.writer;
  return {others, standing, write: isWrite ? end : undefined, writer};
}

/** The source that keeps a run waiting, as it is while this run is the last one. */
export function blockerOf(
  records: Records,
  run: RecordedRun,
  at: number | undefined,
): SyncBlocker | undefined {
  const {waitingFor, id, collection, input, sequence} = run;
  if (waitingFor === undefined) return undefined;
  const isLast = records.lastRun(collection, input, at)?.id === id;
  const moment = isLast ? at : sequence < records.oldest() ? undefined : sequence;
  return syncBlockersOf(records, waitingFor, moment).at(-1);
}
