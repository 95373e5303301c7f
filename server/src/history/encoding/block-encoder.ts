// Encodes one batch: old values as deltas from the new ones, and runs as differences from the previous run of the input.
// block-decoder.ts reads it in the same order, and recording-rebuild.ts fills in what is shared.

import type {BatchTrace, Cause, FetchRecord, Published, Run} from '../../krt/index.ts';
import type {BatchNotes} from '../batch.ts';
import {isAccepted} from '../latest-by-key.ts';
import {type CauseMarks, isObserved} from '../observed-mark.ts';
import {hasSameBeginning, isSameFetch, RECORDED_KEYS} from '../shared-runs.ts';
import {
  BlockTableWriter,
  causeNumbers,
  eventNumbers,
  matchNumbers,
  outcomeNumbers,
  outputNumbers,
} from './block-tables.ts';
import {ByteWriter} from './bytes.ts';
import {addDelta, addWhole, TextPieces} from './delta.ts';

/** Flags after the two or three bits of the event, outcome, kind or change. */
export const flags = {
  block: {lag: 1, writers: 2},
  change: {run: 4, old: 8, from: 16, observed: 32, new: 64},
  run: {ownInput: 8, sameFetches: 16, rare: 32, observed: 64},
  cause: {
    published: 8,
    run: 16,
    fetch: 32,
    filter: 64,
    matched: 128,
    via: 256,
    collection: 512,
    key: 1024,
    event: 2048,
    inferred: 4096,
    possible: 8192,
  },
  output: {ownKey: 4},
} as const;

/** How a fetch is written. */
export const SAME_FETCH = 0;
export const KEY_FETCH = 1;
const QUERY_FETCH = 2;
/** As before, with another count. */
export const COUNT_FETCH = 3;

/** The place of the change whose key is the run's input, from its causes. */
export function ownInput({input, causes}: Run, published: readonly Published[]): boolean {
  const first = causes[0];
  return (
    first?.kind === 'input' && first.published !== undefined && published[first.published]?.key === input
  );
}

const writer = new ByteWriter();
const tables = new BlockTableWriter(writer);

/**
 * `priorOf` gives the kept run before the one at a position, of the same input. `keepsNew`: collections whose new values
 * are written in full, because a restart may not compute them again.
 */
export function encodeBlock(
  trace: BatchTrace,
  roots: readonly number[],
  notes: BatchNotes,
  priorOf: (position: number) => Run | undefined,
  keepsNew: (collection: string) => boolean = () => false,
): Uint8Array {
  writer.clear();
  tables.clear();
  const {sequence, received, settled, synced, published, runs} = trace;
  writer.uint(sequence);
  writer.float(received);
  writer.float(settled);
  writer.uint(
    (notes.lag === undefined ? 0 : flags.block.lag) | (notes.writers === undefined ? 0 : flags.block.writers),
  );
  if (notes.lag !== undefined) writer.float(notes.lag);
  if (notes.writers !== undefined) writer.text(JSON.stringify([...notes.writers]));
  writer.uint(synced.length);
  for (const name of synced) tables.name(name);
  writer.uint(published.length);
  for (const change of published) writeChange(change, keepsNew(change.collection));
  writer.uint(roots.length);
  for (const place of roots) writer.uint(place);
  writer.uint(runs.length);
  for (let position = 0; position < runs.length; position++) {
    writeRun(runs[position] as Run, priorOf(position), published);
  }
  return writer.take();
}

function writeChange(change: Published, keepsNew: boolean): void {
  const {event, run, from} = change;
  const changed = event !== 'add' && encodeOldValue(change);
  const newText = keepsNew && event !== 'delete' ? newValueText(change.new) : undefined;
  tables.name(change.collection);
  writer.text(change.key);
  let kind = eventNumbers[event];
  if (run !== null) kind |= flags.change.run;
  if (changed) kind |= flags.change.old;
  if (from !== undefined) kind |= flags.change.from;
  if (isObserved(change)) kind |= flags.change.observed;
  if (newText !== undefined) kind |= flags.change.new;
  writer.uint(kind);
  if (run !== null) writer.uint(run);
  if (changed) writer.pieces(oldDelta.list, oldDelta.count);
  if (newText !== undefined) writer.text(newText);
  if (from === undefined) return;
  writer.uint(from.length);
  for (const place of from) writer.uint(place);
}

const oldDelta = new TextPieces();

/** Undefined for a value that is not recorded, and for one that JSON cannot hold. */
function newValueText(value: unknown): string | undefined {
  if (value === null) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

// JSON cannot hold every value (a cycle, a BigInt). The rest of the batch is kept.
function encodeOldValue(change: Published): boolean {
  oldDelta.count = 0;
  try {
    return change.event === 'delete'
      ? addWhole(change.old, oldDelta)
      : addDelta(change.new, change.old, oldDelta);
  } catch (error) {
    oldDelta.count = 0;
    return addWhole(`(cannot be written: ${(error as Error).message.split('\n')[0]})`, oldDelta);
  }
}

function writeRun(run: Run, prior: Run | undefined, published: readonly Published[]): void {
  const own = ownInput(run, published);
  const same = prior !== undefined && areSameFetches(run.fetches, prior.fetches);
  const rare = rareText(run, prior);
  tables.name(run.collection);
  let kind = outcomeNumbers[run.outcome];
  if (own) kind |= flags.run.ownInput;
  if (same) kind |= flags.run.sameFetches;
  if (rare !== undefined) kind |= flags.run.rare;
  if (isObserved(run)) kind |= flags.run.observed;
  writer.uint(kind);
  writer.uint(run.causes.length);
  for (const cause of run.causes) writeCause(cause);
  if (!own) writer.text(run.input);
  writer.uint(microseconds(run.start));
  writer.uint(microseconds(run.duration));
  if (!same) writeFetches(run.fetches, prior?.fetches);
  writeOutputs(run, prior);
  if (rare !== undefined) writer.text(rare);
}

/** Never negative, although a clock may be set back during a run. */
export function microseconds(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds * 1000));
}

