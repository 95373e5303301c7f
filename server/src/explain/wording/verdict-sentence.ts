// Why an item did not react, in words: the conclusion first, then the evidence.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {EvidenceClause, SentencePart} from '@krtscope/shared/why.ts';
import {writerParts} from './change-sentence.ts';
import {type Lookup, notFoundParts} from './lookup-sentence.ts';
import {cause, code, outcomeWord, say, subject} from './say.ts';
import {countWords, fetchWords, firstLine, listWords} from './value-words.ts';
import {type HopWords, hopParts, type SyncBlocker} from './why-sentence.ts';

/** " Endpoint x is computed from it." where an item further up is the one that looks. */
export function computedFromParts(asked: ItemRef, reader: ItemRef): SentencePart[] {
  if (asked.collection === reader.collection && asked.key === reader.key) return [];
  return say` ${subject(asked)} is computed from ${reader}.`;
}

export function goneParts(
  about: ItemRef,
  gone: {sequence: number; isRow: boolean; because: HopWords | undefined; hasInput: boolean},
): SentencePart[] {
  const from = gone.because ? say` because ${cause(gone.because.hop)} ${hopParts(gone.because)}` : undefined;
  const what = gone.isRow ? 'no longer exists: it was deleted in' : 'has not been computed since';
  const rest = gone.hasInput ? ' Its input still exists and gives other rows.' : '';
  return say`${subject(about)} ${what} #${gone.sequence}${from}.${rest}`;
}

export function waitingParts(
  waits: SentencePart,
  waitsFor: string | undefined,
  blocker: SyncBlocker | undefined,
): SentencePart[] {
  const chain =
    blocker === undefined || blocker.collection === waitsFor
      ? undefined
      : say`, which waits for ${code(blocker.collection)}`;
  const reason = blocker?.reason === undefined ? '' : `: ${blocker.reason}`;
  const state = blocker === undefined ? '' : ` (${blocker.state}${reason})`;
  return say`${waits} ${waitsFor === undefined ? 'has not synced' : `waits for ${waitsFor}`}${chain}${state}.`;
}

/** A run that failed or discarded its result. */
export interface RunEndWords {
  readonly sequence: number;
  readonly error?: string | undefined;
  /** "the last good rows stay", "it has no rows". */
  readonly remaining: string;
}

export function failedParts(about: ItemRef, {sequence, error, remaining}: RunEndWords): SentencePart[] {
  return say`${subject(about)} failed in #${sequence} with ${code(firstLine(error ?? 'no message'), 'error')}; ${remaining}.`;
}

export function discardedParts(about: ItemRef, {sequence, remaining}: RunEndWords): SentencePart[] {
  return say`${subject(about)} ran in #${sequence} and discarded its result; ${remaining}.`;
}

/** Why nothing reads the expected collection on behalf of an item. */
export type NoReadReason =
  | {readonly kind: 'view'; readonly parents: readonly string[]}
  | {readonly kind: 'source'}
  | {readonly kind: 'no-run'}
  | {readonly kind: 'run'; readonly reads: readonly string[]};

export function didNotLookParts(about: ItemRef, collection: string, reason: NoReadReason): SentencePart[] {
  const not = say`${subject(about)} does not read ${code(collection)}`;
  switch (reason.kind) {
    case 'view':
      return say`${not}: it is made of ${listWords(reason.parents)} only, and none of its parts reads it.`;
    case 'source':
      return say`${not}: it is written from outside and reads nothing.`;
    case 'no-run':
      return say`${not}: no run of it is recorded.`;
    case 'run':
      return reason.reads.length > 0
        ? say`${not}. Its last run read ${listWords(reason.reads)}.`
        : say`${not}. Its last run fetched nothing.`;
  }
}

/** A lookup of rows that are computed from the expected object. */
export function notInLookupParts(
  about: ItemRef,
  fetch: {collection: string; filter: string},
  expected: ItemRef,
): SentencePart[] {
  return say`${subject(about)} asked ${code(fetchWords(fetch.collection, fetch.filter))} and found no row that is computed from ${cause(expected)}.`;
}

export function otherInputParts(about: ItemRef, input: ItemRef, expected: ItemRef): SentencePart[] {
  return say`${subject(about)} is computed from ${input}, not from ${cause(expected)}.`;
}

/** An index row without the expected object. */
export interface IndexRowMiss {
  readonly row: ItemRef;
  readonly count: number;
  readonly expected: ItemRef;
  /** The item that is computed from the expected object; absent where the index holds that object itself. */
  readonly member?: ItemRef | undefined;
  /** The collection of the index, where it has no item from the expected object. */
  readonly emptyParent?: string | undefined;
  readonly actualRow?: ItemRef | undefined;
}

