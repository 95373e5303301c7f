// What cannot be known of a program that only shows its rows.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {NO_REASON} from './change-sentence.ts';
import {cause, code, joinParts, say, subject} from './say.ts';
import {countWords} from './value-words.ts';

/** Without runs neither the time nor the filters are known; a log may leave out a filter. */
export function unknownReadParts(reader: ItemRef, expected: ItemRef, isObserved: boolean): SentencePart[] {
  const missing = isObserved
    ? 'the program does not say when it ran and by which filter'
    : 'the log does not name the whole filter';
  return say`It cannot be known whether ${subject(reader)} saw ${cause(expected)}: it reads ${code(expected.collection)}, and ${missing}.`;
}

/** Every answer about an observed run says that the program gives no reason. */
export function unknownEmptyParts(about: ItemRef, reads?: UsualReads): SentencePart[] {
  const probably =
    reads === undefined
      ? []
      : say` Probably its run ends before it reads ${joinParts(
          reads.missing.slice(0, NAMED_CAUSES).map(name => [code(name)]),
          ' and ',
        )}: ${countWords(reads.siblings, 'other input')} of ${code(about.collection)} with rows ${reads.siblings === 1 ? 'reads' : 'read'} ${reads.missing.length === 1 ? 'it' : 'them'}, and this one does not.`;
  return say`${subject(about)} was observed empty. ${NO_REASON}.${probably}`;
}

/** What inputs with rows read and an empty one does not. */
export interface UsualReads {
  readonly siblings: number;
  readonly missing: readonly string[];
}

const NAMED_CAUSES = 3;

/** Rows that changed between the same two documents are no more than probable causes. */
export function probableCauseParts(candidates: readonly ItemRef[]): SentencePart[] {
  if (candidates.length === 0) return [];
  const named = candidates.slice(0, NAMED_CAUSES).map(one => [cause(one)]);
  const others = candidates.length - named.length;
  const more = others > 0 ? ` or ${countWords(others, 'other change')}` : '';
  return say`Probably it follows from ${joinParts(named, ' or ')}${more}, seen between the same two documents`;
}
