// Plain words: parts of a sentence, what changed in an object, which fetch matched. Leaves finding the facts to others.
import {parsePath} from '@krtscope/shared/path.ts';
import type {ItemRef} from '@krtscope/shared/run.ts';
import type {ChangeEventType, RunOutcome} from '@krtscope/shared/vocabulary.ts';
import type {PathChange, SentencePart} from '@krtscope/shared/why.ts';

export function text(words: string): SentencePart {
  return {text: words};
}

export function item(ref: ItemRef, role?: 'subject' | 'cause' | 'effect'): SentencePart {
  return {item: {collection: ref.collection, key: ref.key}, ...(role ? {role} : {})};
}

export function code(words: string, mark?: 'changed' | 'error'): SentencePart {
  return {code: words, ...(mark ? {mark} : {})};
}

/** An item by its full name; a singleton's only item goes by its collection's. */
export function nameOf(ref: ItemRef): string {
  return ref.key === '' ? ref.collection : `${ref.collection}/${ref.key}`;
}

/** The sentence as one line of text. */
export function toPlainText(parts: readonly SentencePart[]): string {
  return parts
    .map(part => {
      if ('text' in part) return part.text;
      if ('item' in part) return nameOf(part.item);
      if ('code' in part) return part.code;
      return part.outcome;
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A value short enough to stand in a sentence. */
export function valueWords(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (value === '') return '""';
  const words = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return words.length > 60 ? `${words.slice(0, 57)}…` : words;
}

/** `label app`, `annotation x`, or the path itself. */
export function pathWords(path: string): {noun: string; name: string} {
  const segments = parsePath(path);
  const at = segments.findIndex(s => s === 'labels' || s === 'annotations');
  const own = at === 0 || (at === 1 && segments[0] === 'metadata');
  if (own && segments.length === at + 2)
    return {noun: segments[at] === 'labels' ? 'label ' : 'annotation ', name: segments[at + 1]!};
  return {noun: '', name: path};
}

/** Which change to name when several paths differ: what the formula reads, then what people write, then the rest. */
function rankOfChange(change: PathChange): number {
  let cost = 0;
  if (change.needed === true) cost -= 1000;
  if (change.read === true) cost -= 100;
  if (change.read === false) cost += 30;
  const path = change.path;
  if (/(^|\.)labels(\[|\.)/.test(path)) cost -= 20;
  else if (path.startsWith('spec')) cost -= 10;
  else if (/annotations/.test(path)) cost += 10;
  if (/time(stamp)?$|probe|heartbeat|observedGeneration/i.test(path)) cost += 40;
  return cost + path.length / 100;
}

export function rankChanges(changes: readonly PathChange[]): PathChange[] {
  return [...changes].sort((a, b) => rankOfChange(a) - rankOfChange(b));
}

interface BeforeAndAfter {
  readonly before?: unknown;
  readonly after?: unknown;
}

function metadataOf(value: unknown): Record<string, unknown> {
  const metadata = (value as {metadata?: unknown} | undefined)?.metadata;
  return typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : {};
}

/** Another object of the same name: Kubernetes gives each its own uid. */
export function isReplaced({before, after}: BeforeAndAfter): boolean {
  const [old, now] = [metadataOf(before).uid, metadataOf(after).uid];
  return typeof old === 'string' && typeof now === 'string' && old !== now;
}

/** Somebody asked for its deletion with this write; it goes when its finalizers and its grace period allow. */
export function isDeleting({before, after}: BeforeAndAfter): boolean {
  return (
    before !== undefined &&
    metadataOf(before).deletionTimestamp === undefined &&
    metadataOf(after).deletionTimestamp !== undefined
  );
}

/** "changed label x from a to b and 2 more paths", "was added", "was deleted", "was replaced by another of its name". */
export function changeParts(
  event: ChangeEventType,
  changes: readonly PathChange[],
  versions: BeforeAndAfter | undefined = {before: null, after: null},
): SentencePart[] {
  if (event === 'add') return [text('was added')];
  if (event === 'delete') return [text('was deleted')];
  if (isReplaced(versions)) return [text('was replaced by another object of its name (new uid)')];
  const [first, ...rest] = rankChanges(changes);
  const known = versions.before !== undefined && versions.after !== undefined;
  if (!first && !known) return [text('changed (before and after are no longer kept)')];
  if (!first) return [text('was written again without a visible difference')];
  if (isDeleting(versions) && (first.needed !== true || first.path === 'metadata.deletionTimestamp'))
    return [text('was asked to go (its deletion was requested)')];
  const {noun, name} = pathWords(first.path);
  const parts = [
    // A value that is no object has no path in it.
    ...(name === '' ? [text('changed')] : [text(`changed ${noun}`), code(name)]),
    text(' from '),
    code(valueWords(first.old)),
    text(' to '),
    code(valueWords(first.new), 'changed'),
  ];
  const seen = rest.filter(c => c.read !== false);
  if (seen.length > 0) parts.push(text(` and ${seen.length} more ${seen.length === 1 ? 'path' : 'paths'}`));
  return parts;
}

/** What a run did, as the verb of its sentence. */
export function outcomeParts(
  outcome: RunOutcome,
  details: {first: boolean; error?: string | undefined},
): SentencePart[] {
  const ran = details.first ? 'was computed' : 'recomputed';
  switch (outcome) {
    case 'added':
      return [text('was '), {outcome}];
    case 'deleted':
      return [text('was '), {outcome}];
    case 'changed':
      return [text(`${ran} and `), {outcome}];
    case 'equal':
      return [text(`${ran} and stayed `), {outcome}];
    case 'empty':
      return [text(`${details.first ? 'ran' : 'ran again'} and came out `), {outcome}];
    case 'discarded':
      return [text('ran and '), {outcome}, text(' its result')];
    case 'failed':
      return [
        text('ran and '),
        {outcome},
        ...(details.error ? [text(' with '), code(firstLine(details.error), 'error')] : []),
      ];
    case 'suspended':
      return [text('is '), {outcome}];
    case 'observed':
      return [text('was '), {outcome}];
  }
}

export function firstLine(error: string): string {
  const line = error.split('\n', 1)[0]!;
  return line.length > 200 ? `${line.slice(0, 197)}…` : line;
}

/** The engine's own text of a fetch: `fetch(Namespaces, key default)`. */
export function fetchWords(collection: string, filter: string): string {
  return `fetch(${collection}, ${filter})`;
}

/** "a", "a and b", "a, b and c". */
export function listWords(words: readonly string[], most = 5): string {
  const shown = words.slice(0, most);
  const more = words.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  if (shown.length < 2) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`;
}
