// What a step of an origin says: the row that came to be so, and what of all that it stood on made it so.
import type {SentencePart} from '@krtscope/shared/why.ts';
import {changedPaths} from '../evidence/diff.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {RerunFidelity} from '../evidence/rerun.ts';
import {type MissedObject, missedObjectParts} from '../origin/missed-object.ts';
import type {NextChange} from '../origin/next-change.ts';
import type {RecordedChange, RecordedFetch, RecordedRun} from '../records.ts';
import type {WeightedCause} from '../why/decisive-causes.ts';
import {
  changeVerbParts,
  emptyValueParts,
  type OriginSubject,
  readPathParts,
  rowChangeParts,
} from './origin-sentence.ts';
import {code, fetchWords, item, rankChanges, text} from './sentence.ts';

/** A row of a join, an index or a map: it follows its part. */
export function viewParts(
  about: OriginSubject,
  change: RecordedChange,
  part: RecordedChange,
): SentencePart[] {
  if (change.from === undefined)
    return [
      ...rowChangeParts(about, change),
      text(' when what it is made of had synced; its part is '),
      item(part, 'cause'),
    ];
  const path = part.event === 'update' ? rankChanges(changedPaths(part.old, part.new))[0]?.path : undefined;
  return [
    ...rowChangeParts(about, change),
    text(' because '),
    item(part, 'cause'),
    text(' '),
    ...changeVerbParts(part, path),
  ];
}

/** A run that a change woke, and how much of it that change alone explains. */
export function causedParts(
  told: readonly SentencePart[],
  cause: RecordedChange,
  path: string | undefined,
  {faith, causes}: {readonly faith: RerunFidelity; readonly causes: readonly WeightedCause[]},
): SentencePart[] {
  const also = causes.filter(one => one.weight === 'also-needed').length;
  const either = causes.filter(one => one.weight === 'either').length;
  return [
    ...told,
    text(' because '),
    item(cause, 'cause'),
    text(' '),
    ...changeVerbParts(cause, path),
    ...(also > 0
      ? [text(`, and ${also} more ${also === 1 ? 'change was' : 'changes were'} needed as well`)]
      : []),
    ...(either > 1 ? [text(`; either of ${either} changes would have been enough`)] : []),
    ...(faith.repeat === 'same'
      ? []
      : [text(`; which of ${causes.length} causes it was is not known: ${faith.note}`)]),
  ];
}

/** A run that no change woke: what did, and what it found there then. */
export function noChangeParts(
  told: readonly SentencePart[],
  run: RecordedRun,
  next: NextChange | undefined,
): SentencePart[] {
  const [cause] = run.causes;
  const why =
    cause?.kind === 'synced'
      ? ` when ${cause.collection ?? 'what it waited for'} synced`
      : cause?.kind === 'formula'
        ? ' when its formula was set'
        : cause?.kind === 'trigger'
          ? ` because ${cause.collection ?? 'its trigger'} was triggered`
          : '';
  return [...told, text(why), ...(next ? [text('; it goes back to '), item(next.change, 'cause')] : [])];
}

/** No write led to this run: what woke it is where it ends; undefined where that is not known. */
export function wakeUpParts({causes: [cause], sequence, fetches}: RecordedRun): SentencePart[] | undefined {
  const what =
    cause?.kind === 'formula'
      ? 'its formula was set'
      : cause?.kind === 'trigger'
        ? `${cause.collection ?? 'its trigger'} was triggered`
        : cause?.kind === 'synced' && fetches.every(({matched}) => matched === 0)
          ? `${cause.collection ?? 'what it waited for'} synced and nothing that it looks for was there`
          : undefined;
  return what === undefined ? undefined : [text(`At #${sequence} ${what}`)];
}

/** Nothing came out, by what the run read of its input: the step, and what it adds to the sentence. */
export function emptyParts(
  reader: RerunReader,
  about: OriginSubject,
  run: RecordedRun,
  change: RecordedChange | undefined,
  next: NextChange | undefined,
): {readonly parts: SentencePart[]; readonly piece: SentencePart[]} {
  const told = emptyValueParts(about, change);
  const read = readPathParts(reader, run);
  const because: SentencePart[] = next
    ? [text(' because '), item(next.change, 'cause'), text(' '), ...changeVerbParts(next.change, next.field)]
    : [];
  return {parts: [...told, ...because, ...read], piece: [...told, ...read]};
}

/** A fetch that found nothing, and what came nearest to it. */
export function missedParts(
  {collection, filter}: RecordedFetch,
  candidate: MissedObject | undefined,
): SentencePart[] {
  return [
    code(fetchWords(collection, filter)),
    text(' found nothing'),
    ...(candidate ? [text('; '), ...missedObjectParts(candidate)] : []),
  ];
}
