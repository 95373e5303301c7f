// What a run did not find, what it lost, and what it read of its input: where the walk goes on when no cause was needed.
import {readPath} from '@krtscope/shared/path.ts';
import type {EvidenceClause} from '@krtscope/shared/why.ts';
import {type Candidate, candidateOf} from './candidate.ts';
import {changedPaths} from './diff.ts';
import {tryFetch} from './looker.ts';
import {nearestMiss} from './nearest.ts';
import type {About} from './origin-words.ts';
import {isRead, type Reader} from './reads.ts';
import type {RecordedChange, RecordedRun, Records} from './records.ts';
import {fetchWords, ranked} from './sentence.ts';
import {factsThen, parentThen} from './then.ts';
import {isEmptyValue, type Matters, sameValue, type Target, valueIn} from './weigh.ts';

/** Objects of one fetch that are tried. */
const TRIED = 64;

/** A change to go on with, and the path of it that counts. */
export interface Next {
  readonly change: RecordedChange;
  readonly field: string | undefined;
  /** What the row is worth to what was asked about. */
  readonly matters?: Matters | undefined;
}

/**
 * Of what a run fetched the first object without which the asked value would be another: the last change of it that the
 * run read, `undefined` where that is no longer kept.
 */
export function countedOf(
  reader: Reader,
  run: RecordedRun,
  target: Target,
): {readonly next: Next | undefined} | undefined {
  const repeat = reader.repeat(run);
  const {base, faith} = repeat;
  if (faith.repeat !== 'same' || base === undefined || target.kind === 'row') return undefined;
  const asked = valueIn(reader.records, run, base, target);
  for (const {collection, keys} of run.fetches)
    for (const key of keys.slice(0, TRIED)) {
      const without = repeat.with([{collection, key, value: undefined}]);
      if (sameValue(asked, valueIn(reader.records, run, without, target))) continue;
      return {next: readChange(reader, run, collection, key)};
    }
  return undefined;
}

/** The last change of the primary input that touched what this run read of it, or its creation. */
export function primaryOf(reader: Reader, run: RecordedRun): Next | undefined {
  const parent = parentThen(reader.records, run.collection, run.sequence);
  return parent === undefined ? undefined : readChange(reader, run, parent, run.input);
}

/** What a row of a join, an index or a map was made of, where the change that made it does not say: its part then. */
export function standingPart(
  records: Records,
  {collection, key, sequence}: RecordedChange,
): RecordedChange | undefined {
  const facts = factsThen(records, collection, sequence);
  if (!facts || sequence < records.oldest()) return undefined;
  const part = facts.kind === 'index' ? records.inputsOf(collection, key, sequence)[0] : key;
  const parent = part === undefined ? undefined : facts.parents.find(p => records.has(p, part, sequence));
  return parent === undefined || part === undefined ? undefined : records.lastChange(parent, part, sequence);
}

/** The last change of an object that touched what this run read of it, or its creation. */
function readChange(reader: Reader, run: RecordedRun, collection: string, key: string): Next | undefined {
  const read = reader.repeat(run).reads.find(one => one.collection === collection && one.key === key);
  for (const change of reader.records.changesOf(collection, key, run.sequence)) {
    if (change.event !== 'update')
      return {change, field: change.root ? undefined : emptyIn(change.new, read?.paths)};
    if (change.old === undefined) return undefined;
    const touched = ranked(changedPaths(change.old, change.new)).find(
      one => read === undefined || isRead(one.path, read.paths),
    );
    if (touched) return {change, field: touched.path};
  }
  return undefined;
}

/** The path of its input without a value that this run went by: why that is so tells why nothing came out. */
export function emptyPathOf(reader: Reader, run: RecordedRun): Required<About> | undefined {
  const parent = parentThen(reader.records, run.collection, run.sequence);
  const read = reader.repeat(run).reads.find(one => one.collection === parent && one.key === run.input);
  if (parent === undefined || read === undefined) return undefined;
  const field = emptyIn(reader.records.value(parent, run.input, run.sequence), read.paths);
  return field === undefined ? undefined : {collection: parent, key: run.input, field};
}

