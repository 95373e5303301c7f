// Sentences as templates: say`No Service selects ${pod}` makes the parts that the wire carries.
import {objectName} from '@krtscope/shared/object-name.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';

/** What a template takes: plain words, an object to click, a part, or the parts of another template. */
export type Said = string | number | undefined | ItemRef | SentencePart | readonly SentencePart[];

function isRef(said: ItemRef | SentencePart): said is ItemRef {
  return 'collection' in said;
}

function partsOf(said: Said): readonly SentencePart[] {
  if (said === undefined || said === '') return [];
  if (typeof said === 'string' || typeof said === 'number') return [{text: String(said)}];
  if (Array.isArray(said)) return said;
  const one = said as ItemRef | SentencePart;
  return [isRef(one) ? item(one) : one];
}

/** Text beside text becomes one part. */
export function say(words: TemplateStringsArray, ...said: readonly Said[]): SentencePart[] {
  const parts: SentencePart[] = [];
  const add = (part: SentencePart): void => {
    const last = parts[parts.length - 1];
    if ('text' in part && last !== undefined && 'text' in last) last.text += part.text;
    else parts.push({...part});
  };
  words.forEach((text, place) => {
    if (text !== '') add({text});
    if (place < said.length) for (const part of partsOf(said[place])) add(part);
  });
  return parts;
}

function item({collection, key}: ItemRef, role?: 'subject' | 'cause'): SentencePart {
  return role === undefined ? {item: {collection, key}} : {item: {collection, key}, role};
}

/** The object that the question is about. */
export const subject = (ref: ItemRef): SentencePart => item(ref, 'subject');

/** The object that made the difference. */
export const cause = (ref: ItemRef): SentencePart => item(ref, 'cause');

export function code(words: string, mark?: 'changed' | 'error'): SentencePart {
  return mark === undefined ? {code: words} : {code: words, mark};
}

export const outcomeWord = (outcome: RunOutcome): SentencePart => ({outcome});

/** The same parts as the beginning of a sentence. */
export function capitalized([first, ...rest]: readonly SentencePart[]): SentencePart[] {
  if (first === undefined) return [];
  if (!('text' in first)) return [first, ...rest];
  return [{text: first.text.charAt(0).toUpperCase() + first.text.slice(1)}, ...rest];
}

/** Puts a word between parts: `a, and b`. */
export function joinParts(all: readonly (readonly SentencePart[])[], between: string): SentencePart[] {
  return all.reduce<SentencePart[]>(
    (joined, parts, place) => (place === 0 ? [...parts] : say`${joined}${between}${parts}`),
    [],
  );
}

/** The sentence as one line of text. */
export function toPlainText(parts: readonly SentencePart[]): string {
  return parts
    .map(part => {
      if ('text' in part) return part.text;
      if ('item' in part) return objectName(part.item);
      return 'code' in part ? part.code : part.outcome;
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}
