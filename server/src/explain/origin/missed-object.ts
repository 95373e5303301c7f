// The object that a fetch without a result most likely was meant to find: the one that it found last, else the nearest.
import type {EvidenceClause as Row, SentencePart} from '@krtscope/shared/why.ts';
import {editDistance} from '../evidence/edit-distance.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import type {RecordedFetch, RecordedRun} from '../records.ts';
import {tryFetch} from '../why-not/possible-readers.ts';
import {code, item, text} from '../wording/sentence.ts';

/** Objects that are tried, and earlier runs that are looked at. */
const MAX_OBJECTS = 5000;
const MAX_RUNS = 200;

export interface MissedObject {
  readonly collection: string;
  readonly key: string;
  /** How it answers the fetch, clause by clause, and the clause that it fails. */
  readonly rows: readonly Row[];
  readonly failing: Row | undefined;
  /** The run in which it was no longer found, where the recording has it. */
  readonly ended: RecordedRun | undefined;
}

/** Earlier runs of the same input, newest first, each with the one that came after it. */
function* earlierRuns(
  reader: RerunReader,
  run: RecordedRun,
): Generator<{run: RecordedRun; after: RecordedRun}> {
  let after = run;
  for (let count = 0; count < MAX_RUNS; count++) {
    const before = reader.records.runBefore(after.id);
    if (!before) return;
    yield {run: before, after};
    after = before;
  }
}

/** What this fetch found when it last found anything: the place among the fetches tells which one it is. */
function findLastFound(reader: RerunReader, run: RecordedRun, at: number): MissedObject | undefined {
  const fetch = run.fetches[at];
  if (!fetch) return undefined;
  for (const {run: before, after} of earlierRuns(reader, run)) {
    const then = before.fetches[at];
    const key = then?.collection === fetch.collection ? then.keys[0] : undefined;
    if (key === undefined) continue;
    const value = reader.records.value(fetch.collection, key, run.sequence);
    const {rows} = tryFetch(reader, {run}, fetch, key, undefined, value);
    const failing = rows.find(row => row.matchesNew === false);
    return {collection: fetch.collection, key, rows, failing, ended: after};
  }
  return undefined;
}

const stripEquals = (wants: string): string => wants.replace(/^= /, '');

/** The one that fails a single clause, by the fewest letters. */
function findNearest(reader: RerunReader, run: RecordedRun, fetch: RecordedFetch): MissedObject | undefined {
  const {records} = reader;
  let best: (MissedObject & {apart: number}) | undefined;
  let tried = 0;
  for (const key of records.keys(fetch.collection, run.sequence)) {
    if (++tried > MAX_OBJECTS) break;
    const value = records.value(fetch.collection, key, run.sequence);
    const {rows, failing: fails} = tryFetch(reader, {run}, fetch, key, undefined, value);
    const failing = fails === 1 ? rows.find(row => row.matchesNew === false) : undefined;
    if (!failing) continue;
    const apart = editDistance(stripEquals(failing.wants), failing.new ?? '');
    if (best && (apart > best.apart || (apart === best.apart && key > best.key))) continue;
    best = {collection: fetch.collection, key, rows, failing, ended: undefined, apart};
  }
  return best;
}

/** Undefined where nothing comes near. The run's batch must be kept. */
export function findMissedObject(
  reader: RerunReader,
  run: RecordedRun,
  at: number,
): MissedObject | undefined {
  const fetch = run.fetches[at];
  if (!fetch || run.sequence < reader.records.oldest()) return undefined;
  return findLastFound(reader, run, at) ?? findNearest(reader, run, fetch);
}

/** "Services/shop/orders wants app=orders", "Pods/shop/x has app=order where app=orders is asked for". */
export function missedObjectParts({collection, key, failing}: MissedObject): SentencePart[] {
  const named = item({collection, key}, 'cause');
  if (!failing) return [named, text(' is not there')];
  if (failing.clause.startsWith('selector.')) {
    const label = failing.clause.slice('selector.'.length);
    return [named, text(' wants '), code(`${label}=${failing.new ?? failing.old ?? 'none'}`)];
  }
  return [
    named,
    text(' has '),
    code(`${failing.clause} ${failing.new ?? failing.old ?? 'none'}`, 'error'),
    text(' where '),
    code(stripEquals(failing.wants)),
    text(' is asked for'),
  ];
}
