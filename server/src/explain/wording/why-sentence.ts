// Why a row is as it is: what happened to it, the change behind that, and the write that it goes back to.
import type {ItemRef, RunCause} from '@krtscope/shared/run.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {Hop, SentencePart} from '@krtscope/shared/why.ts';
import type {CollectionEnding} from '../records.ts';
import {changeParts, type WholeChange, writerParts} from './change-sentence.ts';
import {cause, code, outcomeWord, say, subject} from './say.ts';
import {countWords, fetchWords, firstLine, stateWords} from './value-words.ts';

/** A source, or what waits for it, that keeps a collection from syncing. */
export interface SyncBlocker {
  readonly collection: string;
  readonly state: string;
  readonly reason?: string | undefined;
}

export interface HopWords {
  readonly hop: Hop;
  readonly whole: WholeChange;
}

export function hopParts({hop, whole}: HopWords): SentencePart[] {
  return changeParts(hop.event ?? 'update', hop.changes, whole);
}

/** What a run did, as the verb of its sentence. */
export function outcomeParts(
  outcome: RunOutcome,
  {first, error}: {first: boolean; error?: string | undefined},
): SentencePart[] {
  const word = outcomeWord(outcome);
  switch (outcome) {
    case 'changed':
      return say`${word}`;
    case 'equal':
      return say`${first ? 'was computed' : 'was recomputed'} and stayed ${word}`;
    case 'empty':
      return say`is ${word}: its formula returned nothing`;
    case 'discarded':
      return say`ran and ${word} its result`;
    case 'failed':
      return say`${word}${error === undefined ? undefined : say` with ${code(firstLine(error), 'error')}`}`;
    case 'suspended':
      return say`is ${word}`;
    default:
      return say`was ${word}`;
  }
}

/** "is suspended: it reads Namespaces, which is forbidden (403)". */
export function suspendedRunParts(
  waitingFor: string | undefined,
  blocker: SyncBlocker | undefined,
): SentencePart[] {
  const word = outcomeWord('suspended');
  if (waitingFor === undefined) return say`is ${word}`;
  const state =
    blocker === undefined
      ? say`had not synced then`
      : blocker.collection === waitingFor
        ? say`is ${stateWords(blocker)}`
        : say`waits for ${code(blocker.collection)}, which is ${stateWords(blocker)}`;
  return say`is ${word}: it reads ${code(waitingFor)}, and ${code(waitingFor)} ${state}`;
}

/** What is told of the run whose cause is worded. */
export interface CauseFacts {
  readonly cause: RunCause | undefined;
  readonly hop: HopWords | undefined;
  readonly first: boolean;
  /** The filter that the run asked with now and before, where its input changed it. */
  readonly filter?: {collection: string; now: string; before: string} | undefined;
  /** Who wrote the change, where it is a write. */
  readonly writer?: {manager: string} | undefined;
  /** Why the collection ended, where the run deleted its rows for that. */
  readonly ending?: CollectionEnding | undefined;
}

/** The words from "because" on: what changed, and the fetch that it matched. */
export function causeParts({cause: from, hop, first, filter, writer, ending}: CauseFacts): SentencePart[] {
  if (!from) return [];
  switch (from.kind) {
    case 'formula':
      if (ending !== undefined) return endingParts(ending);
      return first ? say` when its collection was created` : say` because its formula was replaced`;
    case 'synced':
      return say` because ${code(hop?.hop.text ?? `${from.collection ?? 'a collection that it waited for'} synced`)}`;
    case 'trigger':
      return say` because ${code(from.collection ?? 'its trigger')} was triggered`;
    default:
      return hop ? changeCauseParts(from, hop, filter, writer) : [];
  }
}

/** "because its collection was removed", or what the collection reads changed. */
function endingParts({kind, module, because}: CollectionEnding): SentencePart[] {
  if (kind === 'removed')
    return module === undefined
      ? say` because its collection was removed`
      : say` because its collection was removed: ${code(module)} no longer builds it`;
  const names = because.join(' and ');
  return because.length === 0
    ? say` because its collection was built again`
    : say` because its collection was built again: it reads ${code(names)}, which ${because.length === 1 ? 'was' : 'were'} removed or built again`;
}

function changeCauseParts(
  from: RunCause,
  hop: HopWords,
  filter: CauseFacts['filter'],
  writer: CauseFacts['writer'],
): SentencePart[] {
  const by = writerParts(writer);
  if (from.kind === 'input') {
    const asks = filter
      ? say`; it now asks ${code(fetchWords(filter.collection, filter.now))} instead of ${code(fetchWords(filter.collection, filter.before))}`
      : undefined;
    return say` because its input ${cause(hop.hop)} ${hopParts(hop)}${by}${asks}`;
  }
  const version = from.matched === 'old' ? ' by its old version' : '';
  const fetch = code(fetchWords(from.collection ?? hop.hop.collection, from.filter ?? 'all'));
  return say` because ${cause(hop.hop)} ${hopParts(hop)}${by} (matched ${fetch}${version})`;
}

/** Where the chain of causes ends. */
export interface ChainEnd {
  /** Causes of the same run beside the one that is told. */
  readonly others: number;
  /** The collection whose formula was replaced, where that made the difference. */
  readonly replacedFormula?: string | undefined;
  /** The input as it stood, for a run that no change started. */
  readonly standing?: ItemRef | undefined;
  /** The write at the end, where it is another object than the ones named before. */
  readonly write?: (ItemRef & {event?: Hop['event']}) | undefined;
  /** Who wrote it, or the input as it stood. */
  readonly writer?: {manager: string} | undefined;
}