function areSameFetches(fetches: readonly FetchRecord[], before: readonly FetchRecord[]): boolean {
  if (fetches === before) return true;
  if (fetches.length !== before.length) return false;
  for (let i = 0; i < fetches.length; i++) {
    if (!isSameFetch(fetches[i] as FetchRecord, before[i] as FetchRecord)) return false;
  }
  return true;
}

export interface RareParts {
  gained?: [collection: string, filter: string][];
  lost?: [collection: string, filter: string][];
  error?: string;
  waitingFor?: string;
}

/** A first run gained all its fetches. */
function rareText({gained, lost, error, waitingFor}: Run, prior: Run | undefined): string | undefined {
  const gains = gained.length > 0 && prior !== undefined;
  if (!gains && lost.length === 0 && error === undefined && waitingFor === undefined) return undefined;
  const rare: RareParts = {};
  if (gains) rare.gained = gained.map(ref => [ref.collection, ref.filter]);
  if (lost.length > 0) rare.lost = lost.map(ref => [ref.collection, ref.filter]);
  if (error !== undefined) rare.error = error;
  if (waitingFor !== undefined) rare.waitingFor = waitingFor;
  return JSON.stringify(rare);
}

/** The previous run has the equal outputs. Without one, or if it failed, all are listed. */
function writeOutputs({input, outputs, counts}: Run, prior: Run | undefined): void {
  const listAll = counts.equal > 0 && (prior === undefined || !isAccepted(prior));
  writer.uint(listAll ? 0 : 1 + counts.equal);
  writer.uint(listAll ? outputs.length : outputs.length - counts.equal);
  if (!listAll && counts.equal === outputs.length) return;
  for (const {key, change} of outputs) {
    if (change === 'equal' && !listAll) continue;
    writer.uint(outputNumbers[change] | (key === input ? flags.output.ownKey : 0));
    if (key !== input) writer.text(key);
  }
}

function writeCause({
  kind,
  published,
  run,
  fetch,
  filter,
  matched,
  via,
  collection,
  key,
  event,
  inferred,
  possible,
}: Cause & CauseMarks): void {
  const bits = flags.cause;
  // The change has the same facts: do not repeat them.
  const alone = published === undefined && collection !== undefined;
  let number = causeNumbers[kind];
  if (published !== undefined) number |= bits.published;
  if (run !== undefined) number |= bits.run;
  if (fetch !== undefined && fetch >= 0) number |= bits.fetch;
  if (filter !== undefined) number |= bits.filter;
  if (matched !== undefined) number |= bits.matched;
  if (via !== undefined) number |= bits.via;
  if (alone) number |= bits.collection;
  if (alone && key !== undefined) number |= bits.key;
  if (alone && event !== undefined) number |= bits.event;
  if (inferred === true) number |= bits.inferred;
  if (possible === true) number |= bits.possible;
  writer.uint(number);
  if (published !== undefined) writer.uint(published);
  if (run !== undefined) writer.uint(run);
  if (fetch !== undefined && fetch >= 0) writer.uint(fetch);
  if (filter !== undefined) tables.name(filter);
  if (matched !== undefined) writer.uint(matchNumbers[matched]);
  if (via !== undefined) tables.via(via);
  if (!alone) return;
  tables.name(collection);
  if (key !== undefined) writer.text(key);
  if (event !== undefined) writer.uint(eventNumbers[event]);
}

function writeFetches(fetches: readonly FetchRecord[], before: readonly FetchRecord[] | undefined): void {
  writer.uint(fetches.length);
  for (let i = 0; i < fetches.length; i++) {
    const fetch = fetches[i] as FetchRecord;
    const twin = before?.[i];
    if (twin !== undefined && isSameFetch(fetch, twin)) writer.uint(SAME_FETCH);
    else if (twin !== undefined && hasSameBeginning(fetch, twin)) {
      writer.uint(COUNT_FETCH);
      writer.uint(fetch.matched);
      writer.uint(fetch.scanned);
    } else writeFetch(fetch);
  }
}

/** A fetch by one key needs nothing else. */
function writeFetch({collection, filter, clauses, matched, scanned, via, keys}: FetchRecord): void {
  const only = clauses.length === 1 ? clauses[0] : undefined;
  if (only?.kind === 'keys' && only.keys.length === 1) {
    writer.uint(KEY_FETCH);
    tables.name(collection);
    writer.text(only.keys[0] as string);
    writer.uint(matched);
    writer.uint(scanned);
    return;
  }
  writer.uint(QUERY_FETCH);
  tables.query(collection, filter, clauses);
  writer.uint(matched);
  writer.uint(scanned);
  tables.via(via);
  tables.answer(keys, RECORDED_KEYS);
}
