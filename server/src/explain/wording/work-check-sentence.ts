// Titles, messages and hints of the checks of work: scans, runs without effect, busy collections, alternating rows.
import {objectName} from '@krtscope/shared/object-name.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {Clause} from '../../krt/index.ts';
import type {CheckWords} from './cluster-check-sentence.ts';
import {countWords, fetchWords, listWords, valueWords} from './value-words.ts';

/** How much a scan costs. */
export type ScanCost =
  | {readonly kind: 'every-change'; readonly inputs: number}
  | {readonly kind: 'last-minute'; readonly items: number}
  | {readonly kind: 'each-run'; readonly items: number};

function scanCostWords(cost: ScanCost): string {
  switch (cost.kind) {
    case 'every-change':
      return `each change of one of them runs all ${countWords(cost.inputs, 'input')}`;
    case 'last-minute':
      return `${countWords(cost.items, 'item')} compared in the last minute`;
    case 'each-run':
      return `${countWords(cost.items, 'item')} compared in each run`;
  }
}

function indexAdvice(collection: string, clauses: readonly Clause[], namespaced: boolean): string {
  if (clauses.every(({kind}) => kind === 'all'))
    return 'narrow the fetch to what the formula needs: by key, filterNamespace or filterLabel, which need no index of yours, or by an index over what it compares';
  const generic = clauses.find(clause => clause.kind === 'generic');
  if (generic?.kind === 'generic')
    return `make an index of ${collection} over what ${generic.name} compares, and fetch with filterIndex`;
  return namespaced
    ? `an index of ${collection} by namespace covers it: fetch with filterNamespace and, if you can, filterLabel`
    : `fetch ${collection} by key, or make an index over what you look for`;
}

export function fullScanWords(scan: {
  reader: ItemRef;
  runs: number;
  fetch: {collection: string; filter: string; matched: number; clauses: readonly Clause[]};
  size: number;
  cost: ScanCost;
  namespaced: boolean;
}): CheckWords {
  const {reader, runs, fetch, size, cost, namespaced} = scan;
  const {collection, filter, matched, clauses} = fetch;
  return {
    title: `${reader.collection} fetches without an index${runs > 0 ? `, ${countWords(runs, 'run')} a minute` : ''}`,
    message: `${objectName(reader)} asks ${fetchWords(collection, filter)}, which compares all ${size} ${collection} and finds ${matched}; ${scanCostWords(cost)}`,
    hint: indexAdvice(collection, clauses, namespaced),
  };
}

export function wastedRunsWords(
  collection: string,
  {runs, equal, last}: {runs: number; equal: number; last: ItemRef | undefined},
): CheckWords {
  const because = last ? `; the last one ran because of ${objectName(last)}` : '';
  return {
    title: `${Math.floor((equal / runs) * 100)}% of ${collection} runs change nothing`,
    message: `${collection} ran ${countWords(runs, 'time')} in the last minute, and ${countWords(equal, 'run')} changed nothing${because}`,
    hint: 'fetch only what the formula reads: use partialFetch, or a collection of just these fields in between',
  };
}

export function hotWords(
  collection: string,
  {runs, milliseconds}: {runs: number; milliseconds: number},
): CheckWords {
  return {
    title: `${collection} is busy, ${countWords(runs, 'run')} a minute`,
    message: `${collection} took ${(milliseconds / 1000).toFixed(1)} s of the last minute in ${countWords(runs, 'run')}, ${(milliseconds / runs).toFixed(2)} ms each`,
    hint: 'open the trace of this collection: its causes say what starts the runs',
  };
}

export function hotItemWords(item: ItemRef, runs: number): CheckWords {
  return {
    title: `${objectName(item)} ran ${countWords(runs, 'time')} in a minute`,
    message: `${objectName(item)} ran ${countWords(runs, 'time')} in the last minute; its causes say what starts the runs`,
  };
}

export function fanOutWords(write: {
  root: ItemRef;
  sequence: number;
  collections: readonly string[];
  runs: number;
  milliseconds: number;
}): CheckWords {
  const {root, sequence, collections, runs, milliseconds} = write;
  return {
    title: `One write started ${countWords(runs, 'run')}`,
    message: `${objectName(root)} changed in batch ${sequence} and started ${countWords(runs, 'run')} of ${listWords(collections)} in ${milliseconds.toFixed(0)} ms`,
    hint: 'a narrower filter starts fewer runs',
  };
}

export function flipFlopWords(swing: {
  row: ItemRef;
  path: {path: string; old?: unknown; new?: unknown} | undefined;
  times: number;
  seconds: number;
  /** Other rows that alternate for the same reason. */
  others: number;
  causes: readonly ItemRef[];
}): CheckWords {
  const {row, path, times, seconds, others, causes} = swing;
  const values = path
    ? `${path.path} ${valueWords(path.old)} and ${path.path} ${valueWords(path.new)}`
    : 'two values';
  const more = others > 0 ? `, and so ${others === 1 ? 'does 1 more row' : `do ${others} more rows`}` : '';
  const [only] = causes.length === 1 ? causes : [];
  const why =
    causes.length === 0
      ? ''
      : `; ${causes.length === 1 ? 'cause' : 'causes'}: ${listWords(causes.map(objectName))}`;
  return {
    title: `${objectName(row)} alternates between 2 values, ${countWords(times, 'time')}`,
    message: `${objectName(row)} alternates between ${values}, ${countWords(times, 'time')} in ${seconds} s${more}${why}`,
    hint: only
      ? `${objectName(only)} alternates itself: its Why says who writes it`
      : 'two writers disagree, or a formula changes what it reads; compare its last two runs',
  };
}
