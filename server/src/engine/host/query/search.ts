// Search across all collections: an item by its key, an IP or host anywhere inside, a label, a namespace, a collection.
import type {Hit, SearchAnswer} from '@krtscope/shared/items.ts';
import {writePath} from '@krtscope/shared/path.ts';
import type {CollectionFacts, Records} from '../../../explain/records.ts';
import {momentOf} from './item.ts';
import {labelsOf} from './match.ts';

interface Scored extends Hit {
  readonly score: number;
}

/** The first place inside a value that holds the text: its path and the whole text there. */
function placeOf(value: unknown, lower: string): {where: string; text: string} | undefined {
  const path: (string | number)[] = [];
  const text = textInside(value, lower, path, 0);
  return text === undefined ? undefined : {where: writePath(path.reverse()), text};
}

const DEPTH = 10;

// Looks at millions of values in a large cluster: the path is written only on the way back from a hit.
function textInside(
  value: unknown,
  lower: string,
  path: (string | number)[],
  depth: number,
): string | undefined {
  if (typeof value === 'string') return value.toLowerCase().includes(lower) ? value : undefined;
  if (typeof value === 'number')
    return String(value).toLowerCase().includes(lower) ? String(value) : undefined;
  if (typeof value !== 'object' || value === null || depth > DEPTH) return undefined;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const text = textInside(value[i], lower, path, depth + 1);
      if (text === undefined) continue;
      path.push(i);
      return text;
    }
    return undefined;
  }
  for (const name in value) {
    if (name === 'managedFields') continue;
    const text = textInside((value as Record<string, unknown>)[name], lower, path, depth + 1);
    if (text === undefined) continue;
    path.push(name);
    return text;
  }
  return undefined;
}

/** Exact before a whole name, a name before its beginning, a beginning before anywhere. */
function closeness(text: string, lower: string): number {
  const own = text.toLowerCase();
  if (own === lower) return 100;
  const name = own.slice(own.lastIndexOf('/') + 1);
  if (name === lower) return 90;
  if (name.startsWith(lower)) return 75;
  if (own.startsWith(lower)) return 65;
  return 50;
}

function hitOf(
  records: Records,
  facts: CollectionFacts,
  key: string,
  words: readonly string[],
  at?: number,
): Scored | undefined {
  const lowerKey = key.toLowerCase();
  const value = records.value(facts.name, key, at);
  let where = 'key';
  let text: string | undefined;
  let score = 0;
  for (const word of words) {
    if (lowerKey.includes(word)) {
      score += closeness(key, word);
      continue;
    }
    const label = labelHit(value, word);
    const place = label ?? placeOf(value, word);
    if (!place) return undefined;
    if (where === 'key') {
      where = place.where;
      text = place.text;
    }
    // Inside a value an exact match (an IP, a host) counts nearly as much as a name does.
    score += closeness(place.text, word) * 0.45 + (label ? 5 : 0);
  }
  const outcome = records.row(facts.name, key, at)?.outcome;
  return {
    collection: facts.name,
    key,
    where,
    ...(text !== undefined ? {text} : {}),
    ...(outcome ? {outcome} : {}),
    // Sources first among equals: what a person typed is more often an object than what was computed of it.
    score: score / words.length + (facts.parents.length === 0 ? 2 : 0),
  };
}

function labelHit(value: unknown, word: string): {where: string; text: string} | undefined {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const wanted = equals < 0 ? undefined : word.slice(equals + 1);
  const labels = labelsOf(value);
  for (const label in labels) {
    const text = String(labels[label]);
    const pair =
      wanted !== undefined && label.toLowerCase() === name && text.toLowerCase().startsWith(wanted);
    if (pair || (wanted === undefined && text.toLowerCase() === word))
      return {where: `label ${label}`, text: `${label}=${text}`};
  }
  return undefined;
}

/** Best hits first, kept together by collection: the best hit's collection leads, and each gets its fair part of the list. */
export function searchAnswer(records: Records, q: string, limit: number, moment?: number): SearchAnswer {
  const at = momentOf(records, moment);
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter(w => w !== '');
  const sequence = at ?? records.newest();
  if (words.length === 0) return {sequence, hits: [], total: 0};
  const groups: {best: number; hits: Scored[]}[] = [];
  let total = 0;
  for (const facts of records.collections(at)) {
    const hits: Scored[] = [];
    if (words.every(w => facts.name.toLowerCase().includes(w)))
      hits.push({
        collection: facts.name,
        key: '',
        where: 'collection',
        score: closeness(facts.name, words[0]!) + 20,
      });
    // An index repeats the items of the collection it is of.
    if (facts.kind !== 'index')
      for (const key of records.keys(facts.name, at)) {
        const hit = hitOf(records, facts, key, words, at);
        if (hit) hits.push(hit);
      }
    total += hits.length;
    hits.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
    if (hits.length > 0) groups.push({best: hits[0]!.score, hits});
  }
  groups.sort((a, b) => b.best - a.best);
  const share = Math.max(3, Math.floor(limit / Math.max(1, groups.length)));
  let spare = Math.max(0, limit - groups.reduce((sum, g) => sum + Math.min(share, g.hits.length), 0));
  const hits: Hit[] = [];
  for (const group of groups) {
    const extra = Math.min(spare, Math.max(0, group.hits.length - share));
    spare -= extra;
    for (const {score: _score, ...hit} of group.hits.slice(0, share + extra))
      if (hits.length < limit) hits.push(hit);
  }
  return {sequence, hits, total};
}
