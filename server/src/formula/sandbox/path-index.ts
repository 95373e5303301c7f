// The index behind `index(C, 'path', value)`. A list on the path stands for each of its elements.
import {type Collection, type Index, newIndex} from '../../krt/index.ts';

export function createPathIndex(collection: Collection<unknown>, path: string): Index<unknown, string> {
  const parts = parseIndexPath(path);
  return newIndex<unknown, string>(collection, path, item => valuesAt(item, parts));
}

/** Parses `spec.nodeName`, `metadata.labels["a/b"]`, `spec.containers[].image`. */
function parseIndexPath(path: string): string[] {
  const parts: string[] = [];
  for (const [, plain, quoted] of path.matchAll(/([^.[\]]+)|\["([^"]*)"\]/g))
    parts.push(plain ?? quoted ?? '');
  return parts;
}

function valuesAt(item: unknown, parts: readonly string[], from = 0): string[] {
  if (Array.isArray(item)) return item.flatMap(one => valuesAt(one, parts, from));
  const part = parts[from];
  if (part === undefined)
    return item === undefined || item === null || typeof item === 'object' ? [] : [String(item)];
  if (typeof item !== 'object' || item === null || !Object.hasOwn(item, part)) return [];
  return valuesAt((item as Record<string, unknown>)[part], parts, from + 1);
}
