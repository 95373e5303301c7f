// The one place where the engine's records become what crosses the wire and what explain/ reads.
import type {Signal} from '@krtscope/shared/field-managers.ts';
import type {
  RunDependency,
  RunMark,
  RunFetch as WireFetch,
  RunRecord as WireRun,
} from '@krtscope/shared/run.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {
  RecordedCause,
  RecordedChange,
  RecordedDependency,
  RecordedRun,
} from '../../../explain/records.ts';
import type {Batch, ChangeNode, RunNode} from '../../../history/batch.ts';
import {microseconds} from '../../../history/encoding/block-encoder.ts';
import {isObserved} from '../../../history/observed-mark.ts';
import {RECORDED_KEYS} from '../../../history/shared-runs.ts';
import type {Cause, ChangeEvent, FetchRecord, Run} from '../../../krt/index.ts';

const outcomeOfEvent: Record<ChangeEvent, RunOutcome> = {add: 'added', update: 'changed', delete: 'deleted'};

/** What a change without a run counts as: rows of sources, joins and indexes. */
export function outcomeOf(event: ChangeEvent): RunOutcome {
  return outcomeOfEvent[event];
}

/** A run as it crosses the wire, mapped once: hundreds of them a second go to every page that shows the log. */
export function runToWire(node: RunNode): WireRun {
  const {run, batch} = node;
  return {
    ...runToWireWithoutCauses(node),
    causes: run.causes.map(cause => {
      const {published: _, ...wire} = toRecordedCause(cause, batch.sequence);
      return wire;
    }),
    fetches: run.fetches.map(fetchToWire),
  };
}

/** A run of a trace: the same in an answer and in what a subscription hears later. */
export function withSignal(run: WireRun, signal: Signal | undefined): WireRun {
  if (signal !== undefined) run.signal = signal;
  return run;
}

/** A run as explain/ reads it: with the clauses of its fetches and the places of its causes. */
export function toRecordedRun(node: RunNode): RecordedRun {
  const {run, batch} = node;
  return {
    ...runToWireWithoutCauses(node),
    causes: run.causes.map(cause => toRecordedCause(cause, batch.sequence)),
    fetches: run.fetches.map(fetch => ({...fetchToWire(fetch), clauses: fetch.clauses})),
  };
}

function runToWireWithoutCauses({run, batch, id, count}: RunNode): Omit<WireRun, 'causes' | 'fetches'> {
  const part: Omit<WireRun, 'causes' | 'fetches'> = {
    id,
    sequence: batch.sequence,
    at: endTimeOf(batch, run),
    collection: run.collection,
    input: run.input,
    outcome: isObserved(run) ? 'observed' : run.outcome,
    gained: count === 1 ? distinctDependencies(run.fetches) : run.gained.map(refToWire),
    lost: run.lost.map(refToWire),
    outputs: run.outputs.map(({key, change}) => ({key, change})),
    counts: {...run.counts},
    start: run.start,
    duration: run.duration,
  };
  if (run.error !== undefined) part.error = run.error;
  if (run.waitingFor !== undefined) part.waitingFor = run.waitingFor;
  return part;
}

function refToWire({collection, filter}: {collection: string; filter: string}): RunDependency {
  return {collection, filter};
}

/** What a first run gained are its fetches; the recording does not say it twice. */
function distinctDependencies(fetches: RunNode['run']['fetches']): RunDependency[] {
  const known = new Map(fetches.map(fetch => [`${fetch.collection} ${fetch.filter}`, refToWire(fetch)]));
  return [...known.values()];
}

/** Stands in for a run that the recording no longer has, where a kept one still names it. */
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

function fetchToWire({collection, filter, matched, scanned, via, keys}: FetchRecord): WireFetch {
  // Of a longer list the rest may be that of the run before, which the recording takes to be the same.
  return {collection, filter, matched, scanned, via: {...via}, keys: keys.slice(0, RECORDED_KEYS)};
}

function toRecordedCause(cause: Cause, sequence: number): RecordedCause {
  const {uid: _, run, via, ...rest} = cause;
  const recorded: {-readonly [K in keyof RecordedCause]: RecordedCause[K]} = {...rest};
  if (via !== undefined) recorded.via = {...via};
  if (run !== undefined) recorded.run = `${sequence}.${run}`;
  return recorded;
}

/**
 * When a run ended: the batch began to settle when its first change was in. By the times that a block has, or the same
 * run would now and then be told of a millisecond later after a restart and from a file.
 */
function endTimeOf(batch: Batch, run: Run): number {
  const took = (microseconds(run.start) + microseconds(run.duration)) / 1000;
  return Math.round(Math.min(batch.settled, batch.received + took));
}
