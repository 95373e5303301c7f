// The pieces of a why sentence: what changed, what matched it, where that goes back to.

import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Hop, SentencePart} from '@krtscope/shared/why.ts';
import {syncBlockersOf} from '../evidence/sync-blockers.ts';
import type {RecordedRun, Records} from '../records.ts';
import {changeParts, code, fetchWords, item, text} from './sentence.ts';

export function hopParts(hop: Hop): SentencePart[] {
  const {before, after} = hop;
  return changeParts(hop.event ?? 'update', hop.changes, {before, after});
}

/** "is suspended: its run stopped at fetch(Namespaces, key shop), and Namespaces is forbidden". */
export function suspendedRunParts(
  records: Records,
  run: RecordedRun,
  asked: number | undefined,
): SentencePart[] {
  const outcome = {outcome: 'suspended' as const};
  const {waitingFor} = run;
  if (waitingFor === undefined) return [text('is '), outcome];
  const holders = syncBlockersOf(records, waitingFor, momentBlocked(records, run, asked));
  const last = holders[holders.length - 1];
  const held: SentencePart[] =
    last === undefined
      ? [text('had not synced then')]
      : last.collection === waitingFor
        ? [text(`is ${last.state}${last.reason === undefined ? '' : ` (${last.reason})`}`)]
        : [
            text('waits for '),
            code(last.collection),
            text(`, which is ${last.state}${last.reason === undefined ? '' : ` (${last.reason})`}`),
          ];
  return [
    text('is '),
    outcome,
    text(': its run stopped where it reads '),
    code(waitingFor),
    text(', and '),
    code(waitingFor),
    text(' '),
    ...held,
  ];
}

/** It waits for as long as it is the last run: what holds it may be said later than the run was made. */
export function momentBlocked(
  records: Records,
  {id, collection, input, sequence}: RecordedRun,
  asked: number | undefined,
): number | undefined {
  if (records.lastRun(collection, input, asked)?.id === id) return asked;
  return sequence < records.oldest() ? undefined : sequence;
}

/** "; it asks fetch(Services, …) now instead of fetch(Services, …)": the looker's own filter changed. */
function filterChangedParts(run: RecordedRun): SentencePart[] {
  for (const gained of run.gained) {
    const lost = run.lost.find(one => one.collection === gained.collection);
    if (lost)
      return [
        text('; it asks '),
        code(fetchWords(gained.collection, gained.filter)),
        text(' now instead of '),
        code(fetchWords(lost.collection, lost.filter)),
      ];
  }
  return [];
}

/** The words after "because": who changed and what, and the fetch that it matched. */
export function causeParts(run: RecordedRun, hop: Hop | undefined, first: boolean): SentencePart[] {
  const cause = hop?.cause ?? run.causes[0];
  if (!cause) return [];
  const role = 'cause' as const;
  switch (cause.kind) {
    case 'formula':
      return [text(first ? ' when its collection was created' : ' because its formula was replaced')];
    case 'synced':
      return [
        text(' because '),
        code(hop?.text ?? `${cause.collection ?? 'a collection it waited for'} synced`),
      ];
    case 'trigger':
      return [text(' because '), code(cause.collection ?? 'its trigger'), text(' was triggered')];
    default: {
      if (!hop) return [];
      const changed = hopParts(hop);
      if (cause.kind === 'input')
        return [
          text(' because its input '),
          item(hop, role),
          text(' '),
          ...changed,
          ...filterChangedParts(run),
        ];
      const version = cause.matched === 'old' ? ' by its old version' : '';
      return [
        text(' because '),
        item(hop, role),
        text(' '),
        ...changed,
        text('; matched '),
        code(fetchWords(cause.collection ?? hop.collection, cause.filter ?? 'all')),
        text(version),
      ];
    }
  }
}

/** "…, and 2 more causes"; "…, which goes back to Pods/a, written by kubelet". */
export function originParts(run: RecordedRun | undefined, hops: readonly Hop[]): SentencePart[] {
  const parts: SentencePart[] = [];
  const others = (run?.causes.length ?? 1) - 1;
  if (others > 0) parts.push(text(`, with ${others} more ${others === 1 ? 'cause' : 'causes'}`));
  // The row was there and another text made it other: what its input once was is not what it goes back to.
  const replaced = hops.find((hop, at) => hop.cause?.kind === 'formula' && hops[at - 1]?.event === 'update');
  if (replaced)
    return [
      ...parts,
      text('; it goes back to the formula of '),
      code(replaced.collection),
      text(' being replaced'),
    ];
  const origin = hops[hops.length - 1];
  const standing = hops[0]?.text === undefined ? undefined : hops[1];
  if (standing) parts.push(text('; its input is '), item(standing, 'cause'));
  if (hops.length > 1 && origin?.kind === 'write' && origin !== standing) {
    parts.push(text('; it goes back to '), item(origin, 'cause'));
    if (origin.event !== 'update')
      parts.push(text(origin.event === 'add' ? ' being added' : ' being deleted'));
  }
  if (origin?.writer) parts.push(text(', written by '), code(origin.writer.manager));
  return parts;
}

/** " (the same run: 1 added, 2 deleted)": for a row that stayed as it was while others of its run did not. */
export function otherOutputsParts(run: RecordedRun, own: RunOutcome): SentencePart[] {
  if (own !== 'equal' || run.outcome !== 'changed') return [];
  const {added, changed, deleted} = run.counts;
  const others = Object.entries({added, changed, deleted}).filter(([, count]) => count > 0);
  return [
    text(` (other rows of the same run: ${others.map(([did, count]) => `${count} ${did}`).join(', ')})`),
  ];
}
