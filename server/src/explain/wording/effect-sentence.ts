// Why the effects of a change end at a row or a collection.
import {firstLine, listWords} from './value-words.ts';

export const equalEndWords = 'the result did not change, so nothing else ran';

export function emptyEndWords(first: boolean): string {
  return `returned nothing${first ? '' : ', as before'}, so nothing else ran`;
}

export function failedEndWords(error: string | undefined, remaining: string): string {
  return `failed: ${firstLine(error ?? 'no message')}; ${remaining}`;
}

export function suspendedEndWords(waitingFor: string | undefined): string {
  return `waits for ${waitingFor ?? 'a collection that has not synced'}`;
}

export function discardedEndWords(remaining: string): string {
  return `discarded its result; ${remaining}`;
}

/** What is there after a run that gave no rows. */
export function remainingRowsWords(count: number): string {
  return count > 0 ? 'the last good rows stay' : 'it has no rows';
}

export function lateReadersWords(readers: readonly string[]): string {
  return `${listWords(readers)} had not synced yet and read it later`;
}

export function noReadersWords(collection: string): string {
  return `nothing reads ${collection}`;
}

export function filterMissWords(readers: readonly string[]): string {
  return `no filter of ${listWords(readers)} matched it`;
}

export function unchangedReadersWords(readers: readonly string[]): string {
  return `${listWords(readers)} stayed as before`;
}

/** Documents and logs of other programs name no filter that missed. */
export function unknownRunsWords(readers: readonly string[]): string {
  return `no run of ${listWords(readers)} is known`;
}

export function unnamedReadersWords(collection: string): string {
  return `the document names no reader of ${collection}`;
}
