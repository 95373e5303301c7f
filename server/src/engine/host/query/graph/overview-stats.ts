// The Overview's numbers: lag, busiest collections, the last writes and their effects.
import type {Signal} from '@krtscope/shared/field-managers.ts';
import type {RootWrite, Stats} from '@krtscope/shared/timeline.ts';
import {rankChanges} from '../../../../explain/evidence/change-rank.ts';
import {changedPaths} from '../../../../explain/evidence/diff.ts';
import {writePriorityOf} from '../../../../explain/evidence/write-priority.ts';
import {writerOf} from '../../../../explain/evidence/writer.ts';
import type {RecordedBatch, RecordedChange, Records} from '../../../../explain/records.ts';
import {runsCausedBy} from '../../../../explain/why/impact.ts';
import {FRAME_MS} from '../../frames/frame-rate.ts';
import {momentOf} from '../items/item.ts';
import type {FirstLists} from './first-lists.ts';
import {quantile, RunRates} from './run-rates.ts';

const LAG_BOUNDS = [0.5, 1, 2, 3, 4, 5, 7, 10, 14, 20, 28, 40, 57, 80, 100, 200, 500, 1000, 5000];
const MAX_WRITES = 12;
const MAX_OTHER_WRITES = 6;
const MAX_BATCHES = 2000;
/** The number of writes to search for those of people: in a busy cluster the search must stay short. */
const MAX_PEOPLE_WRITES = 400;
/** An object is from a list if it is older than this when we first hear of it. */
const LISTED_AGE_MS = 60_000;

function lagHistogram(lags: readonly number[]): {upTo: number; count: number}[] {
  const counts = LAG_BOUNDS.map(upTo => ({upTo, count: 0}));
  for (const lag of lags) {
    const bucket = counts.find(b => lag <= b.upTo) ?? counts[counts.length - 1]!;
    bucket.count++;
  }
  return counts;
}

interface RecentWrites {
  readonly writes: RootWrite[];
  readonly counts: Record<Signal, number>;
}

/** The newest outside writes with the runs they caused, people's first. Leaves out first lists. */
function recentWritesOf(records: Records, first: FirstLists, newest: number): RecentWrites {
  const found: Record<Signal, RootWrite[]> = {person: [], controller: [], churn: []};
  const counts: Record<Signal, number> = {person: 0, controller: 0, churn: 0};
  const oldest = Math.max(records.oldest(), newest - MAX_BATCHES);
  for (const batch of batchesNewestFirst(records, oldest, newest)) {
    if (found.person.length >= MAX_WRITES) break;
    if (first.isOnlyFirstLists(records, batch)) continue;
    for (const place of batch.rootPlaces.slice(-MAX_BATCHES).reverse()) {
      const change = batch.change(place);
      if (first.includes(records, change.collection, batch.sequence) || wasListed(change, batch.at)) continue;
      const signal = writePriorityOf(change);
      counts[signal]++;
      if (found[signal].length < (signal === 'person' ? MAX_WRITES : MAX_OTHER_WRITES))
        found[signal].push(rootWriteOf(batch, place, change, signal));
    }
  }
  return {writes: [...found.person, ...found.controller, ...found.churn], counts};
}

function* batchesNewestFirst(records: Records, oldest: number, newest: number): Iterable<RecordedBatch> {
  let searched = 0;
  for (let sequence = newest; sequence >= oldest && searched < MAX_PEOPLE_WRITES; sequence--) {
    const batch = records.batch(sequence);
    if (!batch || batch.rootPlaces.length === 0) continue;
    searched += batch.rootPlaces.length;
    yield batch;
  }
}

/** An object that is new to us but old in the cluster came with a list. */
function wasListed({event, new: object}: RecordedChange, at: number): boolean {
  if (event !== 'add') return false;
  const created = (object as {metadata?: {creationTimestamp?: unknown}} | undefined)?.metadata
    ?.creationTimestamp;
  return typeof created === 'string' && at - Date.parse(created) > LISTED_AGE_MS;
}

function rootWriteOf(batch: RecordedBatch, place: number, change: RecordedChange, signal: Signal): RootWrite {
  const blast = runsCausedBy(batch, place, 2000);
  const writer = writerOf(change);
  const [path] = change.event === 'update' ? rankChanges(changedPaths(change.old, change.new)) : [];
  return {
    sequence: batch.sequence,
    at: Math.round(batch.at),
    collection: change.collection,
    key: change.key,
    event: change.event,
    ...(writer ? {writer} : {}),
    signal,
    ...(path ? {path: path.path} : {}),
    runs: blast.length,
    changed: blast.filter(p => /^(added|changed|deleted)$/.test((batch.brief?.(p) ?? batch.run(p)).outcome))
      .length,
  };
}

export function statsAnswer(records: Records, live: RunRates, moment: number | undefined): Stats {
  const at = momentOf(records, moment);
  const sequence = at ?? records.newest();
  // Include the batch of this very moment: the two clocks may differ by a millisecond.
  const settled = records.timeOf(sequence);
  const end = at === undefined ? Math.max(records.now(), settled) : settled;
  const meter = at === undefined ? live : new RunRates();
  meter.catchUp(records, sequence);
  const lags = meter.lags(end);
  const collections = records.collections(at);
  const busiest = collections
    .map(({name}) => {
      const rate = meter.rate(name, end);
      const ownLags = meter.lags(end, name);
      return {
        collection: name,
        runs: rate.runs,
        equal: rate.equal,
        milliseconds: rate.runs === 0 ? 0 : rate.milliseconds / rate.runs,
        ...(ownLags.length === 0 ? {} : {lag: quantile(ownLags, 0.99)}),
        spark: meter.spark(name, end, 60),
      };
    })
    .filter(b => b.runs > 0 || b.spark.some(n => n > 0))
    .sort((a, b) => b.runs - a.runs || (a.collection < b.collection ? -1 : 1))
    .slice(0, 20);
  const process = records.recorder();
  const {writes, counts} = recentWritesOf(records, meter.firstLists, sequence);
  return {
    sequence,
    at: Math.round(end),
    objects: collections.reduce((sum, c) => sum + (c.parents.length === 0 ? records.size(c.name, at) : 0), 0),
    runsPerMinute: collections.reduce((sum, c) => sum + meter.rate(c.name, end).runs, 0),
    lag: {
      ...(lags.length === 0 ? {} : {p50: quantile(lags, 0.5), p99: quantile(lags, 0.99)}),
      histogram: lagHistogram(lags),
    },
    busiest,
    writes,
    writeCounts: counts,
    recorder: process.share,
    recorderCost: process.cost,
    ...(process.frame === undefined || process.frame === FRAME_MS ? {} : {frame: process.frame}),
    heap: process.heap,
    kept: records.kept(),
  };
}
