// Finds the effects of a run or a change inside its batch, and where and why each of them ends.

import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import {UNKNOWN_FILTER_TEXT} from '@krtscope/shared/vocabulary.ts';
import type {Effect} from '@krtscope/shared/why.ts';
import {edgesAt, factsAt} from '../evidence/graph-at.ts';
import type {RecordedBatch, RecordedRun, Records} from '../records.ts';
import {
  discardedEndWords,
  emptyEndWords,
  equalEndWords,
  failedEndWords,
  filterMissWords,
  lateReadersWords,
  noReadersWords,
  remainingRowsWords,
  suspendedEndWords,
  unchangedReadersWords,
  unknownRunsWords,
  unnamedReadersWords,
} from '../wording/effect-sentence.ts';

const MOST = 500;

type EffectStop = NonNullable<Effect['stopped']>;

interface CollectionReader {
  readonly collection: string;
  readonly isFetch: boolean;
  /** It had not synced then, and read the collection later. */
  readonly late: boolean;
}

/** Collections that read this one, as input or by fetch, at that batch. */
function readersOf(records: Records, collection: string, sequence: number): CollectionReader[] {
  const found = new Map<string, CollectionReader>();
  // A source reports nothing before its first list is complete.
  const early = !isSyncedBefore(records, collection, sequence);
  // The edges of now: a collection may have read it later.
  for (const {from, to, kind} of records.edges()) {
    // Status rows are written by the run itself.
    if (from !== collection || records.collection(to)?.kind === 'status') continue;
    const late = early || !isSyncedBefore(records, to, sequence);
    const isFetch = kind === 'fetch' && found.get(to)?.isFetch !== false;
    found.set(to, {collection: to, isFetch, late});
  }
  return [...found.values()];
}

/** Whether a collection had synced before this batch, so that changes reached it. */
export function isSyncedBefore(records: Records, collection: string, sequence: number): boolean {
  const facts = records.collection(collection);
  if (facts && !facts.synced) return false;
  const since = records.syncedSince?.(collection);
  return since === undefined || since < sequence;
}

/** Why the effects end at a run without changed outputs. */
function stopOfRun(records: Records, run: RecordedRun): EffectStop | undefined {
  switch (run.outcome) {
    case 'equal':
      return {reason: 'equal', text: equalEndWords};
    case 'empty':
      return {reason: 'equal', text: emptyEndWords(isFirstRun(records, run))};
    case 'failed':
      return {reason: 'failed', text: failedEndWords(run.error, remainingRows(records, run))};
    case 'suspended':
      return {reason: 'suspended', text: suspendedEndWords(run.waitingFor)};
    case 'discarded':
      return {reason: 'discarded', text: discardedEndWords(remainingRows(records, run))};
    default:
      return undefined;
  }
}

/** Whether this is the first run of the input. */
export function isFirstRun(records: Records, run: RecordedRun): boolean {
  const [first] = records.runsOf(run.collection, run.input);
  return (
    first?.id === run.id &&
    records.runCount(run.collection, run.input) <= records.runsOf(run.collection, run.input).length
  );
}

/** What an input has after a run that gave no rows. */
export function remainingRows(records: Records, run: RecordedRun): string {
  const at = run.sequence < records.oldest() ? undefined : run.sequence;
  return remainingRowsWords(records.outputsOf(run.collection, run.input, at).length);
}

/** Why the effects end at a change that started no run. */
function stopOfChange(records: Records, collection: string, sequence: number): EffectStop {
  const readers = readersOf(records, collection, sequence);
  const isReported = isReportedBatch(records, records.batch(sequence));
  if (readers.length === 0)
    return {
      reason: 'no-dependents',
      text: isReported ? unnamedReadersWords(collection) : noReadersWords(collection),
    };
  const names = (chosen: readonly CollectionReader[]): string[] => chosen.map(r => r.collection);
  const late = readers.filter(r => r.late);
  if (late.length === readers.length) return {reason: 'suspended', text: lateReadersWords(names(late))};
  const fetching = readers.filter(r => !r.late && r.isFetch);
  if (fetching.length > 0) {
    const words = isReported ? unknownRunsWords : filterMissWords;
    return {reason: 'filter-miss', text: words(names(fetching))};
  }
  return {reason: 'equal', text: unchangedReadersWords(names(readers))};
}

