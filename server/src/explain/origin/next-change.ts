// Finds the change to go on with when no cause was decisive: what a run did not find, what it lost, or what it read.
import {readPath} from '@krtscope/shared/path.ts';
import type {EvidenceClause} from '@krtscope/shared/why.ts';
import {rankChanges} from '../evidence/change-rank.ts';
import {changedPaths} from '../evidence/diff.ts';
import {isPathRead, type RerunReader} from '../evidence/field-reads.ts';
import {tryFetch} from '../evidence/filter-try.ts';
import {factsAt, parentAt} from '../evidence/graph-at.ts';
import type {RecordedChange, RecordedRun, Records} from '../records.ts';
import {
  type ExplainTarget,
  isEmptyValue,
  isSameOrEmpty,
  type TargetContext,
  targetValue,
} from '../why/explain-target.ts';
import {describeMismatch} from '../why-not/mismatch-fix.ts';
import type {OriginSubject} from '../wording/origin-sentence.ts';
import {fetchWords} from '../wording/value-words.ts';
import {findMissedObject, type MissedObject} from './missed-object.ts';

/** Objects of one fetch that are undone, one at a time. */
const TRIED = 64;

/** A change to go on with, and its decisive path. */
export interface NextChange extends TargetContext {
  readonly change: RecordedChange;
  readonly field: string | undefined;
}

/**
 * Finds the first fetched object without which the asked value would differ. `next` is its last change that the run
 * read, or undefined where that change is no longer kept.
 */
export function decisiveFetchedChange(
  reader: RerunReader,
  run: RecordedRun,
  target: ExplainTarget,
): {readonly next: NextChange | undefined} | undefined {
  const repeat = reader.rerun(run);
  const {base, faith} = repeat;
  if (faith.repeat !== 'same' || base === undefined || target.kind === 'row') return undefined;
  const asked = targetValue(reader.records, run, base, target);
  for (const {collection, keys} of run.fetches)
    for (const key of keys.slice(0, TRIED)) {
      const without = repeat.runWith([{collection, key, value: undefined}]);
      if (isSameOrEmpty(asked, targetValue(reader.records, run, without, target))) continue;
      return {next: lastReadChange(reader, run, collection, key)};
    }
  return undefined;
}

/** The last change of the primary input that touched what this run read of it, or its creation. */
export function lastReadInputChange(reader: RerunReader, run: RecordedRun): NextChange | undefined {
  const parent = parentAt(reader.records, run.collection, run.sequence);
  return parent === undefined ? undefined : lastReadChange(reader, run, parent, run.input);
}

/** The part of a view row, for a change that does not name it. */
export function partOfViewRow(
  records: Records,
  {collection, key, sequence}: RecordedChange,
): RecordedChange | undefined {
  const facts = factsAt(records, collection, sequence);
  if (!facts || sequence < records.oldest()) return undefined;
  const part = facts.kind === 'index' ? records.inputsOf(collection, key, sequence)[0] : key;
  const parent = part === undefined ? undefined : facts.parents.find(p => records.has(p, part, sequence));
  return parent === undefined || part === undefined ? undefined : records.lastChange(parent, part, sequence);
}

/** The last change of an object that touched what this run read of it, or its creation. */
function lastReadChange(
  reader: RerunReader,
  run: RecordedRun,
  collection: string,
  key: string,
): NextChange | undefined {
  const read = reader.rerun(run).reads.find(one => one.collection === collection && one.key === key);
  for (const change of reader.records.changesOf(collection, key, run.sequence)) {
    if (change.event !== 'update')
      return {change, field: change.root ? undefined : firstEmptyPath(change.new, read?.paths)};
    if (change.old === undefined) return undefined;
    const touched = rankChanges(changedPaths(change.old, change.new)).find(
      one => read === undefined || isPathRead(one.path, read.paths),
    );
    if (touched) return {change, field: touched.path};
  }
  return undefined;
}

