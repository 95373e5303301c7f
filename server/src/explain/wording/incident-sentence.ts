// The title and the sentence of an incident about sources that cannot be read.
import {countWords, listWords} from './value-words.ts';

export function unreadableSourcesTitle(count: number): string {
  return `${countWords(count, 'source')} cannot be read`;
}

export function unreadableSourcesSentence(message: string, others: readonly string[]): string {
  return `${message}. The same holds for ${listWords(others, 20)}.`;
}