/** Runs of a batch that are looked at to tell who reported it. */
const MAX_SAMPLED_RUNS = 50;

/** Whether the batch comes from the documents and the log of another program, which do not say which filters missed. */
function isReportedBatch(records: Records, batch: RecordedBatch | undefined): boolean {
  if (records.formulas !== undefined || batch === undefined) return false;
  if (batch.runCount === 0) return true;
  for (let at = 0; at < Math.min(batch.runCount, MAX_SAMPLED_RUNS); at++) {
    const {causes, fetches} = batch.run(at);
    if (causes.some(({inferred}) => inferred === true)) return true;
    if (fetches.some(({filter}) => filter === UNKNOWN_FILTER_TEXT)) return true;
  }
  return false;
}

const outcomeOfEvent: Record<'add' | 'update' | 'delete', RunOutcome> = {
  add: 'added',
  update: 'changed',
  delete: 'deleted',
};

interface EffectWalk {
  readonly records: Records;
  readonly batch: RecordedBatch;
  readonly effects: Effect[];
  readonly runs: Set<number>;
  readonly places: Set<number>;
}

function visitRun(walk: EffectWalk, position: number, depth: number): void {
  if (walk.runs.has(position) || walk.effects.length >= MOST) return;
  walk.runs.add(position);
  const run = walk.batch.run(position);
  const places = walk.batch.announced(position);
  const key = run.outputs.length === 1 ? run.outputs[0]!.key : run.input;
  const effect: Effect = {
    collection: run.collection,
    key,
    depth,
    outcome: run.outcome,
    run: run.id,
    start: run.start,
    duration: run.duration,
  };
  walk.effects.push(effect, ...statusEffects(walk.records, run, depth + 1));
  const stop = stopOfRun(walk.records, run);
  if (stop) {
    effect.stopped = stop;
    return;
  }
  const before = walk.effects.length;
  const followed = visitPlaces(walk, places, depth + 1);
  if (!followed && walk.effects.length === before)
    effect.stopped = stopOfChange(walk.records, run.collection, run.sequence);
}

/** True if any of these changes led to something. */
function visitPlaces(walk: EffectWalk, places: readonly number[], depth: number): boolean {
  let followed = false;
  for (const place of places) {
    const runs = walk.batch.causedBy(place);
    const views = walk.batch.ledTo(place);
    if (runs.length + views.length > 0) followed = true;
    for (const view of views) visitView(walk, view, depth);
    for (const run of runs) visitRun(walk, run, depth);
  }
  return followed;
}

function visitView(walk: EffectWalk, place: number, depth: number): void {
  if (walk.places.has(place) || walk.effects.length >= MOST) return;
  walk.places.add(place);
  const change = walk.batch.change(place);
  const effect: Effect = {
    collection: change.collection,
    key: change.key,
    depth,
    outcome: outcomeOfEvent[change.event],
  };
  walk.effects.push(effect);
  if (!visitPlaces(walk, [place], depth + 1))
    effect.stopped = stopOfChange(walk.records, change.collection, change.sequence);
}

/** The status row that a run wrote, also when its outputs stayed equal. */
function statusEffects(records: Records, run: RecordedRun, depth: number): Effect[] {
  return edgesAt(records, run.sequence).flatMap(({from, to}): Effect[] => {
    if (from !== run.collection || factsAt(records, to, run.sequence)?.kind !== 'status') return [];
    if (run.sequence < records.oldest()) return [];
    const change = records.lastChange(to, run.input, run.sequence);
    if (change?.sequence !== run.sequence) return [];
    const stopped = stopOfChange(records, to, run.sequence);
    return [{collection: to, key: change.key, depth, outcome: outcomeOfEvent[change.event], stopped}];
  });
}

