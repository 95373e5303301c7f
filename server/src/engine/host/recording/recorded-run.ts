// Converts krt's runs, changes and dependencies, as the recording keeps them, to the records that explain/ reads.
import type {RunDependency, RunMark} from '@krtscope/shared/run.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {
  RecordedCause,
  RecordedChange,
  RecordedDependency,
  RecordedFetch,
  RecordedRun,
} from '../../../explain/records.ts';
import type {Batch, ChangeNode, RunNode} from '../../../history/batch.ts';
import {microseconds} from '../../../history/encoding/block-encoder.ts';
import {isObserved} from '../../../history/observed-mark.ts';
import {RECORDED_KEYS} from '../../../history/shared-runs.ts';
import type {Cause, ChangeEvent, FetchRecord, Run} from '../../../krt/index.ts';

const outcomeOfEvent: Record<ChangeEvent, RunOutcome> = {add: 'added', update: 'changed', delete: 'deleted'};

/** The outcome of a change without a run: rows of sources, joins and indexes. */
export function outcomeOf(event: ChangeEvent): RunOutcome {
  return outcomeOfEvent[event];
}

/** A run of krt's trace with its place in the recording. The wire has the same shape (explain/wire-run.ts). */
export function toRecordedRun(node: RunNode): RecordedRun {
  const {run, batch, count} = node;
  const recorded: RecordedRun = {
    ...runMarkOf(node),
    collection: run.collection,
    input: run.input,
    causes: run.causes.map(cause => toRecordedCause(cause, batch.sequence)),
    fetches: run.fetches.map(toRecordedFetch),
    gained: count === 1 ? distinctDependencies(run.fetches) : run.gained.map(toRunDependency),
    lost: run.lost.map(toRunDependency),
    outputs: run.outputs.map(({key, change}) => ({key, change})),
    counts: {...run.counts},
    start: run.start,
    duration: run.duration,
  };
  if (run.error !== undefined) recorded.error = run.error;
  if (run.waitingFor !== undefined) recorded.waitingFor = run.waitingFor;
  return recorded;
}

function toRunDependency({collection, filter}: {collection: string; filter: string}): RunDependency {
  return {collection, filter};
}

/** A first run gains all its fetches, so the recording does not store them twice. */
function distinctDependencies(fetches: RunNode['run']['fetches']): RunDependency[] {
  const byFilter = new Map(
    fetches.map(fetch => [`${fetch.collection} ${fetch.filter}`, toRunDependency(fetch)]),
  );
  return [...byFilter.values()];
}

/** Replaces a run that is no longer in the recording but that another run names. */
export function placeholderRun(batch: Batch, position: number): RecordedRun {
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

export function runMarkOf({id, batch, run}: RunNode): RunMark {
  return {
    id,
    sequence: batch.sequence,
    at: endTimeOf(batch, run),
    outcome: isObserved(run) ? 'observed' : run.outcome,
  };
}

export function toRecordedChange({batch, place, published}: ChangeNode): RecordedChange {
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

export function toRecordedDependency({collection, filter, clauses}: FetchRecord): RecordedDependency {
  return {collection, filter, clauses};
}

function toRecordedFetch({
  collection,
  filter,
  matched,
  scanned,
  via,
  keys,
  clauses,
}: FetchRecord): RecordedFetch {
  // Only the first keys are recorded exactly. The rest may be those of the previous run.
  return {collection, filter, clauses, matched, scanned, via: {...via}, keys: keys.slice(0, RECORDED_KEYS)};
}

function toRecordedCause(cause: Cause, sequence: number): RecordedCause {
  const {uid: _, run, via, ...rest} = cause;
  const recorded: {-readonly [K in keyof RecordedCause]: RecordedCause[K]} = {...rest};
  if (via !== undefined) recorded.via = {...via};
  if (run !== undefined) recorded.run = `${sequence}.${run}`;
  return recorded;
}

/**
 * When a run ended. A batch begins to settle with its first change. Uses the precision of a block, so that a run has
 * the same time before and after a restart.
 */
function endTimeOf(batch: Batch, run: Run): number {
  const took = (microseconds(run.start) + microseconds(run.duration)) / 1000;
  return Math.round(Math.min(batch.settled, batch.received + took));
}
