// Why something is like this: where the walk of origin-walk.ts begins, for a row, a field or an input without a row, and
// the answer that it comes back with.
import type {Origin} from '@krtscope/shared/origin.ts';
import {readPath} from '@krtscope/shared/path.ts';
import {same} from './diff.ts';
import {walkInput} from './origin-input.ts';
import {Walk} from './origin-walk.ts';
import {type About, joined, stateParts} from './origin-words.ts';
import type {Reader} from './reads.ts';
import type {RecordedChange, Records} from './records.ts';
import {plain} from './sentence.ts';
import {type Asked, subjectOf} from './subject.ts';

/** The last change that altered a path of a row, or the row; `older`: there was one that is no longer kept. */
function lastAltering(
  records: Records,
  {collection, key, field}: About,
  at: number,
): RecordedChange | 'older' | undefined {
  for (const change of records.changesOf(collection, key, at)) {
    if (change.sequence < records.oldest()) return 'older';
    if (field === undefined || change.event !== 'update') return change;
    if (!same(readPath(change.old, field), readPath(change.new, field))) return change;
  }
  return records.has(collection, key, at) ? 'older' : undefined;
}

/** Throws RolledOff for a moment that is gone, Unanswerable for what never was. */
export function origin(
  records: Records,
  reader: Reader,
  asked: Asked & {readonly field?: string | undefined},
): Origin {
  const at = asked.at ?? records.newest();
  const {collection, key, field} = asked;
  const walk = new Walk(reader, at);
  const row = rowOf(records, asked, at);
  if (row === undefined) walkInput(walk, collection, inputOf(records, asked), at);
  else {
    const about: About = {collection, key: row, field};
    const change = lastAltering(records, about, at);
    if (change !== 'older' && change !== undefined) walk.follow({change, field});
    else if (field === undefined || !walk.stillEmpty({collection, key: row, field}, at)) walk.older();
  }
  const about: About = {collection, key: row ?? key, field};
  const there = row !== undefined && records.has(collection, row, at);
  const value = there ? records.value(collection, key, at) : undefined;
  const end = stateParts(about, there, field === undefined ? value : readPath(value, field));
  // The topmost step says of the asked row what it is now; only a walk of none needs it said apart.
  const [top, ...rest] = walk.pieces;
  const parts = joined(walk.written, rest.toReversed(), top ?? end);
  return {
    sequence: at,
    collection,
    key,
    ...(field === undefined ? {} : {field}),
    sentence: plain(parts),
    parts,
    write: walk.write,
    steps: walk.steps,
    ...(walk.fix === undefined ? {} : {fix: walk.fix}),
  };
}

/**
 * The row that is asked about: of an input the first one it has, unless its last run left that behind; undefined for an
 * input without any.
 */
function rowOf(records: Records, asked: Asked, at: number): string | undefined {
  const {collection, key} = asked;
  const isInput = asked.input === true || !isKnown(records, asked);
  const own = isInput ? inputOf(records, asked) : subjectOf(records, {collection, key, at: asked.at}).key;
  if (!isInput && (records.has(collection, own, at) || !records.hasInput(collection, own, at))) return own;
  const isInputHere = records.hasInput(collection, own, at);
  const last = isInputHere ? records.lastRun(collection, own, at)?.outcome : undefined;
  return last === undefined || last === 'failed' || last === 'suspended'
    ? undefined
    : records.outputsOf(collection, own, at)[0];
}

/** What is made from nothing has one input, without a name. */
function inputOf(records: Records, {collection, key, at}: Asked): string {
  return !records.hasInput(collection, key, at) && records.hasInput(collection, '', at) ? '' : key;
}

/** A key that is neither a row nor an input here may be one further up: an empty cell of the Sheet at any depth. */
function isKnown(records: Records, asked: Asked): boolean {
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
