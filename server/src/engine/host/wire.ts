// The one place where the engine's records become what crosses the wire and what explain/ reads.
import type {Dependency, RunMark} from '@krtscope/shared/run.ts';
import type {Outcome} from '@krtscope/shared/words.ts';
import type {
  RecordedCause,
  RecordedChange,
  RecordedDependency,
  RecordedFetch,
  RecordedRun,
} from '../../explain/records.ts';
import type {Batch, ChangeNode, RunNode} from '../../history/batch.ts';
import {microseconds} from '../../history/block.ts';
import {KEYS} from '../../history/economy.ts';
import {isObserved} from '../../history/observed.ts';
import type {Cause, ChangeEvent, FetchRecord, Run} from '../../krt/index.ts';

const outcomeOfEvent: Record<ChangeEvent, Outcome> = {add: 'added', update: 'changed', delete: 'deleted'};

/** What a change without a run counts as: rows of sources, joins and indexes. */
export function outcomeOf(event: ChangeEvent): Outcome {
  return outcomeOfEvent[event];
}

export function runToWire({run, batch, id, count}: RunNode): RecordedRun {
  const wire: RecordedRun = {
    id,
    sequence: batch.sequence,
    at: momentOf(batch, run),
    collection: run.collection,
    input: run.input,
    outcome: isObserved(run) ? 'observed' : run.outcome,
    causes: run.causes.map(cause => causeToWire(cause, batch.sequence)),
    fetches: run.fetches.map(fetchToWire),
    gained: count === 1 ? distinct(run.fetches) : run.gained.map(refToWire),
    lost: run.lost.map(refToWire),
    outputs: run.outputs.map(({key, change}) => ({key, change})),
    counts: {...run.counts},
    start: run.start,
    duration: run.duration,
  };
  if (run.error !== undefined) wire.error = run.error;
  if (run.waitingFor !== undefined) wire.waitingFor = run.waitingFor;
  return wire;
}

function refToWire({collection, filter}: {collection: string; filter: string}): Dependency {
  return {collection, filter};
}

/** What a first run gained are its fetches; the recording does not say it twice. */
function distinct(fetches: RunNode['run']['fetches']): Dependency[] {
  const known = new Map(fetches.map(fetch => [`${fetch.collection} ${fetch.filter}`, refToWire(fetch)]));
  return [...known.values()];
}

/** Stands in for a run that the recording no longer has, where a kept one still names it. */
export function forgottenRun(batch: Batch, position: number): RecordedRun {
  return {
    id: `${batch.sequence}.${position}`,
    sequence: batch.sequence,
    at: batch.at,
    collection: '',
    input: '',
    outcome: 'changed',
    causes: [],
    fetches: [],
    gained: [],
    lost: [],
    outputs: [],
    counts: {added: 0, changed: 0, deleted: 0, equal: 0},
    start: 0,
    duration: 0,
  };
}

export function markOf({id, batch, run}: RunNode): RunMark {
  return {
    id,
    sequence: batch.sequence,
    at: momentOf(batch, run),
    outcome: isObserved(run) ? 'observed' : run.outcome,
  };
}

export function changeToWire({batch, place, published}: ChangeNode): RecordedChange {
  const change: {-readonly [K in keyof RecordedChange]: RecordedChange[K]} = {
    sequence: batch.sequence,
    at: batch.at,
    collection: published.collection,
    key: published.key,
    event: published.event,
    place,
    root: batch.isRoot(place),
  };
  if (isObserved(published)) change.observed = true;
  if (published.old !== undefined) change.old = published.old;
  if (published.new !== undefined) change.new = published.new;
  if (published.run !== null) change.run = `${batch.sequence}.${published.run}`;
  if (published.from !== undefined) change.from = published.from;
  const writer = batch.notes.writers?.get(place);
  if (writer !== undefined) change.writer = writer;
  return change;
}

export function dependencyToWire({collection, filter, clauses}: FetchRecord): RecordedDependency {
  return {collection, filter, clauses};
}

function fetchToWire({collection, filter, clauses, matched, scanned, via, keys}: FetchRecord): RecordedFetch {
  // Of a longer list the rest may be that of the run before, which the recording takes to be the same.
  return {collection, filter, clauses, matched, scanned, via: {...via}, keys: keys.slice(0, KEYS)};
}

function causeToWire(cause: Cause, sequence: number): RecordedCause {
  const {uid: _, run, via, ...rest} = cause;
  const wire: {-readonly [K in keyof RecordedCause]: RecordedCause[K]} = {...rest};
  if (via !== undefined) wire.via = {...via};
  if (run !== undefined) wire.run = `${sequence}.${run}`;
  return wire;
}

/**
 * When a run ended: the batch began to settle when its first change was in. By the times that a block has, or the same
 * run would now and then be told of a millisecond later after a restart and from a file.
 */
function momentOf(batch: Batch, run: Run): number {
  const took = (microseconds(run.start) + microseconds(run.duration)) / 1000;
  return Math.round(Math.min(batch.settled, batch.received + took));
}
