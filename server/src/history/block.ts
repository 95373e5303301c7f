// The encoded record of one batch. It holds what cannot be had from elsewhere: old values as deltas from the new ones,
// runs as far as they differ from the input's run before. decode.ts and rebuild.ts put everything back together.

import type {Writer} from '@krtscope/shared/run.ts';
import type {BatchTrace, Cause, FetchRecord, Published, Run, Via} from '../krt/index.ts';
import type {BatchNotes} from './batch.ts';
import {type Delta, deltaOf} from './delta.ts';
import {KEYS, sameFetches} from './economy.ts';
import {
  causeWords,
  type EncodedQuery,
  eventWords,
  matchWords,
  Names,
  outcomeWords,
  outputWords,
  Queries,
} from './words.ts';

/** A fetch by one key says all with it; any other names its query in the block's list. */
export type EncodedFetch =
  | [collection: number, key: string, matched: number, scanned: number]
  | [query: number, matched: number, scanned: number, via: number, keys: string[]];
/** kind, published, run, fetch, filter, matched, via; then collection, key and event where `published` does not say them. */
export type EncodedCause = (number | string)[];
/**
 * `fetches` 0: the same as in the run before of this input. `outputs`: how many were equal and are those of the run
 * before, or -1 when all are listed; then key (0: the input's own) and change, by turns.
 */
export type EncodedRun = [
  collection: number,
  input: string,
  outcome: number,
  start: number,
  duration: number,
  causes: EncodedCause[],
  fetches: EncodedFetch[] | 0,
  outputs: (number | string)[],
  rare?: {gained?: [number, string][]; lost?: [number, string][]; error?: string; waitingFor?: string},
];
/** The last two are absent where they say nothing: the delta to the old value, and what led here. */
export type EncodedChange = [
  collection: number,
  key: string,
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
  names: string[];
  queries: EncodedQuery[];
  changes: EncodedChange[];
  roots: readonly number[];
  /** Times are microseconds. */
  runs: EncodedRun[];
  synced: string[];
  writers?: [number, Writer][];
}

/** `priorOf` gives the kept run before the one at a position, of the same input. */
export function encodeBlock(
  trace: BatchTrace,
  roots: readonly number[],
  notes: BatchNotes,
  priorOf: (position: number) => Run | undefined,
): Uint8Array {
  const names = new Names();
  const queries = new Queries(names);
  const {sequence, received, settled, synced} = trace;
  // In slices: what is made for one is garbage before the next, and a first sync has 30,000 runs.
  const changes = slices(trace.published, change => encodeChange(change, names));
  const runs = slices(trace.runs, (run, position) => encodeRun(run, priorOf(position), names, queries));
  const rest: Omit<EncodedBlock, 'changes' | 'runs'> = {
    sequence,
    received,
    settled,
    synced,
    roots,
    ...(notes.lag === undefined ? {} : {lag: notes.lag}),
    ...(notes.writers === undefined ? {} : {writers: [...notes.writers]}),
    names: names.list,
    queries: queries.list,
  };
  const text = `${JSON.stringify(rest).slice(0, -1)},"changes":[${changes.join()}],"runs":[${runs.join()}]}`;
  return Buffer.from(text, 'utf8');
}

const SLICE = 200;

function slices<T, E extends unknown[]>(items: readonly T[], encode: (item: T, at: number) => E): string[] {
  const texts: string[] = [];
  for (let start = 0; start < items.length; start += SLICE) {
    const end = Math.min(start + SLICE, items.length);
    const slice: E[] = [];
    for (let at = start; at < end; at++) slice.push(encode(items[at] as T, at));
    texts.push(textOf(slice).slice(1, -1));
  }
  return texts;
}

