// Filters, the query that they form, and its description. query-node.ts answers a query; query-index.ts finds
// the queries that a change touches.

import type {Row} from '../containers/row.ts';
import type {Clause} from '../values/clause.ts';
import {EngineError} from '../values/error.ts';
import {GENERIC, INDEX, KEYS, LABELS, NAMESPACE, SELECTS, SELECTS_NON_EMPTY} from '../values/filter-kinds.ts';
import {functionNameOf} from '../values/function-name.ts';
import {asLabels, NO_LABELS} from '../values/key.ts';
import type {Labels} from '../values/labels.ts';

type ItemTest = (item: unknown) => boolean;

/** A user's index as far as queries need it. */
export interface QueryableIndex {
  readonly name: string;
  readonly core: {readonly name: string};
  /** Buckets that the row which is being announced has left and entered. */
  readonly moved: {readonly from: readonly string[]; readonly to: readonly string[]};
  bucket(key: string): ReadonlySet<Row>;
  keysOf(item: unknown): readonly string[];
  /** The row has another item that was not announced, in the same buckets. */
  markUnmoved(row: Row): void;
  refuseDropped(): void;
}

/** One part of a query. All parts must hold. Of two parts of one kind the last one counts. */
export class Filter {
  // `declare` avoids that each field is set twice; every fetch creates filters.
  declare readonly kind: number;
  declare readonly value: unknown;
  declare readonly index: QueryableIndex | null;

  constructor(kind: number, value: unknown, index: QueryableIndex | null) {
    this.kind = kind;
    this.value = value;
    this.index = index;
  }

  toString(): string {
    return describeFilters(this);
  }
}

export function filterKey(key: string): Filter {
  if (typeof key !== 'string') throw notTextError('filterKey', key);
  return new Filter(KEYS, key, null);
}

/** Takes keys or lists of keys. An empty list matches nothing. */
export function filterKeys(...keys: (string | Iterable<string>)[]): Filter {
  const all: string[] = [];
  for (const key of keys) {
    if (typeof key === 'string') all.push(key);
    else if (typeof key !== 'object' || key === null) throw notTextError('filterKeys', key);
    else for (const one of key) all.push(one);
  }
  for (const key of all) if (typeof key !== 'string') throw notTextError('filterKeys', key);
  return new Filter(KEYS, Object.freeze([...new Set(all)]), null);
}

function notTextError(call: string, found: unknown): EngineError {
  const type = found === null ? 'null' : typeof found;
  return new EngineError('key-type', `${call} takes texts and got ${type}; no row has that`);
}

export function filterObjectName({name, namespace}: {name: string; namespace?: string | null}): Filter {
  if (typeof name !== 'string') throw notTextError('filterObjectName', name);
  if (!namespace) return new Filter(KEYS, name, null);
  if (typeof namespace !== 'string') throw notTextError('filterObjectName', namespace);
  return new Filter(KEYS, `${namespace}/${name}`, null);
}

export function filterNamespace(namespace: string): Filter {
  if (typeof namespace !== 'string') throw notTextError('filterNamespace', namespace);
  return new Filter(NAMESPACE, namespace, null);
}

/** Items that have all of these labels; null and `{}` select all items. */
export function filterLabel(labels: Labels | null | undefined): Filter {
  return new Filter(LABELS, labels ?? NO_LABELS, null);
}

/** Items whose selector matches these labels. An empty or missing selector matches. */
export function filterSelects(labels: Labels | null | undefined): Filter {
  return new Filter(SELECTS, labels ?? NO_LABELS, null);
}

/** As filterSelects, but an empty or missing selector never matches. */
export function filterSelectsNonEmpty(labels: Labels | null | undefined): Filter {
  return new Filter(SELECTS_NON_EMPTY, labels ?? NO_LABELS, null);
}

/** Any test. It needs a full scan, so combine it with other filters. */
export function filterGeneric<T>(test: (item: T) => boolean): Filter {
  return new Filter(GENERIC, test, null);
}

const NO_PAIRS: readonly unknown[] = [];

