// Titles, messages and hints of the checks of sources and of collections that wait, stop or are not read.

import {objectName} from '@krtscope/shared/object-name.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import {NOT_RUNNING} from '@krtscope/shared/timeline.ts';
import type {CheckWords} from './cluster-check-sentence.ts';
import {clockTime, countWords, listWords} from './value-words.ts';

/** A source, with the name that kubectl has for its kind. */
export interface SourceSentenceFacts {
  readonly name: string;
  readonly resource: string;
  readonly reason?: string | undefined;
  readonly hint?: string | undefined;
}

const because = (reason: string | undefined): string => (reason === undefined ? '' : `: ${reason}`);

export function forbiddenWords({name, resource, reason, hint}: SourceSentenceFacts): CheckWords {
  return {
    title: `Listing ${name} is not permitted`,
    message: `listing ${name} is forbidden${because(reason)}`,
    hint: hint ?? `kubectl auth can-i list ${resource}`,
  };
}

export function unauthorizedWords({name, resource, reason, hint}: SourceSentenceFacts): CheckWords {
  return {
    title: `The server does not accept the credentials for ${name}`,
    message: `${name}: ${reason ?? 'the server does not accept these credentials'}`,
    hint: hint ?? `kubectl get ${resource} --all-namespaces`,
  };
}

export function unreachableWords({name, resource, reason, hint}: SourceSentenceFacts): CheckWords {
  return {
    title: `${name} cannot be listed`,
    message: `${name}: ${reason ?? 'the cluster does not answer'}`,
    hint: hint ?? `kubectl get ${resource} --all-namespaces`,
  };
}

export function notInstalledWords({name, resource, reason, hint}: SourceSentenceFacts): CheckWords {
  return {
    title: `${name} is not installed`,
    message: reason ?? `the cluster has no ${resource}; the collection stays empty until it is installed`,
    hint,
  };
}

export function leftOutWords({name, resource, reason, hint}: SourceSentenceFacts): CheckWords {
  return {
    title: `${name} are not read`,
    message: reason ?? `krtscope was started with --without ${resource}, so ${name} stays empty`,
    hint,
  };
}

/** `asOf`: up to when its rows are right, milliseconds since 1970. */
export function staleWords(
  {name, resource, reason, hint}: SourceSentenceFacts,
  asOf: number | undefined,
): CheckWords {
  const since =
    asOf === undefined
      ? 'has no data yet'
      : `has had no data since ${clockTime(new Date(asOf).toISOString())} UTC`;
  return {
    title: `${name} is not current`,
    message: `${name} ${since}${because(reason)}; what is computed from it is as old`,
    hint: hint ?? `kubectl get ${resource} --all-namespaces`,
  };
}

export function notSyncedWords(
  blocker: {collection: string; state: string; reason?: string | undefined},
  waiting: number,
  chain: readonly string[],
): CheckWords {
  return {
    title: `${countWords(waiting, 'collection waits', 'collections wait')} for ${blocker.collection}`,
    message: `${chain.join(', which waits for ').replace(', which', '')} (${blocker.reason ?? blocker.state})`,
  };
}

export function orphanWords(first: ItemRef, count: number, reads: readonly string[]): CheckWords {
  return {
    title: `${countWords(count, 'orphan')} in ${first.collection}`,
    message: `${objectName(first)} read only ${listWords(reads)}, which ${reads.length === 1 ? 'has' : 'have'} stopped, and its last run was not accepted: no change can start a run`,
    hint: 'stop this collection with the one that it reads, or make it read one that runs',
  };
}

export function discardWords(first: ItemRef, count: number): CheckWords {
  return {
    title: `${countWords(count, 'result')} discarded in ${first.collection}`,
    message: `the last run of ${objectName(first)} discarded its result; the rows before it stay`,
  };
}

export function unusedWords(collection: string, size: number): CheckWords {
  return {
    title: `Nothing reads ${collection}`,
    message: `${collection} has ${countWords(size, 'item')}, and no collection has it as input or fetches it`,
  };
}

const gapTitles = {
  watch: 'Watch lost and relisted',
  engine: 'Engine process restarted',
  program: 'No data from the program',
} as const;

export function gapWords(kind: keyof typeof gapTitles, milliseconds: number, text: string): CheckWords {
  const title = text.startsWith(NOT_RUNNING) ? NOT_RUNNING : gapTitles[kind];
  return {title: `${title}, ${(milliseconds / 1000).toFixed(1)} s gap`, message: text};
}
