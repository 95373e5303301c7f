// Why an input has no output, in words.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {type Lookup, missedParts, type NearestObject} from './lookup-sentence.ts';
import {code, say, subject} from './say.ts';
import {countWords, firstLine, listWords, valueWords} from './value-words.ts';

export function emptyWaitingParts(about: ItemRef, waitsFor: string | undefined): SentencePart[] {
  return say`${subject(about)} has no output yet: it waits for ${code(waitsFor ?? 'a collection that has not synced')}.`;
}

export function emptyFailedParts(about: ItemRef, error: string | undefined): SentencePart[] {
  return say`${subject(about)} has no output: its run failed with ${code(firstLine(error ?? 'no message'), 'error')}.`;
}

export function emptyDiscardedParts(about: ItemRef): SentencePart[] {
  return say`${subject(about)} has no output: its run discarded the result before any was accepted.`;
}

export function emptyWithoutFetchParts(
  about: ItemRef,
  sequence: number,
  doesFetch: boolean,
  guess: SentencePart[],
): SentencePart[] {
  const early = doesFetch ? ' before it fetched anything' : '';
  return say`${subject(about)} has no output: its run in #${sequence} returned nothing${early}.${guess}`;
}

export function emptyLookupParts(
  about: ItemRef,
  lookup: Lookup,
  {nearest, others, guess}: {nearest: NearestObject | undefined; others: number; guess: SentencePart[]},
): SentencePart[] {
  const more = others > 0 ? ` ${countWords(others, 'more fetch', 'more fetches')} found nothing.` : '';
  return say`${subject(about)} has no output: ${missedParts(lookup, nearest)}.${more}${guess}`;
}

export function emptyWithFetchesParts(
  about: ItemRef,
  sequence: number,
  guess: SentencePart[],
): SentencePart[] {
  return say`${subject(about)} has no output: its run in #${sequence} returned nothing, although every fetch found something.${guess}`;
}

export function emptyNeverRanParts(about: ItemRef): SentencePart[] {
  return say`${subject(about)} has no output: no run of it is recorded.`;
}

/** A field that is unlike that of every input with output. */
export interface LikelyFieldWords {
  readonly path: string;
  readonly value: unknown;
  readonly others: readonly unknown[];
  readonly compared: number;
}

/** A guess from comparison, and worded as one. */
export function likelyFieldParts({path, value, others, compared}: LikelyFieldWords): SentencePart[] {
  const have =
    others.length === 0
      ? 'have something there'
      : compared === 1
        ? `has ${listWords(others.map(valueWords))}`
        : `have ${listWords(others.map(valueWords))}`;
  return say` Most likely because ${code(path)} is ${code(valueWords(value), 'error')}: the ${countWords(compared, 'input')} with output that ${compared === 1 ? 'was' : 'were'} compared ${have}.`;
}

/** The paths that a run read, of its input and of what it fetched. */
export function readPathsParts(
  reads: readonly (ItemRef & {readonly paths: readonly string[]})[],
): SentencePart[] {
  const [first, ...more] = reads;
  if (!first) return [];
  const others = more.map(read => say`; and ${listWords(read.paths, 4)} of ${read}`);
  return say` It read ${listWords(first.paths, 6)}${others.flat()}.`;
}
