// The encoded record of one batch. It holds what cannot be had from the state after it: old values, as deltas from
// the new ones. Who decodes blocks from the newest to the oldest gets every value back; decode.ts does.

import type {Writer} from '@krtscope/shared/run.ts';
import type {BatchTrace, Cause, FetchRecord, Outcome, Published, Run, Via} from '../krt/index.ts';
import type {BatchNotes} from './batch.ts';
import {type Delta, deltaOf} from './delta.ts';
import {type EncodedQuery, Queries, Words} from './strings.ts';

export const outcomeWords: readonly Outcome[] = [
  'added',
  'changed',
  'deleted',
  'equal',
  'empty',
  'discarded',
  'failed',
  'suspended',
];
export const eventWords = ['add', 'update', 'delete'] as const;
export const causeWords = ['input', 'fetch', 'trigger', 'synced', 'formula'] as const;
export const matchWords = ['old', 'new', 'both'] as const;
export const outputWords = ['added', 'changed', 'deleted', 'equal'] as const;

/** Numbers are places in `words` where a string is meant, in the lists above where a word is, microseconds for times. */
export type EncodedCause = number[];
export type EncodedFetch = [query: number, matched: number, scanned: number, via: number, keys: number[]];
export type EncodedRun = [
  collection: number,
  input: number,
  outcome: number,
  start: number,
  duration: number,
  causes: EncodedCause[],
  fetches: EncodedFetch[],
  outputs: number[],
  gained: number[],
  lost: number[],
  error: number,
  waitingFor: number,
];
/** The last two are absent where they say nothing: the delta to the old value, and what led here. */
export type EncodedChange = [
  collection: number,
  key: number,
  event: number,
  run: number,
  old?: Delta | 0,
  from?: readonly number[],
];

export interface EncodedBlock {
  sequence: number;
  received: number;
  settled: number;
  lag?: number;
  words: string[];
  queries: EncodedQuery[];
  changes: EncodedChange[];
  roots: number[];
  runs: EncodedRun[];
  synced: string[];
  writers?: [number, Writer][];
}

/** Keys of a fetch that a record keeps: enough to show, and not ten thousand times the same hundred. */
const KEYS = 24;

export function encodeBlock(trace: BatchTrace, roots: readonly number[], notes: BatchNotes): Uint8Array {
  const words = new Words();
  const queries = new Queries(words);
  const block: EncodedBlock = {
    sequence: trace.sequence,
    received: trace.received,
    settled: trace.settled,
    words: words.list,
    queries: queries.list,
    changes: trace.published.map(change => encodeChange(change, words)),
    roots: [...roots],
    runs: trace.runs.map(run => encodeRun(run, words, queries)),
    synced: trace.synced,
  };
  if (notes.lag !== undefined) block.lag = notes.lag;
  if (notes.writers !== undefined) block.writers = [...notes.writers];
  return Buffer.from(textOf(block), 'utf8');
}

function textOf(block: EncodedBlock): string {
  try {
    return JSON.stringify(block);
  } catch {
    // A formula gave a value that JSON cannot hold (a cycle, a BigInt): the rest of the batch is kept all the same.
    const changes = block.changes.map(change => change.map(writable) as unknown as EncodedChange);
    return JSON.stringify({...block, changes});
  }
}

function writable(part: unknown): unknown {
  try {
    JSON.stringify(part);
    return part;
  } catch (error) {
    return [0, `(cannot be written: ${(error as Error).message.split('\n')[0]})`];
  }
}

function encodeChange(change: Published, words: Words): EncodedChange {
  const event = eventWords.indexOf(change.event);
  const head: EncodedChange = [words.of(change.collection), words.of(change.key), event, change.run ?? -1];
  if (change.event === 'delete') head.push([0, change.old]);
  else if (change.event === 'update') head.push(deltaOf(change.new, change.old) ?? 0);
  else if (change.from !== undefined) head.push(0);
  if (change.from !== undefined) head.push(change.from);
  return head;
}

function encodeRun(run: Run, words: Words, queries: Queries): EncodedRun {
  const outputs: number[] = [];
  for (const {key, change} of run.outputs) outputs.push(words.of(key), outputWords.indexOf(change));
  const refs = (list: Run['gained']) => list.flatMap(ref => [words.of(ref.collection), words.of(ref.filter)]);
  return [
    words.of(run.collection),
    words.of(run.input),
    outcomeWords.indexOf(run.outcome),
    Math.round(run.start * 1000),
    Math.round(run.duration * 1000),
    run.causes.map(cause => encodeCause(cause, words)),
    run.fetches.map(fetch => encodeFetch(fetch, words, queries)),
    outputs,
    run.gained.length === 0 ? [] : refs(run.gained),
    run.lost.length === 0 ? [] : refs(run.lost),
    words.of(run.error),
    words.of(run.waitingFor),
  ];
}

function encodeCause(cause: Cause, words: Words): EncodedCause {
  return [
    causeWords.indexOf(cause.kind),
    words.of(cause.collection),
    words.of(cause.key),
    cause.event === undefined ? -1 : eventWords.indexOf(cause.event),
    cause.fetch ?? -1,
    words.of(cause.filter),
    cause.matched === undefined ? -1 : matchWords.indexOf(cause.matched),
    encodeVia(cause.via, words),
    cause.run ?? -1,
    cause.published ?? -1,
  ];
}

function encodeFetch(fetch: FetchRecord, words: Words, queries: Queries): EncodedFetch {
  const keys: number[] = [];
  const count = Math.min(KEYS, fetch.keys.length);
  for (let i = 0; i < count; i++) keys.push(words.of(fetch.keys[i]));
  const query = queries.of(fetch.collection, fetch.filter, fetch.clauses);
  return [query, fetch.matched, fetch.scanned, encodeVia(fetch.via, words), keys];
}

/** One word for both parts of a via. */
function encodeVia(via: Via | undefined, words: Words): number {
  if (via === undefined) return -1;
  return words.of(via.name === undefined ? via.kind : `${via.kind} ${via.name}`);
}