/** ", with 2 more causes; its input is Pod a; the first cause is that Pod b was added, written by kubelet". */
export function chainEndParts({others, replacedFormula, standing, write, writer}: ChainEnd): SentencePart[] {
  const count = others > 0 ? `, with ${countWords(others, 'more cause')}` : '';
  if (replacedFormula !== undefined)
    return say`${count}; the first cause is the new formula of ${code(replacedFormula)}`;
  const input = standing ? say`; its input is ${cause(standing)}` : undefined;
  const event = write?.event === 'add' ? ' (added)' : write?.event === 'delete' ? ' (deleted)' : '';
  const first = write ? say`; the first cause is ${cause(write)}${event}` : undefined;
  return say`${count}${input}${first}${writerParts(writer)}`;
}

/** For a row that stayed as it was while its run changed others: " (other rows of the same run: 1 added)". */
export function otherOutputsParts(counts: {added: number; changed: number; deleted: number}): SentencePart[] {
  const others = (['added', 'changed', 'deleted'] as const).filter(what => counts[what] > 0);
  return say` (other rows of the same run: ${others.map(what => `${counts[what]} ${what}`).join(', ')})`;
}

export interface RunWords {
  readonly about: ItemRef;
  readonly outcome: RunOutcome;
  readonly first: boolean;
  readonly error?: string | undefined;
  /** What the run did to its other rows, where it left this one as it was. */
  readonly otherOutputs?: {added: number; changed: number; deleted: number} | undefined;
  readonly because: CauseFacts;
  readonly end: ChainEnd;
}

export function runParts({about, outcome, first, error, otherOutputs, because, end}: RunWords) {
  const others = otherOutputs === undefined ? undefined : otherOutputsParts(otherOutputs);
  const from = causeParts(because);
  const again = outcome === 'empty' && from.length > 0 ? '. It ran' : '';
  return say`${subject(about)} ${outcomeParts(outcome, {first, error})}${others}${again}${from}${chainEndParts(end)}.`;
}

/** A run that waits, and what started it. */
export function waitingRunParts(
  about: ItemRef,
  waitingFor: string | undefined,
  blocker: SyncBlocker | undefined,
  because: CauseFacts | undefined,
): SentencePart[] {
  const from = because === undefined ? [] : causeParts(because);
  const ran = from.length === 0 ? undefined : say`. It ran${from}`;
  return say`${subject(about)} ${suspendedRunParts(waitingFor, blocker)}${ran}.`;
}

export function noRunYetParts(
  about: ItemRef,
  collection: string,
  waitingFor: string | undefined,
): SentencePart[] {
  const waits = waitingFor === undefined ? 'has not synced' : `waits for ${waitingFor}`;
  return say`${subject(about)} has not run yet: ${code(collection)} ${waits}.`;
}

export function unchangedParts(about: ItemRef): SentencePart[] {
  return say`${subject(about)} has not changed since the recording began.`;
}

/** An input without a row whose object is deleted. */
export function deletedInputParts(
  about: ItemRef,
  deleted: ItemRef,
  last: RunOutcome | undefined,
): SentencePart[] {
  const run = last === undefined ? undefined : say` Its last outcome was ${outcomeWord(last)}.`;
  return say`${subject(about)} is no longer computed because ${cause(deleted)} was deleted.${run}`;
}

/** Why a row without a run is as it is. */
export type RowReason =
  | {readonly kind: 'write'; readonly writer: {manager: string} | undefined}
  | {readonly kind: 'rolled-off'; readonly oldest: number}
  | {readonly kind: 'began'; readonly part: (ItemRef & {writer?: {manager: string} | undefined}) | undefined}
  | {readonly kind: 'run'; readonly of: ItemRef; readonly because: SentencePart[]}
  | {readonly kind: 'ended'; readonly ending: CollectionEnding}
  /** The formula was replaced. */
  | {readonly kind: 'formula'}
  | {
      readonly kind: 'change';
      readonly relation: 'part' | 'input' | 'fetch';
      readonly below: HopWords;
    };

export function rowReasonParts(reason: RowReason): SentencePart[] {
  switch (reason.kind) {
    case 'write':
      return writerParts(reason.writer);
    case 'rolled-off':
      return say`; its cause is older than the recording, which begins at #${reason.oldest}`;
    case 'began':
      return reason.part
        ? say` when its parts had synced; its part is ${cause(reason.part)}${writerParts(reason.part.writer)}`
        : say` when its parts had synced`;
    case 'run':
      return say` with the run of ${reason.of}${reason.because}`;
    case 'ended':
      return endingParts(reason.ending);
    case 'formula':
      return say` because its formula was replaced`;
    case 'change': {
      const {below, relation} = reason;
      const noun = relation === 'fetch' ? '' : `its ${relation} `;
      const fetch = fetchWords(below.hop.collection, below.hop.cause?.filter ?? 'all');
      return say` because ${noun}${cause(below.hop)} ${hopParts(below)}${writerParts(below.hop.writer)}${relation === 'fetch' ? say` (matched ${code(fetch)})` : undefined}`;
    }
  }
}
