// Searches all collections: items by key, an IP or host anywhere inside, labels, namespaces, collections. It works in
// steps and finally searches again what changed on the way.
import type {Hit, SearchAnswer} from '@krtscope/shared/items.ts';
import {writePath} from '@krtscope/shared/path.ts';
import type {CollectionFacts, Records} from '../../../../explain/records.ts';
import {runToEnd} from '../../../../history/incremental-work.ts';
import {changedKeysBetween} from './changed-keys.ts';
import {labelsOf} from './filter-matcher.ts';
import {momentOf} from './item.ts';

interface ScoredHit extends Hit {
  readonly score: number;
}

/** The first place inside a value that contains the text: its path and the whole text there. */
function placeOf(value: unknown, lower: string): {where: string; text: string} | undefined {
  const path: (string | number)[] = [];
  const text = textInside(value, lower, path, 0);
  return text === undefined ? undefined : {where: writePath(path.reverse()), text};
}

const MAX_DEPTH = 10;

// It visits millions of values in a large cluster, so it builds the path only after a hit.
function textInside(
  value: unknown,
  lower: string,
  path: (string | number)[],
  depth: number,
): string | undefined {
  if (typeof value === 'string') return value.toLowerCase().includes(lower) ? value : undefined;
  if (typeof value === 'number')
    return String(value).toLowerCase().includes(lower) ? String(value) : undefined;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
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

/** Exact matches first, then whole names, then beginnings, then anything else. */
function matchScore(text: string, lower: string): number {
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
): ScoredHit | undefined {
  const lowerKey = key.toLowerCase();
  const value = records.value(facts.name, key, at);
  let where = 'key';
  let text: string | undefined;
  let score = 0;
  for (const word of words) {
    if (lowerKey.includes(word)) {
      score += matchScore(key, word);
      continue;
    }
    const label = labelHit(value, word);
    const place = label ?? placeOf(value, word);
    if (!place) return undefined;
    if (where === 'key') {
      where = place.where;
      text = place.text;
    }
    // An exact match inside a value (an IP, a host) counts nearly as much as a name.
    score += matchScore(place.text, word) * 0.45 + (label ? 5 : 0);
  }
  return {
    collection: facts.name,
    key,
    where,
    text,
    // Prefer sources among equals: users usually search for objects.
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

/** The best hits of one collection, and the number of all hits. */
class CollectionHits {
  readonly facts: CollectionFacts;
  readonly #keys = new Set<string>();
  #hits: ScoredHit[] = [];
  readonly #most: number;

  constructor(facts: CollectionFacts, most: number) {
    this.facts = facts;
    // Keep more than are shown, to replace hits that disappear.
    this.#most = most * 2;
  }

  get total(): number {
    return this.#keys.size;
  }

  add(hit: ScoredHit): void {
    this.#keys.add(hit.key);
    this.#hits.push(hit);
    // Cut the list early: a common word may match half of all objects.
    if (this.#hits.length >= this.#most * 2) this.#hits = this.best().slice(0, this.#most);
  }

  remove(key: string): void {
    if (this.#keys.delete(key)) this.#hits = this.#hits.filter(hit => hit.key !== key);
  }

  /** The keys to search again, if so many of the best hits are gone that dropped ones must be shown. */
  short(): readonly string[] {
    const wanted = Math.min(this.#most / 2, this.#keys.size);
    if (this.#hits.length >= wanted) return [];
    const keys = new Set(this.#hits.map(hit => hit.key));
    return [...this.#keys].filter(key => !keys.has(key));
  }

  best(): ScoredHit[] {
    return this.#hits.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
  }
}

/** The state of one search. */
class ItemSearch {
  readonly #records: Records;
  readonly #words: readonly string[];
  readonly #limit: number;
  readonly #at: number | undefined;
  readonly #found = new Map<string, CollectionHits>();

  constructor(records: Records, words: readonly string[], limit: number, at: number | undefined) {
    this.#records = records;
    this.#words = words;
    this.#limit = limit;
    this.#at = at;
  }

  *collection(facts: CollectionFacts): Generator<undefined> {
    const found = new CollectionHits(facts, this.#limit);
    this.#found.set(facts.name, found);
    if (this.#words.every(w => facts.name.toLowerCase().includes(w)))
      found.add({
        collection: facts.name,
        key: '',
        where: 'collection',
        score: matchScore(facts.name, this.#words[0]!) + 20,
      });
    // An index repeats the items of its collection.
    if (facts.kind === 'index') return;
    for (const key of this.#records.keys(facts.name, this.#at)) {
      this.#look(found, key);
      yield;
    }
  }

  #look(found: CollectionHits, key: string): void {
    const hit = hitOf(this.#records, found.facts, key, this.#words, this.#at);
    if (hit) found.add(hit);
  }

  /** Searches again the items that may have changed since. */
  *searchAgain(from: number, to: number): Generator<undefined> {
    for (const [collection, keys] of changedKeysBetween(this.#records, from, to)) {
      const found = this.#found.get(collection);
      if (!found || found.facts.kind === 'index') continue;
      for (const key of keys) {
        found.remove(key);
        if (this.#records.has(collection, key)) this.#look(found, key);
        yield;
      }
      for (const key of found.short()) {
        this.#look(found, key);
        yield;
      }
    }
  }

  /**
   * Best hits first, grouped by collection. The best hit's collection leads, and each collection gets a fair share.
   */
  answer(sequence: number): SearchAnswer {
    const groups = [...this.#found.values()]
      .filter(found => found.total > 0)
      .map(found => ({hits: found.best(), total: found.total}));
    groups.sort((a, b) => b.hits[0]!.score - a.hits[0]!.score);
    const share = Math.max(3, Math.floor(this.#limit / Math.max(1, groups.length)));
    let spare = Math.max(0, this.#limit - groups.reduce((sum, g) => sum + Math.min(share, g.hits.length), 0));
    const hits: Hit[] = [];
    for (const group of groups) {
      const extra = Math.min(spare, Math.max(0, group.hits.length - share));
      spare -= extra;
      for (const hit of group.hits.slice(0, share + extra))
        if (hits.length < this.#limit) hits.push(this.#hitOf(hit));
    }
    return {sequence, hits, total: groups.reduce((sum, g) => sum + g.total, 0)};
  }

  #hitOf({score: _score, ...hit}: ScoredHit): Hit {
    const outcome =
      hit.key === '' ? undefined : this.#records.row(hit.collection, hit.key, this.#at)?.outcome;
    return outcome === undefined ? hit : {...hit, outcome};
  }
}

/** One step reads one item. */
export function* searchSteps(
  records: Records,
  q: string,
  limit: number,
  moment?: number,
): Generator<undefined, SearchAnswer> {
  const at = momentOf(records, moment);
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter(w => w !== '');
  if (words.length === 0) return {sequence: at ?? records.newest(), hits: [], total: 0};
  let seen = records.newest();
  const search = new ItemSearch(records, words, limit, at);
  for (const facts of records.collections(at)) yield* search.collection(facts);
  if (at !== undefined) return search.answer(at);
  while (records.newest() > seen) {
    const from = seen + 1;
    seen = records.newest();
    yield* search.searchAgain(from, seen);
  }
  return search.answer(seen);
}

/** Searches without pauses. */
export function searchAnswer(records: Records, q: string, limit: number, moment?: number): SearchAnswer {
  return runToEnd(searchSteps(records, q, limit, moment));
}
