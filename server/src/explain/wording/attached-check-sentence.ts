// Titles, messages and hints of the checks of attached programs: a missing document, informers that are behind.
import type {CheckWords} from './cluster-check-sentence.ts';
import {countWords, listWords} from './value-words.ts';

/** No sentence has a number that grows: an incident keeps its first one. */
export interface MissingDocument {
  readonly program: string;
  readonly reason: string;
  readonly hint?: string | undefined;
  readonly hasLog: boolean;
  readonly hasRows: boolean;
}

export function missingDocumentWords({program, reason, hint, hasLog, hasRows}: MissingDocument): CheckWords {
  const shown = hasLog
    ? 'New rows and causes come from the log. The other rows are as last seen'
    : 'You see the rows of the last one';
  return {
    title: `${program} gives no document`,
    message: `The document of ${program} does not arrive: ${reason}${hasRows ? `. ${shown}` : ''}`,
    hint,
  };
}

export interface LaggingInformer {
  readonly program: string;
  readonly collection: string;
  readonly resource: string;
  readonly behind: readonly string[];
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

export function informerLagWords({
  program,
  collection,
  resource,
  behind,
  missing,
  extra,
}: LaggingInformer): CheckWords {
  const parts = [
    behind.length === 0 ? '' : `has an older version of ${listWords(behind, 3)}`,
    missing.length === 0 ? '' : `does not have ${listWords(missing, 3)}`,
    extra.length === 0 ? '' : `still has ${listWords(extra, 3)}, which the cluster has deleted`,
  ].filter(part => part !== '');
  const count = behind.length + missing.length + extra.length;
  return {
    title: `${program} is behind the cluster: ${countWords(count, 'row')} of ${resource}`,
    message: `For more than 10 seconds ${collection} ${listWords(parts)}`,
    hint: `Look for "watch" errors in the log of ${program}, and check its connection to the API server`,
  };
}
