// Answers where a value comes from: starts the walk at a row, a field or an input without a row, and words its result.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import type {Origin} from '@krtscope/shared/origin.ts';
import {readPath} from '@krtscope/shared/path.ts';
import type {RerunReader} from '../evidence/field-reads.ts';
import {type ItemQuestion, subjectOf} from '../evidence/question-subject.ts';
import type {RecordedChange, Records} from '../records.ts';
import {type OriginSubject, originParts, stateParts} from '../wording/origin-sentence.ts';
import {toPlainText} from '../wording/say.ts';
import {walkFromInput} from './empty-input.ts';
import {OriginWalk} from './origin-walk.ts';

/** The last change of a path of a row, or of the row; `older`: the recording no longer has it. */
function lastAlteringChange(
  records: Records,
  {collection, key, field}: OriginSubject,
  at: number,
): RecordedChange | 'older' | undefined {
  for (const change of records.changesOf(collection, key, at)) {
    if (change.sequence < records.oldest()) return 'older';
    if (field === undefined || change.event !== 'update') return change;
    if (!deepEqual(readPath(change.old, field), readPath(change.new, field))) return change;
  }
  return records.has(collection, key, at) ? 'older' : undefined;
}

/** Throws RolledOff for a moment that is no longer kept, Unanswerable for names that never existed. */
export function findOrigin(
  records: Records,
  reader: RerunReader,
  asked: ItemQuestion & {readonly field?: string | undefined},
): Origin {
  const at = asked.at ?? records.newest();
  const {collection, key, field} = asked;
  const walk = new OriginWalk(reader, at);
  const row = findRow(records, asked, at);
  if (row === undefined) walkFromInput(walk, collection, inputOf(records, asked), at);
  else {
    const about: OriginSubject = {collection, key: row, field};
    const change = lastAlteringChange(records, about, at);
    if (change !== 'older' && change !== undefined) walk.follow({change, field});
    else if (field === undefined || !walk.walkIfStillEmpty({collection, key: row, field}, at))
      walk.endBeforeRecording();
  }
  const about: OriginSubject = {collection, key: row ?? key, field};
  const there = row !== undefined && records.has(collection, row, at);
  const value = there ? records.value(collection, key, at) : undefined;
  const state = stateParts(about, there, field === undefined ? value : readPath(value, field));
  const {conclusion, pieces, endParts: end} = walk;
  // A walk that ends before its first step says nothing of the row: its state stands for the step.
  const isWrite = walk.write !== null;
  const isStateNeeded = pieces.length === 0 && !isWrite;
  const parts = originParts({conclusion, pieces: isStateNeeded ? [state] : pieces, end, isWrite});
  return {
    sequence: at,
    collection,
    key,
    ...(field === undefined ? {} : {field}),
    sentence: toPlainText(parts),
    parts,
    write: walk.write,
    ...(walk.isUnknown ? {unknown: true, candidates: walk.candidates} : {}),
    ...(walk.isProbable ? {probable: true} : {}),
    ...(walk.isInferred ? {inferred: true} : {}),
    steps: walk.steps,
    ...(walk.fix === undefined ? {} : {fix: walk.fix}),
    ...(walk.fixNote === undefined ? {} : {fixNote: walk.fixNote}),
  };
}

/** The asked row. Of an input it is the first row, unless the last run left that behind; undefined where there is none. */
function findRow(records: Records, asked: ItemQuestion, at: number): string | undefined {
  const {collection, key} = asked;
  const isInput = asked.input === true || !isRowOrInput(records, asked);
  const rowKey = isInput ? inputOf(records, asked) : subjectOf(records, {collection, key, at: asked.at}).key;
  if (!isInput && (records.has(collection, rowKey, at) || !records.hasInput(collection, rowKey, at)))
    return rowKey;
  const isInputHere = records.hasInput(collection, rowKey, at);
  const last = isInputHere ? records.lastRun(collection, rowKey, at)?.outcome : undefined;
  return last === undefined || last === 'failed' || last === 'suspended'
    ? undefined
    : records.outputsOf(collection, rowKey, at)[0];
}

/** A collection without a parent has one input, with an empty key. */
function inputOf(records: Records, {collection, key, at}: ItemQuestion): string {
  return !records.hasInput(collection, key, at) && records.hasInput(collection, '', at) ? '' : key;
}

/** A key that is neither a row nor an input here may be one of an ancestor: the Sheet asks with the key of its first column. */
function isRowOrInput(records: Records, asked: ItemQuestion): boolean {
  try {
    subjectOf(records, {collection: asked.collection, key: asked.key, at: asked.at});
    return true;
  } catch (error) {
    const upstream = ancestorsOf(records, asked.collection, asked.at);
    const at = asked.at;
    if (upstream.some(name => records.has(name, asked.key, at) || records.hasInput(name, asked.key, at)))
      return false;
    throw error;
  }
}

function ancestorsOf(records: Records, collection: string, at: number | undefined): string[] {
  const found: string[] = [];
  const queue = [collection];
  for (let name = queue.pop(); name !== undefined; name = queue.pop())
    for (const parent of records.collection(name, at)?.parents ?? [])
      if (!found.includes(parent)) {
        found.push(parent);
        queue.push(parent);
      }
  return found;
}
