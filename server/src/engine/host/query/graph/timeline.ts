// The timeline's buckets and the trace.
import type {Signal} from '@krtscope/shared/field-managers.ts';
import type {RunRecord, TraceAnswer} from '@krtscope/shared/run.ts';
import type {Bucket, Timeline} from '@krtscope/shared/timeline.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import {factsOf} from '../../../../explain/evidence/question-subject.ts';
import {batchPriority} from '../../../../explain/evidence/write-priority.ts';
import {type Records, RolledOff, Unanswerable} from '../../../../explain/records.ts';
import {toWireRun} from '../../../../explain/wire-run.ts';
import {countBatch} from '../../recording/batch-counts.ts';

export interface TimelineParams {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly buckets: number;
}

/** Buckets of equal time between two moments (milliseconds since 1970); by default, the whole recording. */
export function timelineAnswer(records: Records, params: TimelineParams): Timeline {
  const retained = records.kept();
  const to = params.to ?? Math.round(records.now());
  // With nothing recorded yet, the timeline would begin in 1970.
  const since = retained.since === 0 ? to : Math.floor(retained.since);
  const from = Math.min(params.from ?? since, to);
  const width = Math.max(1, (to - from) / params.buckets);
  const buckets: Bucket[] = Array.from({length: params.buckets}, (_, i) => ({
    at: Math.round(from + i * width),
    sequence: 0,
    changed: 0,
    equal: 0,
    failed: 0,
    writes: 0,
    people: 0,
  }));
  let newest = records.oldest();
  // Objects of a first list were written at another time.
  const listed = (collection: string, sequence: number): boolean =>
    sequence <= (records.syncedSince?.(collection) ?? 0);
  for (const batch of records.batches()) {
    if (batch.at < from) {
      newest = batch.sequence;
      continue;
    }
    if (batch.at > to) break;
    const bucket = buckets[Math.min(params.buckets - 1, Math.floor((batch.at - from) / width))]!;
    countBatch(bucket, batch, listed);
  }
  // A quiet bucket shows the state of the newest batch before it.
  for (const bucket of buckets) {
    if (bucket.sequence === 0) bucket.sequence = newest;
    else newest = bucket.sequence;
  }
  const gaps = records.gaps().filter(g => g.to >= from && g.from <= to);
  return {from, to, buckets, gaps: [...gaps], kept: retained};
}

export interface TraceParams {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly collection?: string | undefined;
  readonly key?: string | undefined;
  readonly outcome?: RunOutcome | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

function matchesTrace(params: TraceParams, run: RunRecord): boolean {
  if (params.collection !== undefined && run.collection !== params.collection) return false;
  if (params.outcome !== undefined && run.outcome !== params.outcome) return false;
  return params.key === undefined || run.input === params.key || run.outputs.some(o => o.key === params.key);
}

function parseCursor(cursor: string): {sequence: number; position: number} {
  const match = /^(\d+)\.(\d+)$/.exec(cursor);
  if (!match)
    throw new Unanswerable(
      'bad-query',
      `"${cursor}" is not a cursor`,
      'pass the cursor of the page before, a run id such as 184.2',
    );
  return {sequence: Number(match[1]), position: Number(match[2])};
}

/**
 * With `since`: the runs after that batch, oldest first. Without: the newest runs, newest first. The cursor is the id
 * of the last run shown. The next page continues after it in the same direction.
 */
export function traceAnswer(records: Records, params: TraceParams): TraceAnswer {
  if (params.collection !== undefined) factsOf(records, params.collection);
  const forward = params.since !== undefined;
  const cursor = params.cursor === undefined ? undefined : parseCursor(params.cursor);
  // Continue from the cursor, because the start may have rolled off.
  const first = cursor?.sequence ?? (params.since ?? 0) + 1;
  if (forward && first < records.oldest()) throw new RolledOff(first, records.oldest());
  const low = Math.max(records.oldest(), forward ? first : 0);
  const high = Math.min(
    records.newest(),
    params.until ?? records.newest(),
    forward ? Number.MAX_SAFE_INTEGER : (cursor?.sequence ?? Number.MAX_SAFE_INTEGER),
  );
  const runs: RunRecord[] = [];
  const full = (): boolean => runs.length > params.limit;
  const take = (sequence: number): void => {
    const batch = records.batch(sequence);
    if (!batch) return;
    // Use the cheap summary to skip batches without a matching run.
    if (params.collection !== undefined && !batch.runs.some(r => r.collection === params.collection)) return;
    let signal: {of: Signal | undefined} | undefined;
    for (let i = 0; i < batch.runCount && !full(); i++) {
      const position = forward ? i : batch.runCount - 1 - i;
      if (
        cursor &&
        sequence === cursor.sequence &&
        (forward ? position <= cursor.position : position >= cursor.position)
      )
        continue;
      const run = batch.run(position);
      if (!matchesTrace(params, run)) continue;
      signal ??= {of: batchPriority(batch)};
      runs.push({...toWireRun(run), signal: signal.of});
    }
  };
  if (forward) for (let sequence = low; sequence <= high && !full(); sequence++) take(sequence);
  else for (let sequence = high; sequence >= low && !full(); sequence--) take(sequence);
  const more = full();
  const page = runs.slice(0, params.limit);
  return {
    sequence: records.newest(),
    runs: page,
    ...(more ? {cursor: page[page.length - 1]!.id} : {}),
  };
}
