// The words of an origin: the write first, then what followed from it, step by step up to what was asked about.
import type {OriginCause, OriginStep, OriginWrite, StepEvidence, StepKind} from '@krtscope/shared/origin.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {changedPaths} from '../evidence/diff.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {parentAt} from '../evidence/graph-at.ts';
import type {RerunFidelity} from '../evidence/rerun.ts';
import {syncBlockersOf} from '../evidence/sync-blockers.ts';
import type {RecordedChange, RecordedRun, Records} from '../records.ts';
import {toWireCause} from '../why/cause-chain.ts';
import {
  type ExplainTarget,
  isEmptyValue,
  type RelevanceTest,
  type WeightedCause,
} from '../why/decisive-causes.ts';
import {
  code,
  isDeleting,
  isReplaced,
  item,
  pathWords,
  rankChanges,
  text,
  toPlainText,
  valueWords,
} from './sentence.ts';
import {momentBlocked} from './why-sentence.ts';

/** Causes shown of one step. */
const CAUSES = 20;

/** What a step is about: a row, or one path of it. */
export interface OriginSubject {
  readonly collection: string;
  readonly key: string;
  readonly field?: string | undefined;
}

/** 15:04:12, UTC. */
export function clockTime(time: string): string {
  return time.slice(11, 19);
}

export function toWrite(
  change: RecordedChange,
  path: string | undefined,
  manager: string | undefined,
): OriginWrite {
  const versions = {before: change.old, after: change.new};
  const value = (from: unknown): unknown => (path === undefined ? undefined : readPath(from, path));
  const [old, now] = [value(change.old), value(change.new)];
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

/** "kubectl-label changed label app of Pods/shop/x from orders to order at 15:04:12 (#38)". */
export function writeParts(write: OriginWrite, listed: boolean): SentencePart[] {
  const {event, path, manager, replaced} = write;
  const named = item(write, 'cause');
  const when = text(` at ${clockTime(write.time)} (#${write.sequence})`);
  const by: SentencePart[] = manager === undefined ? [] : [text(' by '), code(manager)];
  if (listed)
    return [named, text(` was there when ${write.collection} was first listed (#${write.sequence})`)];
  if (event === 'add') return [named, text(' was created'), ...by, when];
  if (event === 'delete') return [named, text(' was deleted'), ...by, when];
  if (replaced) return [named, text(' was replaced by another object of its name (new uid)'), ...by, when];
  if (path === undefined || path === '')
    return write.deleting
      ? [named, text(' was asked to go (its deletion was requested)'), ...by, when]
      : [named, text(' was written'), ...by, when];
  const {noun, name} = pathWords(path);
  const what: SentencePart[] = [
    code(name),
    text(' of '),
    named,
    text(' from '),
    code(valueWords(write.old)),
    text(' to '),
    code(valueWords(write.new), 'changed'),
    when,
  ];
  return manager === undefined
    ? [text(noun === '' ? '' : `${noun}`), ...what.slice(0, 3), text(' changed'), ...what.slice(3)]
    : [code(manager), text(` changed ${noun}`), ...what];
}

/** "services of Workloads/shop/x is []", "WorkloadServices/shop/x/orders is gone". */
export function stateParts(about: OriginSubject, there: boolean, value: unknown): SentencePart[] {
  const named = item(about);
  if (!there) return [named, text(' is not there')];
  if (about.field === undefined) return [named, text(' is as it is')];
  const {noun, name} = pathWords(about.field);
  return [
    text(noun),
    code(name),
    text(' of '),
    named,
    text(isEmptyValue(value) && value === undefined ? ' is not set' : ' is '),
    ...(value === undefined ? [] : [code(valueWords(value), 'changed')]),
  ];
}

export function stepOf(
  about: OriginSubject,
  kind: StepKind,
  parts: SentencePart[],
  evidence: StepEvidence,
  run?: string,
): OriginStep {
  const {collection, key} = about;
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

/** Sentences joined: the write, then what follows, then what was asked about. */
export function joinParts(
  write: SentencePart[],
  middle: readonly SentencePart[][],
  end: SentencePart[],
): SentencePart[] {
  const parts: SentencePart[] = [...write];
  for (const [at, piece] of [...middle, end].entries()) parts.push(text(at === 0 ? ': ' : ', so '), ...piece);
  return [...parts, text('.')];
}

/** "changed services from [a] to []", "was added". */
export function changeVerbParts(change: RecordedChange, path: string | undefined): SentencePart[] {
  if (change.event === 'add') return [text('was added')];
  if (change.event === 'delete') return [text('was deleted')];
  if (path === undefined || path === '') return [text('changed')];
  return [
    text('changed '),
    code(path),
    text(' from '),
    code(valueWords(readPath(change.old, path))),
    text(' to '),
    code(valueWords(readPath(change.new, path)), 'changed'),
  ];
}

export function rowChangeParts(
  about: OriginSubject,
  change: RecordedChange | undefined,
  run?: RecordedRun,
): SentencePart[] {
  if (change) {
    const path =
      about.field ??
      (change.event === 'update' ? rankChanges(changedPaths(change.old, change.new))[0]?.path : undefined);
    return [item(about), text(' '), ...changeVerbParts(change, path)];
  }
  if (run?.outcome === 'deleted') return [item(about), text(' lost its rows')];
  return emptyValueParts(about, undefined);
}

export function emptyValueParts(about: OriginSubject, change: RecordedChange | undefined): SentencePart[] {
  if (about.field !== undefined) return [code(about.field), text(' of '), item(about), text(' is empty')];
  return change ? rowChangeParts(about, change) : [item(about), text(' has no row')];
}

/** "; it read status.phase Pending": what the formula went by, where that is little. */
export function readPathParts(reader: RerunReader, run: RecordedRun): SentencePart[] {
  const parent = parentAt(reader.records, run.collection, run.sequence);
  const read = reader.rerun(run).reads.find(one => one.collection === parent && one.key === run.input);
  if (parent === undefined || !read || read.paths.length > 3) return [];
  const value = reader.records.value(parent, run.input, run.sequence);
  return read.paths.flatMap((path, at) => [
    text(at === 0 ? '; it read ' : ', '),
    code(path),
    text(' '),
    code(valueWords(readPath(value, path)), 'error'),
  ]);
}

export function targetOf({key, field}: OriginSubject, matters?: RelevanceTest): ExplainTarget {
  return field === undefined ? {kind: 'row', key, matters} : {kind: 'field', key, path: field, matters};
}

/** What a step stands on. */
export function stepEvidenceOf(
  change: {sequence: number; at: number; event?: RecordedChange['event']},
  more: Partial<StepEvidence> & {
    faith?: RerunFidelity;
    weighed?: readonly WeightedCause[];
    followed?: WeightedCause | undefined;
  },
): StepEvidence {
  const {faith, weighed = [], followed, ...rest} = more;
  const causes = weighed.slice(0, CAUSES).map(
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

/** "x waits for Namespaces, which is forbidden (403)". */
export function suspendedParts(
  records: Records,
  about: OriginSubject,
  run: RecordedRun,
  asked: number,
): SentencePart[] {
  const waits = run.waitingFor ?? 'a collection';
  const holders = syncBlockersOf(records, waits, momentBlocked(records, run, asked));
  const last = holders[holders.length - 1];
  const reason = last?.reason === undefined ? '' : ` (${last.reason})`;
  return [
    item(about),
    text(' waits for '),
    code(waits),
    ...(last
      ? [text(`, ${last.collection === waits ? 'which' : last.collection} is ${last.state}${reason}`)]
      : []),
  ];
}