/** All filters of one fetch. */
export class QuerySpec {
  keys: string | readonly string[] | null = null;
  namespace: string | null = null;
  labels: Labels | null = null;
  selects: Labels | null = null;
  /** Names and values of the labels in one flat list, which is faster to compare. */
  pairs = NO_PAIRS;
  selectPairs = NO_PAIRS;
  nonEmpty = false;
  index: QueryableIndex | null = null;
  indexKey = '';
  generic: ItemTest | null = null;
  project: ((item: unknown) => unknown) | null = null;
  same: ((a: unknown, b: unknown) => boolean) | null = null;
  /** The number of filters. Only queries with the same number are compared. */
  parts = 0;

  /** Resets the spec, so that one object serves all fetches with a known query. */
  clear(): this {
    this.keys = null;
    this.namespace = null;
    this.labels = null;
    this.selects = null;
    this.nonEmpty = false;
    this.index = null;
    this.indexKey = '';
    this.generic = null;
    this.parts = 0;
    return this;
  }

  /**
   * Copies keys and labels, because the user may change his after the fetch. Throws if a value is not a text:
   * a filter may be made by hand, or changed later.
   */
  copyValues(): this {
    if (this.keys !== null && typeof this.keys !== 'string') this.keys = copyKeys(this.keys);
    if (this.namespace !== null && typeof this.namespace !== 'string')
      throw notTextError('a filter by namespace', this.namespace);
    if (typeof this.indexKey !== 'string') throw notTextError('a filter by index', this.indexKey);
    if (this.labels !== null) {
      this.labels = requireTextLabels(this.labels);
      this.pairs = labelPairsOf(this.labels);
    }
    if (this.selects !== null) {
      this.selects = requireTextLabels(this.selects);
      this.selectPairs = labelPairsOf(this.selects);
    }
    return this;
  }
}

/** Combines filters. It refers to the given labels; call copyValues() to store the spec. */
export function querySpecOf(filters: readonly Filter[], spec = new QuerySpec()): QuerySpec {
  spec.parts = filters.length;
  for (const filter of filters) {
    switch (filter.kind) {
      case KEYS:
        spec.keys = filter.value as string | readonly string[];
        break;
      case NAMESPACE:
        spec.namespace = filter.value as string;
        break;
      case LABELS:
        spec.labels = filter.value as Labels;
        break;
      case SELECTS:
      case SELECTS_NON_EMPTY:
        spec.selects = filter.value as Labels;
        spec.nonEmpty = filter.kind === SELECTS_NON_EMPTY;
        break;
      case INDEX:
        spec.index = filter.index;
        spec.indexKey = filter.value as string;
        break;
      case GENERIC:
        if (typeof filter.value !== 'function') throw notFilterError();
        spec.generic = filter.value as ItemTest;
        break;
      default:
        throw notFilterError();
    }
  }
  if (spec.keys !== null && spec.index !== null) {
    throw new EngineError(
      'key-and-index',
      `a fetch has both ${describeSpec(spec.copyValues())}: a key says already which item; drop the key or the index`,
    );
  }
  return spec;
}

function copyKeys(keys: readonly string[]): readonly string[] {
  if (!Array.isArray(keys)) throw notTextError('a filter by key', keys);
  for (const key of keys) if (typeof key !== 'string') throw notTextError('a filter by key', key);
  return Object.isFrozen(keys) ? keys : Object.freeze([...new Set<string>(keys)]);
}

// A query without a text would break the trace of the batch.
function requireTextLabels(labels: Labels): Labels {
  const own = asLabels(labels);
  for (const name in own)
    if (typeof own[name] !== 'string') throw notTextError(`label "${name}" of a filter`, own[name]);
  return Object.freeze(own);
}

function notFilterError(): EngineError {
  return new EngineError(
    'wiring',
    'a fetch takes filters as filterKey, filterLabel, filterGeneric … make them',
  );
}

/** Like querySpecOf, but refuses an index of another collection, which would answer with its items. */
export function querySpecFor(
  core: {readonly name: string},
  filters: readonly Filter[],
  into?: QuerySpec,
): QuerySpec {
  const spec = querySpecOf(filters, into);
  const {index} = spec;
  if (index === null) return spec;
  if (index.core === core) {
    index.refuseDropped();
    return spec;
  }
  throw new EngineError(
    'index-collection',
    `a fetch from "${core.name}" goes by index "${index.name}" of "${index.core.name}"; use an index of "${core.name}"`,
  );
}

/**
 * Whether these filters form this query, in any order but without repeats. Reads labels each time, because a
 * formula may reuse one object for other labels.
 */