/** The empty path of its input that this run read: its origin explains the empty result. */
export function emptyInputPath(reader: RerunReader, run: RecordedRun): Required<OriginSubject> | undefined {
  const parent = parentAt(reader.records, run.collection, run.sequence);
  const read = reader.rerun(run).reads.find(one => one.collection === parent && one.key === run.input);
  if (parent === undefined || read === undefined) return undefined;
  const field = firstEmptyPath(reader.records.value(parent, run.input, run.sequence), read.paths);
  return field === undefined ? undefined : {collection: parent, key: run.input, field};
}

/** The first fetch without a result that matters to the asked value. */
export function findMissedFetch(
  reader: RerunReader,
  run: RecordedRun,
  target: ExplainTarget,
): {fetch: RecordedRun['fetches'][number]; candidate: MissedObject | undefined} | undefined {
  const repeat = reader.rerun(run);
  for (const [at, fetch] of run.fetches.entries()) {
    if (fetch.matched > 0) continue;
    const candidate = findMissedObject(reader, run, at);
    const value = candidate && reader.records.value(candidate.collection, candidate.key, run.sequence);
    if (candidate === undefined || value === undefined || repeat.faith.repeat !== 'same')
      return {fetch, candidate};
    if (!isEmptyValue(targetValue(reader.records, run, repeat.runFinding(at, value), target)))
      return {fetch, candidate};
  }
  return undefined;
}

/** The write that ended a match: of the found object, or of the object that looks for it. */
export function changeThatEndedMatch(
  reader: RerunReader,
  candidate: MissedObject,
  ended: RecordedRun,
): NextChange | undefined {
  if (ended.sequence < reader.records.oldest()) return undefined;
  const own = reader.records.lastChange(candidate.collection, candidate.key, ended.sequence);
  if (own?.sequence === ended.sequence) return {change: own, field: pathOfClause(candidate.failing, own)};
  const parent = parentAt(reader.records, ended.collection, ended.sequence);
  const looker =
    parent === undefined ? undefined : reader.records.lastChange(parent, ended.input, ended.sequence);
  return looker?.sequence === ended.sequence
    ? {change: looker, field: pathOfClause(candidate.failing, looker)}
    : undefined;
}

/** What the previous run found and this one did not, because the input of the run changed. */
export function objectLostBy(
  reader: RerunReader,
  run: RecordedRun,
  cause: RecordedChange,
): MissedObject | undefined {
  const before = reader.records.runBefore(run.id);
  const parent = parentAt(reader.records, run.collection, run.sequence);
  if (!before || cause.collection !== parent || cause.key !== run.input || cause.event !== 'update')
    return undefined;
  for (const [at, fetch] of run.fetches.entries()) {
    const then = before.fetches[at];
    if (then?.collection !== fetch.collection || then.filter === fetch.filter) continue;
    if (!then.keys.some(key => !fetch.keys.includes(key)) || fetch.matched > 0) continue;
    return findMissedObject(reader, run, at);
  }
  return undefined;
}

/** The command that makes the two match at the asked moment: both may have changed since the run. */
export function fixCommandFor(
  reader: RerunReader,
  {collection, input}: RecordedRun,
  candidate: MissedObject,
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
  return describeMismatch(records, row, {facts, key: candidate.key}, side, at).command;
}

/** The first empty path among those that were read. */
function firstEmptyPath(value: unknown, paths: readonly string[] | undefined): string | undefined {
  return paths?.find(path => isEmptyValue(readPath(value, path)));
}

/** The changed path behind a failing clause: a label or a selector. */
function pathOfClause(failing: EvidenceClause | undefined, change: RecordedChange): string | undefined {
  const paths = change.event === 'update' ? rankChanges(changedPaths(change.old, change.new)) : [];
  const name = failing?.clause.split('.').slice(1).join('.');
  return (paths.find(one => name !== undefined && one.path.includes(name)) ?? paths[0])?.path;
}

/** The evidence of a step about a missed object. */
export function missedObjectEvidence(
  {collection, key, rows}: MissedObject,
  run: RecordedRun,
): {candidate: {collection: string; key: string}; clauses: EvidenceClause[]; fetch?: string} {
  const fetch = run.fetches.find(one => one.collection === collection && one.matched === 0);
  return {
    candidate: {collection, key},
    clauses: [...rows],
    ...(fetch ? {fetch: fetchWords(collection, fetch.filter)} : {}),
  };
}
