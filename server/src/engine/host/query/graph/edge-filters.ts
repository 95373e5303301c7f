// Describes the fetches of an edge, one text for each shape, from sampled runs. Values that follow the input appear
// as its path.
import {deepEqual} from '@krtscope/shared/json/deep-equal.ts';
import {listLeaves, readPath, writePath} from '@krtscope/shared/path.ts';
import type {RecordedFetch, Records} from '../../../../explain/records.ts';
import type {Clause} from '../../../../krt/index.ts';

const SAMPLE = 64;
const TEXTS = 8;
/** Milliseconds until an edge is sampled again: its texts change only with formulas. */
const FRESH_MS = 15_000;

interface FetchSample {
  readonly input: string;
  readonly value: unknown;
  readonly clause: Clause;
}

export interface EdgeFilterTexts {
  readonly filters: string[];
  readonly inferred: number[];
  readonly via: 'index' | 'scan' | undefined;
}

/** Fetches with the same kinds of filters have the same shape. Label names may vary with the input. */
function shapeOf(fetch: RecordedFetch): string {
  return fetch.clauses
    .map(c =>
      c.kind === 'index'
        ? `index ${c.index}`
        : c.kind === 'generic'
          ? c.text
          : c.kind === 'selects'
            ? `selects ${c.nonEmpty}`
            : c.kind,
    )
    .join(' and ');
}

/** The name of a clause and the value that varies. */
function clauseWordOf(clause: Clause): {word: string; value: unknown} {
  switch (clause.kind) {
    case 'keys':
      return clause.keys.length === 1 && clause.text.startsWith('key ')
        ? {word: 'key', value: clause.keys[0]}
        : {word: 'keys', value: clause.keys};
    case 'namespace':
      return {word: 'namespace', value: clause.namespace};
    case 'labels':
      return {word: 'labels', value: clause.labels};
    case 'selects':
      return {word: clause.nonEmpty ? 'selects non-empty' : 'selects', value: clause.labels};
    case 'index':
      return {word: `index ${clause.index}`, value: clause.value};
    default:
      return {word: clause.text, value: undefined};
  }
}

/** The paths of an input with this value: leaves, and whole maps and lists. */
function pathsHolding(input: unknown, wanted: unknown): Set<string> {
  const found = new Set<string>();
  const walk = (value: unknown, path: (string | number)[]): void => {
    if (typeof value !== 'object' || value === null || path.length > 5) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'managedFields') continue;
      const next = [...path, Array.isArray(value) ? Number(name) : name];
      if (deepEqual(inner, wanted)) found.add(writePath(next));
      walk(inner, next);
    }
  };
  if (typeof wanted === 'object') walk(input, []);
  else for (const leaf of listLeaves(input, 2000)) if (leaf.value === wanted) found.add(writePath(leaf.path));
  return found;
}

function isValueAt(sample: FetchSample, path: string, wanted: unknown): boolean {
  return path === 'key' ? sample.input === wanted : deepEqual(readPath(sample.value, path), wanted);
}

/** The simplest path: namespace and name before labels, short before long. */
function simplestPath(paths: Set<string>): string {
  const cost = (path: string): number =>
    path.length + (path.includes('[') ? 40 : 0) + (/labels|annotations|status/.test(path) ? 20 : 0);
  return [...paths].sort((a, b) => cost(a) - cost(b) || (a < b ? -1 : 1))[0]!;
}

function filterTextOf(samples: readonly FetchSample[]): {text: string; inferred: boolean} {
  const {word, value} = clauseWordOf(samples[0]!.clause);
  if (value === undefined) return {text: word, inferred: false};
  let paths: Set<string> | undefined;
  const values = new Set<string>();
  for (const sample of samples) {
    const asked = clauseWordOf(sample.clause).value;
    values.add(JSON.stringify(asked));
    if (paths) {
      for (const path of paths) if (!isValueAt(sample, path, asked)) paths.delete(path);
    } else {
      paths = pathsHolding(sample.value, asked);
      if (asked === sample.input) paths.add('key');
    }
  }
  if (paths && paths.size > 0) return {text: `${word} = ${simplestPath(paths)}`, inferred: true};
  if (values.size === 1) return {text: samples[0]!.clause.text, inferred: false};
  return {text: `${word} (${values.size} values)`, inferred: false};
}

function sampledInputs(records: Records, parents: readonly string[], at?: number): string[] {
  const parent = parents[0];
  // A singleton's only input is itself.
  if (parent === undefined) return [''];
  const inputs: string[] = [];
  const stride = Math.max(1, Math.floor(records.size(parent, at) / SAMPLE));
  let position = 0;
  for (const key of records.keys(parent, at)) {
    if (position++ % stride === 0) inputs.push(key);
    if (inputs.length >= SAMPLE || position > 20_000) break;
  }
  return inputs;
}

function sampleEdge(records: Records, from: string, to: string, at?: number): EdgeFilterTexts {
  const facts = records.collection(to, at);
  const parents = facts?.kind === 'singleton' ? [] : (facts?.parents ?? []);
  const shapes = new Map<string, FetchSample[][]>();
  let via: 'index' | 'scan' | undefined;
  for (const input of sampledInputs(records, parents, at)) {
    const run = records.lastRun(to, input, at);
    if (!run) continue;
    const value = parents[0] === undefined ? undefined : records.value(parents[0], input, at);
    for (const fetch of run.fetches) {
      if (fetch.collection !== from) continue;
      if (via !== 'scan') via = fetch.via.kind;
      const shape = shapeOf(fetch);
      const columns = shapes.get(shape) ?? fetch.clauses.map(() => []);
      fetch.clauses.forEach((clause, i) => {
        columns[i]!.push({input, value, clause});
      });
      shapes.set(shape, columns);
    }
  }
  const filters: string[] = [];
  const inferred: number[] = [];
  for (const columns of [...shapes.values()].slice(0, TEXTS)) {
    const parts = columns.map(filterTextOf);
    if (parts.some(p => p.inferred)) inferred.push(filters.length);
    filters.push(parts.map(p => p.text).join(' and ') || 'all');
  }
  return {filters, inferred, via};
}

/** Caches the texts of each edge, because the graph is sent up to twenty times a second. */
export class EdgeFilterReader {
  readonly #records: Records;
  readonly #cache = new Map<string, {until: number; texts: EdgeFilterTexts}>();

  constructor(records: Records) {
    this.#records = records;
  }

  texts(from: string, to: string, at?: number): EdgeFilterTexts {
    if (at !== undefined) return sampleEdge(this.#records, from, to, at);
    const id = `${from}\n${to}`;
    const now = this.#records.now();
    const cached = this.#cache.get(id);
    if (cached && cached.until > now && cached.texts.filters.length > 0) return cached.texts;
    const texts = sampleEdge(this.#records, from, to);
    this.#cache.set(id, {until: now + FRESH_MS, texts});
    return texts;
  }
}
