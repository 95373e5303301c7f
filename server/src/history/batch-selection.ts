// Makes a batch with only some of its runs and changes, and renumbers their references.
import type {BatchTrace, Cause, Published, Run} from '../krt/index.ts';
import type {Batch} from './batch.ts';

export interface BatchSelection {
  trace: BatchTrace;
  roots: readonly number[];
}

/** The trace of a batch, as far as it is still kept. */
export function traceOf(batch: Batch): BatchSelection {
  const whole = batch.runNodes.every(node => node !== undefined);
  if (!whole)
    return selectFromBatch(
      batch,
      () => true,
      () => true,
    );
  return {
    trace: {
      ...momentOf(batch),
      changes: [],
      runs: batch.runNodes.map(node => node?.run as Run),
      published: batch.changeNodes.map(node => node?.published as Published),
    },
    roots: [...batch.rootPlaces],
  };
}

export function selectFromBatch(
  batch: Batch,
  keepChange: (change: Published) => boolean,
  keepRun: (run: Run) => boolean,
): BatchSelection {
  const published: Published[] = [];
  const places = new Map<number, number>();
  for (const node of batch.changeNodes) {
    if (node === undefined || !keepChange(node.published)) continue;
    places.set(node.place, published.length);
    published.push({...node.published});
  }
  const runs: Run[] = [];
  const positions = new Map<number, number>();
  for (const node of batch.runNodes) {
    if (node === undefined || !keepRun(node.run)) continue;
    positions.set(node.position, runs.length);
    runs.push(node.run);
  }
  for (const change of published) {
    if (change.run !== null) change.run = positions.get(change.run) ?? null;
    if (change.from !== undefined) change.from = change.from.flatMap(place => places.get(place) ?? []);
  }
  const renumbered = runs.map(run => ({
    ...run,
    causes: run.causes.map(cause => renumber(cause, places, positions)),
  }));
  const roots = batch.rootPlaces.flatMap(place => places.get(place) ?? []);
  return {trace: {...momentOf(batch), changes: [], runs: renumbered, published}, roots};
}

function renumber(cause: Cause, places: Map<number, number>, positions: Map<number, number>): Cause {
  const {run, published, ...rest} = cause;
  const now: Cause = {...rest};
  const position = run === undefined ? undefined : positions.get(run);
  const place = published === undefined ? undefined : places.get(published);
  if (position !== undefined) now.run = position;
  if (place !== undefined) now.published = place;
  return now;
}

function momentOf({sequence, received, settled, synced}: Batch) {
  return {sequence, received, settled, synced: [...synced]};
}
