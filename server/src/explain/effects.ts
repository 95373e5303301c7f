// What followed: the waves that went out from a run or a change inside its batch, and where and why each one stopped.
import type {Effect} from '@krtscope/shared/why.ts';
import type {Outcome} from '@krtscope/shared/words.ts';
import type {RecordedBatch, RecordedRun, Records} from './records.ts';

const MOST = 500;

type Stop = NonNullable<Effect['stopped']>;

/** Collections that read this one, by input or by fetch. */
function readersOf(records: Records, collection: string): string[] {
  return [
    ...new Set(
      records
        .edges()
        .filter(e => e.from === collection)
        .map(e => e.to),
    ),
  ];
}

/** Why a run whose outputs nobody heard of is the end of its wave. */
function stopOfRun(run: RecordedRun): Stop | undefined {
  switch (run.outcome) {
    case 'equal':
      return {reason: 'equal', text: 'the result equals the one before, the wave stopped here'};
    case 'empty':
      return {reason: 'equal', text: 'returned nothing, as before; the wave stopped here'};
    case 'failed':
      return {
        reason: 'failed',
        text: `failed: ${run.error?.split('\n', 1)[0] ?? 'no message'}; the last good rows stay`,
      };
    case 'suspended':
      return {reason: 'suspended', text: `waits for ${run.waitingFor ?? 'a collection that has not synced'}`};
    case 'discarded':
      return {reason: 'discarded', text: 'discarded its result; the rows before it stay'};
    default:
      return undefined;
  }
}

/** Why a change that started nothing is the end of its wave. */
function stopOfChange(records: Records, collection: string): Stop {
  const readers = readersOf(records, collection);
  if (readers.length === 0) return {reason: 'no-dependents', text: `nothing reads ${collection}`};
  return {reason: 'filter-miss', text: `no recorded filter of ${readers.join(', ')} matched it`};
}

const outcomeOfEvent: Record<'add' | 'update' | 'delete', Outcome> = {
  add: 'added',
  update: 'changed',
  delete: 'deleted',
};

interface Walk {
  readonly records: Records;
  readonly batch: RecordedBatch;
  readonly effects: Effect[];
  readonly runs: Set<number>;
  readonly places: Set<number>;
}

function visitRun(walk: Walk, position: number, depth: number): void {
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
  walk.effects.push(effect);
  const stop = stopOfRun(run);
  if (stop) {
    effect.stopped = stop;
    return;
  }
  const before = walk.effects.length;
  const followed = visitPlaces(walk, places, depth + 1);
  if (!followed && walk.effects.length === before)
    effect.stopped = stopOfChange(walk.records, run.collection);
}

/** True if any of these changes led to something. */
function visitPlaces(walk: Walk, places: readonly number[], depth: number): boolean {
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

function visitView(walk: Walk, place: number, depth: number): void {
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
  if (!visitPlaces(walk, [place], depth + 1)) effect.stopped = stopOfChange(walk.records, change.collection);
}

/** Collections that read this one and did not run: their filters were tested and missed. */
function missed(walk: Walk, collection: string): Effect[] {
  const ran = new Set(walk.effects.map(e => e.collection));
  const fetching = walk.records.edges().filter(e => e.from === collection && e.kind === 'fetch');
  return fetching
    .filter(e => !ran.has(e.to))
    .map(e => ({
      collection: e.to,
      key: '',
      depth: 1,
      stopped: {reason: 'filter-miss' as const, text: `no recorded filter of ${e.to} matched it`},
    }));
}

export function effectsOfRun(records: Records, run: RecordedRun): Effect[] {
  const batch = records.batch(run.sequence);
  const stop = stopOfRun(run);
  if (stop || !batch) {
    const own: Effect = {
      collection: run.collection,
      key: run.input,
      depth: 0,
      outcome: run.outcome,
      run: run.id,
    };
    return stop ? [{...own, stopped: stop}] : [];
  }
  const position = Number(run.id.slice(run.id.indexOf('.') + 1));
  const walk: Walk = {records, batch, effects: [], runs: new Set([position]), places: new Set()};
  visitPlaces(walk, batch.announced(position), 1);
  if (walk.effects.length === 0 && readersOf(records, run.collection).length === 0) {
    const stopped = stopOfChange(records, run.collection);
    return [
      {collection: run.collection, key: run.input, depth: 0, outcome: run.outcome, run: run.id, stopped},
    ];
  }
  return [...walk.effects, ...missed(walk, run.collection)];
}

/** What followed from one change of a batch: for sources, views and removals. */
export function effectsOfChange(records: Records, sequence: number, place: number): Effect[] {
  const batch = records.batch(sequence);
  if (!batch) return [];
  const change = batch.change(place);
  const walk: Walk = {records, batch, effects: [], runs: new Set(), places: new Set([place])};
  if (!visitPlaces(walk, [place], 1)) {
    const outcome = outcomeOfEvent[change.event];
    const stopped = stopOfChange(records, change.collection);
    return [{collection: change.collection, key: change.key, depth: 0, outcome, stopped}];
  }
  return [...walk.effects, ...missed(walk, change.collection)];
}
