// Why something is like this: where the walk of origin-walk.ts begins, for a row, a field or an input without a row, and
// the answer that it comes back with.
import type {Origin} from '@krtscope/shared/origin.ts';
import {readPath} from '@krtscope/shared/path.ts';
import {same} from './diff.ts';
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
  const {collection, key, input, field} = asked;
  const walk = new Walk(reader, at);
  const isInput = input === true || !isKnown(records, asked);
  if (isInput) walk.input(collection, key, at);
  else {
    const {key: own} = subjectOf(records, {collection, key, at: asked.at});
    const about: About = {collection, key: own, field};
    if (!records.has(collection, own, at) && records.hasInput(collection, own, at))
      walk.input(collection, own, at);
    else {
      const change = lastAltering(records, about, at);
      if (change === 'older' || change === undefined) walk.older();
      else walk.follow({change, field});
    }
  }
  const about: About = {collection, key, field};
  const there = !isInput && records.has(collection, key, at);
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

/** A key that is neither a row nor an input here may be one further up: an empty cell of the Sheet at any depth. */
function isKnown(records: Records, asked: Asked): boolean {
  try {
    subjectOf(records, {collection: asked.collection, key: asked.key, at: asked.at});
    return true;
  } catch (error) {
    const upstream = ancestorsOf(records, asked.collection);
    const at = asked.at;
    if (upstream.some(name => records.has(name, asked.key, at) || records.hasInput(name, asked.key, at)))
      return false;
    throw error;
  }
}

function ancestorsOf(records: Records, collection: string): string[] {
  const found: string[] = [];
  const queue = [collection];
  for (let name = queue.pop(); name !== undefined; name = queue.pop())
    for (const parent of records.collection(name)?.parents ?? [])
      if (!found.includes(parent)) {
        found.push(parent);
        queue.push(parent);
      }
  return found;
}
