// The sentence of one step of an origin: what became of a row, and what made it so.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {ChangeEventType} from '@krtscope/shared/vocabulary.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {changeOfPathParts} from './change-sentence.ts';
import type {OriginSubject} from './origin-sentence.ts';
import {cause, code, say} from './say.ts';
import {countWords, stateWords, valueWords} from './value-words.ts';
import type {SyncBlocker} from './why-sentence.ts';

/** A change with its values, and the path of it that counts. */
export interface ChangeWords extends ItemRef {
  readonly event: ChangeEventType;
  readonly old?: unknown;
  readonly new?: unknown;
  readonly path: string | undefined;
}

/** "Workload x changed services from [a] to []". */
export function rowChangeParts(about: ItemRef, change: ChangeWords): SentencePart[] {
  return say`${about} ${changeOfPathParts(change, change.path)}`;
}

export function lostRowsParts(about: ItemRef): SentencePart[] {
  return say`${about} lost its rows`;
}

/** "services of Workload x is empty", "Workload x has no row". */
export function emptyValueParts(about: OriginSubject): SentencePart[] {
  return about.field === undefined
    ? say`${about} has no row`
    : say`${code(about.field)} of ${about} is empty`;
}

/** "; it read status.phase Pending". */
export function readValuesParts(
  reads: readonly {readonly path: string; readonly value: unknown}[],
): SentencePart[] {
  return reads.flatMap(
    ({path, value}, place) =>
      say`${place === 0 ? '; it read ' : ', '}${code(path)} ${code(valueWords(value), 'error')}`,
  );
}

/** A row of a join, an index or a map follows its part. */
export function partStepParts(
  row: SentencePart[],
  part: ChangeWords,
  isTakenAtStart: boolean,
): SentencePart[] {
  return isTakenAtStart
    ? say`${row} when its parts had synced; its part is ${cause(part)}`
    : say`${row} because ${cause(part)} ${changeOfPathParts(part, part.path)}`;
}

/** How much the named cause alone explains. */
export interface CauseCounts {
  readonly alsoNeeded: number;
  readonly either: number;
  /** Why the causes could not be told apart, and how many there are. */
  readonly unknown?: {readonly causes: number; readonly note: string | undefined} | undefined;
}

export function causedStepParts(
  row: SentencePart[],
  from: ChangeWords,
  {alsoNeeded, either, unknown}: CauseCounts,
): SentencePart[] {
  const also =
    alsoNeeded > 0
      ? `, and ${countWords(alsoNeeded, 'more change was', 'more changes were')} needed as well`
      : '';
  const any = either > 1 ? `; any of ${either} changes would have been enough` : '';
  const note = unknown?.note === undefined ? '' : `: ${unknown.note}`;
  const open =
    unknown !== undefined && unknown.causes > 1
      ? `; it is not known which of ${unknown.causes} changes caused it${note}`
      : '';
  return say`${row} because ${cause(from)} ${changeOfPathParts(from, from.path)}${also}${any}${open}`;
}

/** A run that no change started. */
export function startedStepParts(
  row: SentencePart[],
  started: {
    readonly kind: 'synced' | 'formula' | 'trigger' | 'other';
    readonly collection?: string | undefined;
  },
  next: ItemRef | undefined,
): SentencePart[] {
  const when = {
    synced: ` when ${started.collection ?? 'the collection that it waited for'} synced`,
    formula: ' when its formula was set',
    trigger: ` because ${started.collection ?? 'its trigger'} was triggered`,
    other: '',
  }[started.kind];
  return say`${row}${when}${next ? say`; it was computed from ${cause(next)}` : undefined}`;
}

export function emptyStepParts(
  row: SentencePart[],
  next: ChangeWords | undefined,
  reads: SentencePart[],
): SentencePart[] {
  const because = next ? say` because ${cause(next)} ${changeOfPathParts(next, next.path)}` : undefined;
  return say`${row}${because}${reads}`;
}

/** "Workload x waits for Namespaces, which is forbidden (403)". */
export function waitingStepParts(
  about: ItemRef,
  waitsFor: string | undefined,
  blocker: SyncBlocker | undefined,
): SentencePart[] {
  const waits = waitsFor ?? 'a collection';
  const who = blocker?.collection === waits ? 'which' : `and ${blocker?.collection}`;
  const state = blocker === undefined ? '' : `, ${who} is ${stateWords(blocker)}`;
  return say`${about} waits for ${code(waits)}${state}`;
}

export function failedStepParts(
  about: ItemRef,
  {error, hasRows, after}: {error: string; hasRows: boolean; after: ItemRef | undefined},
): SentencePart[] {
  const what = hasRows ? 'keeps the rows of its last good run' : 'has no row';
  return say`${about} ${what} because its run failed with ${code(error, 'error')}${after ? say` after ${cause(after)} changed` : undefined}`;
}

export function failedParts(about: ItemRef, error: string): SentencePart[] {
  return say`${about} failed with ${code(error, 'error')}`;
}

/** What a row would be computed from does not exist itself. */
export function absentStepParts(about: ItemRef, from: ItemRef, isDeleted: boolean): SentencePart[] {
  return say`${about} is not computed: ${cause(from)} ${isDeleted ? 'was deleted' : 'does not exist'}`;
}

export function absentParts(about: ItemRef): SentencePart[] {
  return say`${about} does not exist`;
}
