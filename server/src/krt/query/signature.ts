// What tells a query from the others of its collection: inputs that ask the same share one.

import type {Labels} from '../api/collection.ts';
import type {Spec} from './filter.ts';

/** A text that two queries share exactly if they select the same; null if only identity can tell. */
export function signature(spec: Spec): string | null {
  if (spec.generic !== null || spec.project !== null) return null;
  let text = '';
  if (spec.keys !== null) {
    text = typeof spec.keys === 'string' ? part('k', spec.keys) : part('K', JSON.stringify(spec.keys));
  }
  if (spec.namespace !== null) text += part('n', spec.namespace);
  if (spec.labels !== null) text += part('l', labelText(spec.labels));
  if (spec.selects !== null) text += part(spec.nonEmpty ? 'S' : 's', labelText(spec.selects));
  if (spec.index !== null) text += part(`i${spec.index.uid} `, spec.indexKey);
  return text;
}

// With its length: no text, whatever is in it, can look like the end of one part and the beginning of the next.
function part(kind: string, text: unknown): string {
  if (typeof text === 'string') return `${kind}${text.length}:${text}`;
  return part(`${kind}${typeof text} `, String(text));
}

function labelText(labels: Labels): string {
  const names = Object.keys(labels);
  // Most queries are new to their input and known to their collection: this is all that is done to find them.
  if (names.length > 1) names.sort();
  let text = '';
  for (const name of names) {
    const value = labels[name];
    if (value !== undefined) text += part('', name) + part('', value);
  }
  return text;
}