export function notInIndexParts({row, count, expected, member, emptyParent, actualRow}: IndexRowMiss) {
  const items = countWords(count, 'item');
  if (emptyParent !== undefined)
    return say`${subject(row)} has ${items}, and none of them is computed from ${cause(expected)}: ${emptyParent} has no row for it.`;
  const from = member === undefined ? undefined : say`, which is computed from ${cause(expected)}`;
  const where = actualRow === undefined ? undefined : say` It is in ${actualRow}.`;
  return say`${subject(row)} has ${items}, and ${member ?? cause(expected)}${from}${from ? ',' : ''} is not ${count === 1 ? 'it' : 'one of them'}.${where}`;
}

export interface FilterMiss {
  readonly lookup: Lookup;
  readonly expected: ItemRef;
  readonly failing: EvidenceClause | undefined;
  /** The batch of its deletion, where it is deleted. */
  readonly deleted?: number | undefined;
  readonly until: SentencePart[];
}

export function lookedElsewhereParts({lookup, expected, failing, deleted, until}: FilterMiss) {
  if (deleted !== undefined)
    return say`${cause(expected)} was deleted in #${deleted}, and no run of ${lookup.by} had found it before.`;
  const never = until.length === 0 ? ' It did not match before either, so nothing ran.' : '';
  return say`${notFoundParts(lookup, expected, failing)}.${never}${until}`;
}

/** " It matched until #22: label app changed…, written by x; run #22.3 followed (changed)." */
export function matchedUntilParts(
  change: HopWords,
  run: {id: string; outcome: RunOutcome} | undefined,
): SentencePart[] {
  const {hop} = change;
  const followed =
    run === undefined ? undefined : say`; run #${run.id} followed (${outcomeWord(run.outcome)})`;
  return say` It matched until #${hop.sequence}, when it ${hopParts(change)}${writerParts(hop.writer)}${followed}.`;
}

/** " It asked fetch(Pods, …) until #38, when Service x changed …, written by helm." */
export function filterChangedParts(
  fetch: {collection: string; filter: string},
  sequence: number,
  change: HopWords | undefined,
): SentencePart[] {
  const when = change
    ? say`, when ${cause(change.hop)} ${hopParts(change)}${writerParts(change.hop.writer)}`
    : undefined;
  return say` It asked ${code(fetchWords(fetch.collection, fetch.filter))}, which found it, until #${sequence}${when}.`;
}

/** The run, or the row without a run, at which the effects of a change ended. */
export interface EqualEnd {
  readonly node: ItemRef;
  readonly expected: ItemRef;
  readonly asked: ItemRef | undefined;
  readonly sequence: number | undefined;
  readonly result: 'equal' | 'empty' | 'still-empty';
  readonly changed: readonly string[];
  readonly isUnread: boolean;
}

export function equalResultWords(result: EqualEnd['result']): string {
  if (result === 'equal') return 'its result did not change';
  return result === 'empty' ? 'it returned nothing' : 'it returned nothing, as before';
}

export function equalParts({node, expected, asked, sequence, result, changed, isUnread}: EqualEnd) {
  const ran = sequence === undefined ? ' was computed again' : ` ran in #${sequence}`;
  const unread = isUnread ? `, which the formula does not read` : '';
  const what = changed.length === 0 ? '' : ` What changed was ${listWords(changed, 3)}${unread}.`;
  const there = asked === undefined ? undefined : say` So ${subject(asked)} did not run.`;
  return say`${subject(node)}${ran} because of ${cause(expected)}, and ${equalResultWords(result)}.${what}${there}`;
}

export function reactedToChangeParts(
  asked: ItemRef,
  expected: ItemRef,
  {
    sequence,
    isDelete,
    run,
  }: {sequence: number; isDelete: boolean; run: {id: string; outcome: RunOutcome} | undefined},
): SentencePart[] {
  const what = isDelete ? `was deleted in #${sequence}` : `last changed in #${sequence}`;
  const did =
    run === undefined ? say`changed with it` : say`reacted in run #${run.id} (${outcomeWord(run.outcome)})`;
  return say`${subject(asked)} did react: ${cause(expected)} ${what}, and ${subject(asked)} ${did}.`;
}

export function usedSinceParts(
  reader: ItemRef,
  expected: ItemRef,
  run: {id: string; outcome: RunOutcome},
): SentencePart[] {
  return say`${subject(reader)} did react: it has used ${cause(expected)} as it is since run #${run.id} (${outcomeWord(run.outcome)}).`;
}

export type ExpectedState =
  | {readonly kind: 'never'}
  | {readonly kind: 'unchanged'}
  | {readonly kind: 'changed' | 'deleted'; readonly sequence: number; readonly reader: ItemRef};

export function noChangeParts(expected: ItemRef, state: ExpectedState): SentencePart[] {
  const named = cause(expected);
  if (state.kind === 'never') return say`${named} does not exist and is not in the recording.`;
  if (state.kind === 'unchanged') return say`${named} has not changed since the recording began.`;
  const what = state.kind === 'changed' ? 'has not changed since' : 'was deleted in';
  return say`${named} ${what} #${state.sequence}, so there was nothing for ${subject(state.reader)} to react to.`;
}
