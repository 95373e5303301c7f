// What cannot be known of a program that only shows its rows.
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {NO_REASON} from './change-sentence.ts';
import {cause, code, say, subject} from './say.ts';

/** Without runs neither the time nor the filters are known; a log may leave out a filter. */
export function unknownReadParts(reader: ItemRef, expected: ItemRef, isObserved: boolean): SentencePart[] {
  const missing = isObserved
    ? 'the program does not say when it ran and by which filter'
    : 'the log does not name the whole filter';
  return say`It cannot be known whether ${subject(reader)} saw ${cause(expected)}: it reads ${code(expected.collection)}, and ${missing}.`;
}

/** Every answer about an observed run says that the program gives no reason. */
export function unknownEmptyParts(about: ItemRef): SentencePart[] {
  return say`${subject(about)} was observed empty. ${NO_REASON}.`;
}