export function isSameQuery(spec: QuerySpec, filters: readonly Filter[]): boolean {
  if (spec.parts !== filters.length) return false;
  for (let i = 0; i < filters.length; i++) {
    const filter = filters[i] as Filter;
    const {kind, value} = filter;
    if (kind === NAMESPACE) {
      if (spec.namespace !== value) return false;
    } else if (kind === SELECTS_NON_EMPTY || kind === SELECTS) {
      if (spec.nonEmpty !== (kind === SELECTS_NON_EMPTY)) return false;
      if (spec.selects === null || !hasSameLabels(spec.selectPairs, value as Labels)) return false;
    } else if (kind === LABELS) {
      if (spec.labels === null || !hasSameLabels(spec.pairs, value as Labels)) return false;
    } else if (kind === KEYS) {
      if (!hasSameKeys(spec.keys, value as string | readonly string[])) return false;
    } else if (kind === INDEX) {
      if (spec.index !== filter.index || spec.indexKey !== value) return false;
    } else if (spec.generic !== value) return false;
  }
  return true;
}

function hasSameKeys(a: string | readonly string[] | null, b: string | readonly string[]): boolean {
  if (a === b) return true;
  if (typeof a === 'string' || typeof b === 'string' || a === null || a.length !== b.length) return false;
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function hasSameLabels(pairs: readonly unknown[], labels: Labels): boolean {
  for (let i = 0; i < pairs.length; i += 2) if (labels[pairs[i] as string] !== pairs[i + 1]) return false;
  let count = 0;
  for (const _ in labels) count += 2;
  return count === pairs.length;
}

function labelPairsOf(labels: Labels): readonly unknown[] {
  return Object.entries(labels).flat();
}

/** Frozen, because traces share them. */
export function clausesOf(spec: QuerySpec): readonly Clause[] {
  const clauses = newClauses(spec);
  for (const clause of clauses) Object.freeze(clause);
  return Object.freeze(clauses);
}

function newClauses(spec: QuerySpec): Clause[] {
  // There may be one query per item, and push() reserves room for many elements.
  if (typeof spec.keys === 'string' && spec.parts === 1) {
    return [{kind: 'keys', text: `key ${spec.keys}`, keys: Object.freeze([spec.keys])}];
  }
  const clauses: Clause[] = [];
  if (typeof spec.keys === 'string') {
    clauses.push({kind: 'keys', text: `key ${spec.keys}`, keys: Object.freeze([spec.keys])});
  } else if (spec.keys !== null) {
    clauses.push({kind: 'keys', text: `keys ${spec.keys.join(', ')}`.trimEnd(), keys: spec.keys});
  }
  if (spec.namespace !== null) {
    clauses.push({kind: 'namespace', text: `namespace ${spec.namespace}`, namespace: spec.namespace});
  }
  if (spec.labels !== null) {
    clauses.push({kind: 'labels', text: `labels ${labelsText(spec.labels)}`.trimEnd(), labels: spec.labels});
  }
  if (spec.selects !== null) {
    const text = `selects ${spec.nonEmpty ? 'non-empty ' : ''}{${labelsText(spec.selects)}}`;
    clauses.push({kind: 'selects', text, labels: spec.selects, nonEmpty: spec.nonEmpty});
  }
  if (spec.index !== null) {
    const text = `index ${spec.index.name} = ${spec.indexKey}`;
    clauses.push({kind: 'index', text, index: spec.index.name, value: spec.indexKey});
  }
  if (spec.generic !== null) {
    const name = functionNameOf(spec.generic, 'function');
    clauses.push({kind: 'generic', text: `generic ${name}`, name});
  }
  if (clauses.length === 0) clauses.push({kind: 'all', text: 'all'});
  return clauses;
}

function labelsText(labels: Labels): string {
  return Object.keys(labels)
    .sort()
    .map(key => `${key}=${labels[key]}`)
    .join(',');
}

function describeSpec(spec: QuerySpec): string {
  return textOfClauses(clausesOf(spec));
}

export function textOfClauses(clauses: readonly Clause[]): string {
  const [first] = clauses;
  if (clauses.length === 1 && first !== undefined) return first.text;
  return clauses.map(clause => clause.text).join(' and ');
}

/** The description of these filters; `all` without any. */
export function describeFilters(...filters: Filter[]): string {
  return describeSpec(querySpecOf(filters).copyValues());
}