function textOf(slice: unknown[][]): string {
  try {
    return JSON.stringify(slice);
  } catch {
    // A formula gave a value that JSON cannot hold (a cycle, a BigInt): the rest of the batch is kept all the same.
    return JSON.stringify(slice.map(entry => entry.map(writable)));
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

function encodeChange(change: Published, names: Names): EncodedChange {
  const event = eventWords.indexOf(change.event);
  const head: EncodedChange = [names.of(change.collection), change.key, event, change.run ?? -1];
  if (change.event === 'delete') head.push([0, change.old]);
  else if (change.event === 'update') head.push(deltaOf(change.new, change.old) ?? 0);
  else if (change.from !== undefined) head.push(0);
  if (change.from !== undefined) head.push(change.from);
  return head;
}

function encodeRun(run: Run, prior: Run | undefined, names: Names, queries: Queries): EncodedRun {
  const same = prior !== undefined && sameFetches(run.fetches, prior.fetches);
  const encoded: EncodedRun = [
    names.of(run.collection),
    run.input,
    outcomeWords.indexOf(run.outcome),
    Math.round(run.start * 1000),
    Math.round(run.duration * 1000),
    run.causes.map(cause => encodeCause(cause, names)),
    same ? 0 : run.fetches.map(fetch => encodeFetch(fetch, names, queries)),
    encodeOutputs(run, prior),
  ];
  const {gained, lost, error, waitingFor} = run;
  if (gained.length > 0 || lost.length > 0 || error !== undefined || waitingFor !== undefined) {
    const refs = (list: Run['gained']) =>
      list.map(ref => [names.of(ref.collection), ref.filter] as [number, string]);
    encoded.push({
      ...(gained.length > 0 && prior !== undefined ? {gained: refs(gained)} : {}),
      ...(lost.length > 0 ? {lost: refs(lost)} : {}),
      ...(error === undefined ? {} : {error}),
      ...(waitingFor === undefined ? {} : {waitingFor}),
    });
  }
  return encoded;
}

function encodeOutputs({input, outputs, counts}: Run, prior: Run | undefined): (number | string)[] {
  const listAll = counts.equal > 0 && prior === undefined;
  const encoded: (number | string)[] = [listAll ? -1 : counts.equal];
  if (!listAll && counts.equal === outputs.length) return encoded;
  for (const {key, change} of outputs) {
    if (change === 'equal' && !listAll) continue;
    encoded.push(key === input ? 0 : key, outputWords.indexOf(change));
  }
  return encoded;
}

function encodeCause(cause: Cause, names: Names): EncodedCause {
  const encoded: EncodedCause = [
    causeWords.indexOf(cause.kind),
    cause.published ?? -1,
    cause.run ?? -1,
    cause.fetch ?? -1,
    names.of(cause.filter),
    cause.matched === undefined ? -1 : matchWords.indexOf(cause.matched),
    encodeVia(cause.via, names),
  ];
  if (cause.published === undefined && cause.collection !== undefined) {
    encoded.push(names.of(cause.collection));
    if (cause.key !== undefined) {
      encoded.push(cause.key, cause.event === undefined ? -1 : eventWords.indexOf(cause.event));
    }
  }
  return encoded;
}

function encodeFetch(fetch: FetchRecord, names: Names, queries: Queries): EncodedFetch {
  const {clauses, matched, scanned} = fetch;
  const only = clauses.length === 1 ? clauses[0] : undefined;
  if (only?.kind === 'keys' && only.keys.length === 1) {
    return [names.of(fetch.collection), only.keys[0] as string, matched, scanned];
  }
  const keys = fetch.keys.length > KEYS ? fetch.keys.slice(0, KEYS) : (fetch.keys as string[]);
  return [
    queries.of(fetch.collection, fetch.filter, clauses),
    matched,
    scanned,
    encodeVia(fetch.via, names),
    keys,
  ];
}

/** One name for both parts of a via. */
function encodeVia(via: Via | undefined, names: Names): number {
  if (via === undefined) return -1;
  return names.of(via.name === undefined ? via.kind : `${via.kind} ${via.name}`);
}