/** The first run of a collection that synced later, if it took this item in. */
function laterRun(records: Records, collection: string, input: string): Effect | undefined {
  const mark = records.runsOf(collection, input).find(m => m.outcome !== 'suspended');
  const run = mark && records.runById(mark.id);
  if (run?.causes.some(c => c.kind !== 'synced' && c.kind !== 'formula') !== false) return undefined;
  const key = run.outputs.length === 1 ? run.outputs[0]!.key : input;
  return {collection, key, depth: 1, outcome: run.outcome, run: run.id};
}

/** Collections that read this one and did not run: they had not synced, or no filter matched. */
function readersWithoutRun(walk: EffectWalk, collection: string, key: string): Effect[] {
  const {records, batch} = walk;
  const ran = new Set(walk.effects.map(e => e.collection));
  const missed = isReportedBatch(records, batch) ? unknownRunsWords : filterMissWords;
  return readersOf(records, collection, batch.sequence)
    .filter(r => !ran.has(r.collection) && (r.late || r.isFetch))
    .map(({collection: to, late, isFetch}): Effect => {
      const later = late && !isFetch ? laterRun(records, to, key) : undefined;
      if (later) return later;
      const stopped: EffectStop = late
        ? {reason: 'suspended', text: lateReadersWords([to])}
        : {reason: 'filter-miss', text: missed([to])};
      return {collection: to, key: '', depth: 1, stopped};
    });
}

/** The effects of a run; with `key` only those of one output. */
export function effectsOfRun(records: Records, run: RecordedRun, key?: string): Effect[] {
  const batch = records.batch(run.sequence);
  const own: Effect = {
    collection: run.collection,
    key: key ?? run.input,
    depth: 0,
    outcome: run.outcome,
    run: run.id,
  };
  const stayed = key !== undefined && run.outputs.some(o => o.key === key && o.change === 'equal');
  const stop = stayed ? stopOfRun(records, {...run, outcome: 'equal'}) : stopOfRun(records, run);
  const statuses = statusEffects(records, run, 1);
  // An unchanged row has no effects.
  if (stop?.reason === 'equal') return statuses;
  if (stop) return [{...own, stopped: stop}, ...statuses];
  if (!batch) return [];
  const position = Number(run.id.slice(run.id.indexOf('.') + 1));
  const walk: EffectWalk = {records, batch, effects: [], runs: new Set([position]), places: new Set()};
  const places = batch.announced(position);
  const chosen = key === undefined ? places : places.filter(place => batch.change(place).key === key);
  visitPlaces(walk, chosen, 1);
  const effects = [...statuses, ...walk.effects, ...readersWithoutRun(walk, run.collection, own.key)];
  if (effects.length > 0) return effects;
  return [{...own, stopped: stopOfChange(records, run.collection, run.sequence)}];
}

/** The effects of one change: for sources, views and removals. */
export function effectsOfChange(records: Records, sequence: number, place: number): Effect[] {
  const batch = records.batch(sequence);
  if (!batch) return [];
  const {collection, key, event} = batch.change(place);
  const walk: EffectWalk = {records, batch, effects: [], runs: new Set(), places: new Set([place])};
  const followed = visitPlaces(walk, [place], 1);
  if (hasUnreportedRuns(records, batch)) return walk.effects;
  const others = readersWithoutRun(walk, collection, key);
  if (followed || others.some(e => e.run !== undefined)) return [...walk.effects, ...others];
  const stopped = stopOfChange(records, collection, sequence);
  return [{collection, key, depth: 0, outcome: outcomeOfEvent[event], stopped}];
}

/** Batch changes that are looked at. */
const LOOKED = 200;

/** Whether a program reported rows of this batch without their runs: then the readers are not known. */
function hasUnreportedRuns(records: Records, batch: RecordedBatch): boolean {
  if (records.formulas !== undefined) return false;
  const count = Math.min(batch.changeCount, LOOKED);
  return (
    batch.runCount === 0 || Array.from({length: count}, (_, at) => batch.change(at)).some(one => one.observed)
  );
}
