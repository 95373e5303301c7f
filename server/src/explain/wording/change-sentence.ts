// What a change did to an object: the words after its name.
import {readPath} from '@krtscope/shared/path.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {ChangeEventType} from '@krtscope/shared/vocabulary.ts';
import type {PathChange, SentencePart} from '@krtscope/shared/why.ts';
import {cause, code, joinParts, outcomeWord, say, subject} from './say.ts';
import {countWords, pathWords, valueWords} from './value-words.ts';

/** What became of an object as a whole, where its paths do not tell it. */
export type WholeChange = 'replaced' | 'deleting' | 'values-lost' | undefined;

/** Paths that a sentence names; the others are counted. */
const NAMED_PATHS = 3;

/** "changed label app from web to wbe", "got label app=web", "lost label app (was web)". */
export function pathChangeParts({path, old, new: now}: Pick<PathChange, 'path' | 'old' | 'new'>) {
  const {noun, name} = pathWords(path);
  // A value without fields has no path.
  if (name === '') return say`changed from ${code(valueWords(old))} to ${code(valueWords(now), 'changed')}`;
  if (old === undefined)
    return noun === ''
      ? say`got ${code(name)} ${code(valueWords(now), 'changed')}`
      : say`got ${noun}${code(name)}=${code(valueWords(now), 'changed')}`;
  if (now === undefined) return say`lost ${noun}${code(name)} (was ${code(valueWords(old))})`;
  return say`changed ${noun}${code(name)} from ${code(valueWords(old))} to ${code(valueWords(now), 'changed')}`;
}

/** The paths that count come first in `changes`; those that made the difference are all named. */
export function changeParts(
  event: ChangeEventType,
  changes: readonly PathChange[],
  whole?: WholeChange,
): SentencePart[] {
  if (event === 'add') return say`was added`;
  if (event === 'delete') return say`was deleted`;
  if (whole === 'replaced') return say`was replaced by another object of the same name (new uid)`;
  const [first, ...rest] = changes;
  if (first === undefined)
    return whole === 'values-lost'
      ? say`changed (the values before and after are no longer kept)`
      : say`was written again without a visible difference`;
  if (whole === 'deleting' && (first.needed !== true || first.path === 'metadata.deletionTimestamp'))
    return say`is being deleted`;
  const named = [first, ...rest.filter(one => one.needed === true)].slice(0, NAMED_PATHS);
  const others = rest.filter(one => one.read !== false && !named.includes(one)).length;
  return say`${joinParts(named.map(pathChangeParts), ' and ')}${others > 0 ? ` and ${countWords(others, 'more path')}` : ''}`;
}

/** One path of a change, or the change as a whole. */
export function changeOfPathParts(
  {event, old, new: now}: {event: ChangeEventType; old?: unknown; new?: unknown},
  path: string | undefined,
): SentencePart[] {
  if (event !== 'update' || path === undefined || path === '')
    return event === 'update' ? say`changed` : changeParts(event, []);
  return pathChangeParts({path, old: readPath(old, path), new: readPath(now, path)});
}

/** "written by helm". */
export function writerParts(writer: {manager: string} | undefined): SentencePart[] {
  return writer === undefined ? [] : say`, written by ${code(writer.manager)}`;
}

/** A change that only a program's report shows. */
export function observedParts(about: ItemRef, event: ChangeEventType | undefined): SentencePart[] {
  const how = event === undefined ? '' : ` ${{add: 'added', update: 'changed', delete: 'deleted'}[event]}`;
  return say`${subject(about)} was ${outcomeWord('observed')}${how}. ${NO_REASON}`;
}

/** The log of a program names a run and leaves several possible causes, or none. */
export function unknownCauseParts(candidates: readonly ItemRef[]): SentencePart[] {
  if (candidates.length === 0) return say`the log does not say which change made it run`;
  const named = candidates.slice(0, NAMED_PATHS).map(one => [cause(one)]);
  const others = candidates.length - named.length;
  const more = others > 0 ? ` or ${countWords(others, 'other change')}` : '';
  return say`the log does not say whether ${joinParts(named, ' or ')}${more} caused it`;
}

export const NO_REASON = 'The program does not say why';
