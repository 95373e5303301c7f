// Titles and hints of what the engine reports: promises of krt that a formula breaks, and formulas that fail.
import {objectName} from '@krtscope/shared/object-name.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {ViolationCode} from '../../krt/index.ts';
import type {CheckWords} from './cluster-check-sentence.ts';
import {countWords, firstLine} from './value-words.ts';

interface ViolationWords {
  readonly title: (collection: string, keys: number) => string;
  readonly hint: string;
}

function rowCount(count: number): string {
  return count === 1 ? 'a row' : `${count} rows`;
}

export const violationWords: Record<ViolationCode | 'set-aside', ViolationWords> = {
  'set-aside': {
    title: (collection, keys) => `${countWords(keys, 'object')} of ${collection} left out, and not shown`,
    hint: 'the next change of the object is tried again; more memory may help: --engine-memory',
  },
  'duplicate-in-result': {
    title: collection => `One run gives a key twice in ${collection}`,
    hint: 'give the outputs of one input different keys',
  },
  'duplicate-across-inputs': {
    title: (collection, keys) =>
      `${countWords(keys, 'key comes', 'keys come')} from several inputs in ${collection}`,
    hint: 'put the input into the key, or join the inputs before this collection',
  },
  'untracked-read': {
    title: collection => `${collection} reads a collection without fetch`,
    hint: 'read through fetch: a change of what is read by list or lookup starts no run',
  },
  'mutated-input': {
    title: collection => `${collection} changes its input`,
    hint: 'copy before changing: other formulas have the same object',
  },
  'mutated-fetch': {
    title: collection => `${collection} changes what it fetched`,
    hint: 'copy before changing: other formulas have the same object',
  },
  'map-key': {
    title: collection => `${collection} maps items to other keys`,
    hint: 'a map keeps keys; use a derived collection',
  },
  'non-deterministic': {
    title: collection => `${collection} gives different results for the same input`,
    hint: 'take time, chance and counters out of the formula, or bring them in as a collection',
  },
  'never-equal': {
    title: collection => `${collection} never finds its results equal`,
    hint: 'compare values, not identities: the results serialise identically',
  },
  cycle: {
    title: collection => `${collection} reads itself in a loop`,
    hint: 'split the collection where the loop closes',
  },
  'join-overlap': {
    title: collection => `Members of ${collection} share keys`,
    hint: 'the first member wins; use a merge join if both count',
  },
  'handler-failed': {
    title: collection => `A handler of ${collection} failed`,
    hint: 'the other handlers still ran; see the message',
  },
  'index-failed': {
    title: (collection, keys) => `An index of ${collection} failed for ${rowCount(keys)}`,
    hint: 'no fetch by this index finds the row; make the function of the index take every row',
  },
  'attribute-failed': {
    title: (collection, keys) =>
      `Labels, namespace or selector of ${rowCount(keys)} of ${collection} cannot be read`,
    hint: 'filters treat it as empty; make the function in the options of the collection take every row',
  },
  'map-failed': {
    title: (collection, keys) => `${collection} cannot compute ${rowCount(keys)}`,
    hint: 'the previous row stays and becomes stale; make the function take every item',
  },
  'foreign-member': {
    title: collection => `${collection} was given a collection of another engine`,
    hint: 'it is left out; make the collection in the engine that joins it',
  },
  'listener-failed': {
    title: () => 'A listener of the engine failed',
    hint: 'the other listeners still ran; what this one follows may have a gap',
  },
  'full-scan': {
    title: collection => `${collection} fetches without an index`,
    hint: 'add an index over what the filter asks for',
  },
};

/** A recording of another release may hold codes that are not in the table. */
export function unknownViolationTitle(code: string, collection: string): string {
  return `${code} in ${collection}`;
}

export function failedRunsWords(first: ItemRef, count: number, error: string | undefined): CheckWords {
  const more = count > 1 ? ` and ${countWords(count - 1, 'more input')}` : '';
  return {
    title: `${countWords(count, 'run')} of ${first.collection} failed`,
    message: `${objectName(first)}: ${firstLine(error ?? 'no message')}${more}`,
  };
}