/** The first fetch without a result that matters to what is asked. */
export function missedOf(
  reader: Reader,
  run: RecordedRun,
  target: Target,
): {fetch: RecordedRun['fetches'][number]; candidate: Candidate | undefined} | undefined {
  const repeat = reader.repeat(run);
  for (const [at, fetch] of run.fetches.entries()) {
    if (fetch.matched > 0) continue;
    const candidate = candidateOf(reader, run, at);
    const value = candidate && reader.records.value(candidate.collection, candidate.key, run.sequence);
    if (candidate === undefined || value === undefined || repeat.faith.repeat !== 'same')
      return {fetch, candidate};
    if (!isEmptyValue(valueIn(reader.records, run, repeat.finding(at, value), target)))
      return {fetch, candidate};
  }
  return undefined;
}

/** The write of either side that ended a match: the candidate's own change, or the looker's. */
export function endingOf(reader: Reader, candidate: Candidate, ended: RecordedRun): Next | undefined {
  if (ended.sequence < reader.records.oldest()) return undefined;
  const own = reader.records.lastChange(candidate.collection, candidate.key, ended.sequence);
  if (own?.sequence === ended.sequence) return {change: own, field: pathOf(candidate.failing, own)};
  const parent = parentThen(reader.records, ended.collection, ended.sequence);
  const looker =
    parent === undefined ? undefined : reader.records.lastChange(parent, ended.input, ended.sequence);
  return looker?.sequence === ended.sequence
    ? {change: looker, field: pathOf(candidate.failing, looker)}
    : undefined;
}

/** What the run before found and this one did not, because the looker changed: the other side of what was missed. */
export function lostBy(reader: Reader, run: RecordedRun, cause: RecordedChange): Candidate | undefined {
  const before = reader.records.runBefore(run.id);
  const parent = parentThen(reader.records, run.collection, run.sequence);
  if (!before || cause.collection !== parent || cause.key !== run.input || cause.event !== 'update')
    return undefined;
  for (const [at, fetch] of run.fetches.entries()) {
    const then = before.fetches[at];
    if (then?.collection !== fetch.collection || then.filter === fetch.filter) continue;
    if (!then.keys.some(key => !fetch.keys.includes(key)) || fetch.matched > 0) continue;
    return candidateOf(reader, run, at);
  }
  return undefined;
}

/** The command that makes the two match as they are at the moment that is asked about: both may have changed since. */
export function mendOf(
  reader: Reader,
  {collection, input}: RecordedRun,
  candidate: Candidate,
  at: number,
): string | undefined {
  const {records} = reader;
  const facts = records.collection(candidate.collection, at);
  const value = records.value(candidate.collection, candidate.key, at);
  const run = records.hasInput(collection, input, at) ? records.lastRun(collection, input, at) : undefined;
  const fetch = run?.fetches.find(one => one.collection === candidate.collection && one.matched === 0);
  if (!facts || !run || !fetch || value === undefined) return undefined;
  const {rows, failing} = tryFetch(reader, {run}, fetch, candidate.key, undefined, value);
  if (failing !== 1) return undefined;
  const parent = records.collection(collection, at)?.parents[0];
  const side = {facts: parent === undefined ? undefined : records.collection(parent, at), key: input};
  const row = rows.find(one => one.matchesNew === false);
  return nearestMiss(records, row, {facts, key: candidate.key}, side, at).command;
}

/** The path without a value among those that were read: what a formula that goes through a list makes nothing of. */
function emptyIn(value: unknown, paths: readonly string[] | undefined): string | undefined {
  return paths?.find(path => isEmptyValue(readPath(value, path)));
}

/** The changed path behind a failing clause: a label or a selector. */
function pathOf(failing: EvidenceClause | undefined, change: RecordedChange): string | undefined {
  const paths = change.event === 'update' ? ranked(changedPaths(change.old, change.new)) : [];
  const name = failing?.clause.split('.').slice(1).join('.');
  return (paths.find(one => name !== undefined && one.path.includes(name)) ?? paths[0])?.path;
}

/** What a step shows of the object that was missed. */
export function missEvidence(
  {collection, key, rows}: Candidate,
  run: RecordedRun,
): {candidate: {collection: string; key: string}; clauses: EvidenceClause[]; fetch?: string} {
  const fetch = run.fetches.find(one => one.collection === collection && one.matched === 0);
  return {
    candidate: {collection, key},
    clauses: [...rows],
    ...(fetch ? {fetch: fetchWords(collection, fetch.filter)} : {}),
  };
}
