// Values, paths, lists and counts in words, short enough to stand in a sentence.
import {parsePath} from '@krtscope/shared/path.ts';

/** Letters of a value, and of an error message, that a sentence shows. */
const LONGEST_VALUE = 60;
const LONGEST_ERROR = 200;

function shortened(words: string, longest: number): string {
  return words.length > longest ? `${words.slice(0, longest - 3)}…` : words;
}

export function valueWords(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (value === '') return '""';
  return shortened(typeof value === 'object' ? JSON.stringify(value) : String(value), LONGEST_VALUE);
}

/** `label app`, `annotation x`, or the path itself. */
export function pathWords(path: string): {noun: string; name: string} {
  const segments = parsePath(path);
  const at = segments.findIndex(segment => segment === 'labels' || segment === 'annotations');
  const own = at === 0 || (at === 1 && segments[0] === 'metadata');
  if (own && segments.length === at + 2)
    return {noun: segments[at] === 'labels' ? 'label ' : 'annotation ', name: segments[at + 1]!};
  return {noun: '', name: path};
}

export function firstLine(error: string): string {
  return shortened(error.split('\n', 1)[0]!, LONGEST_ERROR);
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

/** "1 Pod", "3 Pods", "2 fetches". */
export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** 15:04:12 in UTC, of a time in ISO form. */
export function clockTime(time: string): string {
  return time.slice(11, 19);
}

/** "forbidden (403)". */
export function stateWords({state, reason}: {state: string; reason?: string | undefined}): string {
  return reason === undefined ? state : `${state} (${reason})`;
}
