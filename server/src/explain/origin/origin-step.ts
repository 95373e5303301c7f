// One step of an origin as the wire has it, with the evidence that it stands on.
import type {OriginCause, OriginStep, OriginWrite, StepEvidence, StepKind} from '@krtscope/shared/origin.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {rankChanges, rankRowChanges} from '../evidence/change-rank.ts';
import {changedPaths} from '../evidence/diff.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {parentAt} from '../evidence/graph-at.ts';
import {isDeleting, isReplaced} from '../evidence/object-lifetime.ts';
import type {RerunFidelity} from '../evidence/rerun.ts';
import type {RecordedChange, RecordedRun} from '../records.ts';
import {toWireCause} from '../why/cause-chain.ts';
import type {WeightedCause} from '../why/decisive-causes.ts';
import type {ExplainTarget, TargetContext} from '../why/explain-target.ts';
import type {OriginSubject} from '../wording/origin-sentence.ts';
import {type ChangeWords, readValuesParts} from '../wording/origin-step-sentence.ts';
import {toPlainText} from '../wording/say.ts';

/** Causes shown of one step. */
const MAX_CAUSES = 20;
/** A run that read more paths says nothing by naming them. */
const MAX_READ_PATHS = 3;

export function toWrite(
  change: RecordedChange,
  path: string | undefined,
  manager: string | undefined,
): OriginWrite {
  const versions = {before: change.old, after: change.new};
  const valueIn = (object: unknown): unknown => (path === undefined ? undefined : readPath(object, path));
  const [old, now] = [valueIn(change.old), valueIn(change.new)];
  return {
    collection: change.collection,
    key: change.key,
    event: change.event,
    ...(path === undefined ? {} : {path}),
    ...(old === undefined ? {} : {old}),
    ...(now === undefined ? {} : {new: now}),
    ...(manager === undefined ? {} : {manager}),
    sequence: change.sequence,
    time: new Date(Math.round(change.at)).toISOString(),
    ...(isReplaced(versions) ? {replaced: true} : {}),
    ...(isDeleting(versions) ? {deleting: true} : {}),
  };
}

export function stepOf(
  {collection, key}: OriginSubject,
  kind: StepKind,
  parts: SentencePart[],
  evidence: StepEvidence,
  run?: string,
): OriginStep {
  return {
    collection,
    key,
    kind,
    sentence: toPlainText(parts),
    parts,
    ...(run === undefined ? {} : {run}),
    evidence,
  };
}

/** A change with the path to name; without one the path that ranks first. */
export function changeWordsOf(change: RecordedChange, path?: string): ChangeWords {
  const {collection, key, event, old, new: now} = change;
  const rank = change.root ? rankChanges : rankRowChanges;
  const named = path ?? (event === 'update' ? rank(changedPaths(old, now))[0]?.path : undefined);
  return {collection, key, event, old, new: now, path: named};
}

/** The paths of its input that a run went by, where they are few. */
export function readInputParts(reader: RerunReader, run: RecordedRun): SentencePart[] {
  const parent = parentAt(reader.records, run.collection, run.sequence);
  const read = reader.rerun(run).reads.find(one => one.collection === parent && one.key === run.input);
  if (parent === undefined || !read || read.paths.length > MAX_READ_PATHS) return [];
  const value = reader.records.value(parent, run.input, run.sequence);
  return readValuesParts(read.paths.map(path => ({path, value: readPath(value, path)})));
}

export function targetOf({key, field}: OriginSubject, context: TargetContext = {}): ExplainTarget {
  return field === undefined ? {kind: 'row', key, ...context} : {kind: 'field', key, path: field, ...context};
}

export function stepEvidenceOf(
  change: {sequence: number; at: number; event?: RecordedChange['event']},
  more: Partial<StepEvidence> & {
    faith?: RerunFidelity;
    weighed?: readonly WeightedCause[];
    followed?: WeightedCause | undefined;
  },
): StepEvidence {
  const {faith, weighed = [], followed, ...rest} = more;
  const causes = weighed.slice(0, MAX_CAUSES).map(
    (one): OriginCause => ({
      ...toWireCause(one.cause),
      weight: one.weight,
      ...(one === followed ? {followed: true} : {}),
    }),
  );
  return {
    sequence: change.sequence,
    at: Math.round(change.at),
    ...(change.event ? {event: change.event} : {}),
    changes: [],
    causes,
    causeCount: weighed.length,
    repeat: faith?.repeat ?? 'none',
    ...(faith?.note === undefined ? {} : {note: faith.note}),
    clauses: [],
    ...rest,
  };
}
