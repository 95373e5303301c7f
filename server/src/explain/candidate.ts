// The object that a fetch without a result most likely was meant to find: the one that it found last, else the nearest.
import type {EvidenceClause as Row, SentencePart} from '@krtscope/shared/why.ts';
import {distance} from './distance.ts';
import {tryFetch} from './looker.ts';
import type {Reader} from './reads.ts';
import type {RecordedFetch, RecordedRun} from './records.ts';
import {code, item, text} from './sentence.ts';

/** Objects that are tried, and earlier runs that are looked at. */
const TRIED = 5000;
const RUNS = 200;

export interface Candidate {
  readonly collection: string;
  readonly key: string;
  /** How it answers the fetch, clause by clause, and the clause that it fails. */
  readonly rows: readonly Row[];
  readonly failing: Row | undefined;
  /** The run in which it was no longer found, where the recording has it. */
  readonly ended: RecordedRun | undefined;
}

/** Earlier runs of the same input, newest first, each with the one that came after it. */
function* earlier(reader: Reader, run: RecordedRun): Generator<{run: RecordedRun; after: RecordedRun}> {
  let after = run;
  for (let count = 0; count < RUNS; count++) {
    const before = reader.records.runBefore(after.id);
    if (!before) return;
    yield {run: before, after};
    after = before;
  }
}

/** What this fetch found when it last found anything: the place among the fetches tells which one it is. */
function lastFound(reader: Reader, run: RecordedRun, at: number): Candidate | undefined {
  const fetch = run.fetches[at];
  if (!fetch) return undefined;
  for (const {run: before, after} of earlier(reader, run)) {
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

const bare = (wants: string): string => wants.replace(/^= /, '');

/** The one that fails a single clause, by the fewest letters. */
function nearest(reader: Reader, run: RecordedRun, fetch: RecordedFetch): Candidate | undefined {
  const {records} = reader;
  let best: (Candidate & {apart: number}) | undefined;
  let tried = 0;
  for (const key of records.keys(fetch.collection, run.sequence)) {
    if (++tried > TRIED) break;
    const value = records.value(fetch.collection, key, run.sequence);
    const {rows, failing: fails} = tryFetch(reader, {run}, fetch, key, undefined, value);
    const failing = fails === 1 ? rows.find(row => row.matchesNew === false) : undefined;
    if (!failing) continue;
    const apart = distance(bare(failing.wants), failing.new ?? '');
    if (best && (apart > best.apart || (apart === best.apart && key > best.key))) continue;
    best = {collection: fetch.collection, key, rows, failing, ended: undefined, apart};
  }
  return best;
}

/** Undefined where nothing comes near. The run's batch must be kept. */
export function candidateOf(reader: Reader, run: RecordedRun, at: number): Candidate | undefined {
  const fetch = run.fetches[at];
  if (!fetch || run.sequence < reader.records.oldest()) return undefined;
  return lastFound(reader, run, at) ?? nearest(reader, run, fetch);
}

/** "Services/shop/orders wants app=orders", "Pods/shop/x has app=order where app=orders is asked for". */
export function candidateParts({collection, key, failing}: Candidate): SentencePart[] {
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
    code(bare(failing.wants)),
    text(' is asked for'),
  ];
}
