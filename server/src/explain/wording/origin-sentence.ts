// The sentence of an origin: the conclusion, then the write behind it, then what followed from that write.
import type {OriginWrite} from '@krtscope/shared/origin.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {SentencePart} from '@krtscope/shared/why.ts';
import {capitalized, cause, code, joinParts, say, subject} from './say.ts';
import {clockTime, pathWords, valueWords} from './value-words.ts';

/** What an origin is asked about: a row, or one path of it. */
export interface OriginSubject extends ItemRef {
  readonly field?: string | undefined;
}

function pathParts(path: string): SentencePart[] {
  const {noun, name} = pathWords(path);
  return say`${noun}${code(name)}`;
}

/** "kubectl-label changed label app of Pod shop/x from orders to order at 15:04:12 (#38)". */
export function writeParts(write: OriginWrite, isListed: boolean): SentencePart[] {
  const {event, path, manager, replaced, sequence} = write;
  const object = cause(write);
  const when = ` at ${clockTime(write.time)} (#${sequence})`;
  const by = manager === undefined ? undefined : say` by ${code(manager)}`;
  if (isListed)
    return say`${object} already existed when ${write.collection} were first listed (#${sequence})`;
  if (event === 'add') return say`${object} was created${by}${when}`;
  if (event === 'delete') return say`${object} was deleted${by}${when}`;
  if (replaced) return say`${object} was replaced by another object of the same name (new uid)${by}${when}`;
  if (path === undefined || path === '')
    return write.deleting
      ? say`the deletion of ${object} was requested${by}${when}`
      : say`${object} was written${by}${when}`;
  return pathWriteParts(write, path, object, when);
}

function pathWriteParts(write: OriginWrite, path: string, object: SentencePart, when: string) {
  const {old, new: now, manager} = write;
  const what = pathParts(path);
  const [was, is] = [code(valueWords(old)), code(valueWords(now), 'changed')];
  if (manager === undefined) {
    if (old === undefined) return say`${what} of ${object} was set to ${is}${when}`;
    if (now === undefined) return say`${what} of ${object} was removed (it was ${was})${when}`;
    return say`${what} of ${object} changed from ${was} to ${is}${when}`;
  }
  const who = code(manager);
  if (old === undefined) return say`${who} set ${what} of ${object} to ${is}${when}`;
  if (now === undefined) return say`${who} removed ${what} of ${object} (it was ${was})${when}`;
  return say`${who} changed ${what} of ${object} from ${was} to ${is}${when}`;
}

/** A path of an object that a write set directly: "Pod x has been in CrashLoopBackOff since 17:38:19 (set by kubelet)". */
export function directWriteParts(write: OriginWrite & {path: string}): SentencePart[] {
  const {path, old, new: now, manager, time} = write;
  const since = clockTime(time);
  const by = manager === undefined ? undefined : say`set by ${code(manager)}`;
  const isReason = /state\.waiting\.reason$/.test(path) && typeof now === 'string';
  if (isReason) {
    const set = by === undefined ? undefined : say` (${by})`;
    return say`${cause(write)} has been in ${code(valueWords(now), 'changed')} since ${since}${set}`;
  }
  const before = old === undefined ? undefined : say`before: ${code(valueWords(old))}`;
  const notes = [by, before].filter(one => one !== undefined);
  const note = notes.length === 0 ? undefined : say` (${joinParts(notes, ', ')})`;
  return now === undefined
    ? say`${pathParts(path)} of ${cause(write)} has not been set since ${since}${note}`
    : say`${pathParts(path)} of ${cause(write)} has been ${code(valueWords(now), 'changed')} since ${since}${note}`;
}

/** What is asked about, as it is: "services of Workload x is []". */
export function stateParts(about: OriginSubject, exists: boolean, value: unknown): SentencePart[] {
  if (!exists) return say`${about} does not exist`;
  if (about.field === undefined) return say`${about} exists`;
  const path = say`${pathParts(about.field)} of ${about}`;
  return value === undefined
    ? say`${path} is not set`
    : say`${path} is ${code(valueWords(value), 'changed')}`;
}

export interface OriginWords {
  /** What a lookup did not find, in words of Kubernetes; it goes first. */
  readonly conclusion: SentencePart[] | undefined;
  /** What each step adds, from what is asked about down to the write. */
  readonly pieces: readonly SentencePart[][];
  /** The write, or why there is none. */
  readonly end: SentencePart[];
  readonly isWrite: boolean;
}

export function originParts({conclusion, pieces, end, isWrite}: OriginWords): SentencePart[] {
  const [top, ...rest] = pieces;
  if (top === undefined) return say`${capitalized(end)}.`;
  const chain = conclusion === undefined ? rest : pieces;
  const followed = chain.toReversed().flatMap(piece => say`, so ${piece}`);
  const lead = capitalized(conclusion ?? top);
  // Without a write the rows follow from what the lookup did not find.
  return isWrite
    ? say`${lead}. ${capitalized(end)}${followed}.`
    : say`${lead}${conclusion === undefined ? undefined : followed}. ${capitalized(end)}.`;
}

export function olderParts(oldest: number): SentencePart[] {
  return say`what made it so is older than the recording, which begins at #${oldest}`;
}

export const noWriteParts: SentencePart[] = say`no write caused this`;

export function unknownNameParts(about: ItemRef): SentencePart[] {
  return say`${subject(about)} is not in the recording`;
}

/** What started a run that no write led to. */
export type WakeUp =
  | {readonly kind: 'formula'}
  | {readonly kind: 'trigger'; readonly trigger: string | undefined}
  | {readonly kind: 'synced'; readonly collection: string | undefined};

export function wakeUpParts(wakeUp: WakeUp, sequence: number): SentencePart[] {
  if (wakeUp.kind === 'formula') return say`its formula was set in #${sequence}`;
  if (wakeUp.kind === 'trigger') return say`${wakeUp.trigger ?? 'its trigger'} was triggered in #${sequence}`;
  return say`it ran when ${wakeUp.collection ?? 'the collection that it waited for'} synced in #${sequence}, and no lookup found anything`;
}
