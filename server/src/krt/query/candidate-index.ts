// From a query to the rows that may match: by namespace, by label, or by one pair of a selector. Each index
// is built for the first query that needs it, and updated with every change.

import {type Row, type RowAttributes, settledValue} from '../containers/row.ts';
import type {Labels} from '../values/labels.ts';
import type {QuerySpec} from './filter.ts';

type RowSet = Set<Row>;
type RowsByValue = Map<string, RowSet>;

const EVERYWHERE = '';
const NO_ROWS: readonly Row[] = Object.freeze([]) as readonly Row[];

/** A collection as far as an index of its rows needs it. */
export interface RowProvider {
  readonly rows: {get(key: string): Row | undefined; values(): Iterable<Row>};
  attributesOf(row: Row): RowAttributes;
}

/** The rows that may match a query, from the narrowest index. */
export function candidateRows({rows}: RowProvider, forward: CandidateIndex, spec: QuerySpec): Iterable<Row> {
  if (typeof spec.keys === 'string') return listOf(rows.get(spec.keys));
  if (spec.keys !== null) return spec.keys.flatMap(key => listOf(rows.get(key)));
  if (spec.index !== null) return spec.index.bucket(spec.indexKey);
  if (spec.labels !== null && spec.pairs.length > 0)
    return forward.byLabels(spec.labels, spec.namespace).rows;
  if (spec.selects !== null) return forward.bySelector(spec.selects, spec.nonEmpty, spec.namespace);
  if (spec.namespace !== null) return forward.byNamespace(spec.namespace);
  return rows.values();
}

function listOf(row: Row | undefined): readonly Row[] {
  return row === undefined ? NO_ROWS : [row];
}

export class CandidateIndex {
  readonly #core: RowProvider;
  #namespaces: RowsByValue | null = null;
  #labels: CandidateLabelIndex[] = [];
  #selectors: CandidateSelectorIndex[] = [];

  constructor(core: RowProvider) {
    this.#core = core;
  }

  byNamespace(namespace: string): Iterable<Row> {
    if (this.#namespaces === null) {
      const namespaces: RowsByValue = new Map();
      eachRow(this.#core, (row, attributes) => addTo(namespaces, attributes.namespace, row));
      this.#namespaces = namespaces;
    }
    return this.#namespaces.get(namespace) ?? NO_ROWS;
  }

  /** The smallest bucket of all pairs, and its label. */
  byLabels(labels: Labels, namespace: string | null): {rows: Iterable<Row>; anchor: string} {
    const index = this.#labelIndex(namespace !== null);
    let best: RowSet | undefined;
    let anchor = '';
    for (const label in labels) {
      const rows = index.get(label, namespace ?? EVERYWHERE, labels[label] as string);
      if (anchor === '' || (rows?.size ?? 0) < (best?.size ?? 0)) {
        best = rows;
        anchor = label;
      }
    }
    return {rows: best ?? NO_ROWS, anchor};
  }

  /** Keeps these labels indexed as long as a query uses them. */
  retain(labels: Labels, namespace: string | null): void {
    const index = this.#labelIndex(namespace !== null);
    for (const label in labels) index.retain(label);
  }

  /** Undoes one retain(). */
  release(labels: Labels, namespace: string | null): void {
    const index = this.#labelIndex(namespace !== null);
    for (const label in labels) index.release(label);
  }

  /** Items whose selector may be satisfied by these labels. */
  bySelector(labels: Labels, nonEmpty: boolean, namespace: string | null): Iterable<Row> {
    const scope = this.#selectorIndex(namespace !== null).scopes.get(namespace ?? EVERYWHERE);
    if (scope === undefined) return NO_ROWS;
    const found: Row[] = nonEmpty ? [] : [...scope.empty];
    for (const row of scope.broken) found.push(row);
    for (const label in labels) {
      const rows = scope.pairs.get(label)?.get(labels[label] as string);
      if (rows !== undefined) for (const row of rows) found.push(row);
    }
    return found;
  }

  /** Moves a row to its new buckets. */
  changed(row: Row, was: RowAttributes | null, is: RowAttributes | null): void {
    if (this.#namespaces !== null && was?.namespace !== is?.namespace) {
      if (was !== null) removeFrom(this.#namespaces, was.namespace, row);
      if (is !== null) addTo(this.#namespaces, is.namespace, row);
    }
    for (const index of this.#labels) index.changed(row, was, is);
    for (const index of this.#selectors) index.changed(row, was, is);
  }

  #labelIndex(scoped: boolean): CandidateLabelIndex {
    let index = this.#labels.find(i => i.scoped === scoped);
    if (index === undefined) {
      index = new CandidateLabelIndex(this.#core, scoped);
      this.#labels.push(index);
    }
    return index;
  }

  #selectorIndex(scoped: boolean): CandidateSelectorIndex {
    let index = this.#selectors.find(i => i.scoped === scoped);
    if (index === undefined) {
      index = new CandidateSelectorIndex(this.#core, scoped);
      this.#selectors.push(index);
    }
    return index;
  }

  buckets(): number {
    let count = this.#namespaces?.size ?? 0;
    for (const index of this.#labels) count += index.buckets();
    for (const index of this.#selectors) count += index.scopes.size;
    return count;
  }
}

/** Items by the labels that queries name, per namespace or for all namespaces. */
class CandidateLabelIndex {
  readonly scoped: boolean;
  readonly #core: RowProvider;
  readonly #labels = new Map<string, Map<string, RowsByValue>>();
  /** The number of queries per label. */
  readonly #queryCounts = new Map<string, number>();

  constructor(core: RowProvider, scoped: boolean) {
    this.#core = core;
    this.scoped = scoped;
  }

  retain(label: string): void {
    this.#queryCounts.set(label, (this.#queryCounts.get(label) ?? 0) + 1);
  }

  // Every change looks at every indexed label, and there may be new labels without end.
  release(label: string): void {
    const count = (this.#queryCounts.get(label) ?? 0) - 1;
    if (count > 0) this.#queryCounts.set(label, count);
    else {
      this.#queryCounts.delete(label);
      this.#labels.delete(label);
    }
  }

  get(label: string, scope: string, value: string): RowSet | undefined {
    let scopes = this.#labels.get(label);
    if (scopes === undefined) {
      const made = new Map<string, RowsByValue>();
      eachRow(this.#core, (row, attributes) => this.#add(made, label, row, attributes));
      this.#labels.set(label, made);
      scopes = made;
    }
    return scopes.get(scope)?.get(value);
  }

  #scopeOf(attributes: RowAttributes): string {
    return this.scoped ? attributes.namespace : EVERYWHERE;
  }

  #add(scopes: Map<string, RowsByValue>, label: string, row: Row, attributes: RowAttributes): void {
    const value = attributes.labels[label];
    if (value === undefined) return;
    const scope = this.#scopeOf(attributes);
    let values = scopes.get(scope);
    if (values === undefined) {
      values = new Map();
      scopes.set(scope, values);
    }
    addTo(values, value, row);
  }

  #remove(scopes: Map<string, RowsByValue>, label: string, row: Row, attributes: RowAttributes): void {
    const value = attributes.labels[label];
    const scope = this.#scopeOf(attributes);
    const values = scopes.get(scope);
    if (value === undefined || values === undefined) return;
    removeFrom(values, value, row);
    if (values.size === 0) scopes.delete(scope);
  }

  changed(row: Row, was: RowAttributes | null, is: RowAttributes | null): void {
    for (const [label, scopes] of this.#labels) {
      if (was !== null && is !== null && this.#stays(label, was, is)) continue;
      if (was !== null) this.#remove(scopes, label, row, was);
      if (is !== null) this.#add(scopes, label, row, is);
    }
  }

  #stays(label: string, was: RowAttributes, is: RowAttributes): boolean {
    return was.labels[label] === is.labels[label] && this.#scopeOf(was) === this.#scopeOf(is);
  }

  buckets(): number {
    let count = 0;
    for (const scopes of this.#labels.values()) for (const values of scopes.values()) count += values.size;
    return count;
  }
}

interface SelectorScope {
  pairs: Map<string, RowsByValue>;
  empty: RowSet;
  /** Broken selectors. Every query must meet them and fail. */
  broken: RowSet;
  size: number;
}

/** Items by one pair of their selector: the pair with the fewest other items at that time. */
class CandidateSelectorIndex {
  readonly scoped: boolean;
  readonly scopes = new Map<string, SelectorScope>();

  constructor(core: RowProvider, scoped: boolean) {
    this.scoped = scoped;
    eachRow(core, (row, attributes) => this.#add(row, attributes));
  }

  changed(row: Row, was: RowAttributes | null, is: RowAttributes | null): void {
    if (was !== null) this.#remove(row, was);
    if (is !== null) this.#add(row, is);
  }

  #scopeOf(attributes: RowAttributes): string {
    return this.scoped ? attributes.namespace : EVERYWHERE;
  }

  #add(row: Row, attributes: RowAttributes): void {
    const name = this.#scopeOf(attributes);
    let scope = this.scopes.get(name);
    if (scope === undefined) {
      scope = {pairs: new Map(), empty: new Set(), broken: new Set(), size: 0};
      this.scopes.set(name, scope);
    }
    scope.size++;
    if (attributes.hasBrokenSelector) {
      scope.broken.add(row);
      return;
    }
    const {selector} = attributes;
    let best: string | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const label in selector) {
      if (selector[label] === undefined) continue;
      const size = scope.pairs.get(label)?.get(selector[label] as string)?.size ?? 0;
      if (size < fewest) {
        fewest = size;
        best = label;
      }
    }
    if (best === undefined) {
      scope.empty.add(row);
      return;
    }
    let values = scope.pairs.get(best);
    if (values === undefined) {
      values = new Map();
      scope.pairs.set(best, values);
    }
    addTo(values, selector[best] as string, row);
  }

  #remove(row: Row, attributes: RowAttributes): void {
    const name = this.#scopeOf(attributes);
    const scope = this.scopes.get(name);
    if (scope === undefined) return;
    if (!scope.empty.delete(row) && !scope.broken.delete(row)) {
      const {selector} = attributes;
      for (const label in selector) {
        const values = scope.pairs.get(label);
        if (values !== undefined && removeFrom(values, selector[label] as string, row)) {
          if (values.size === 0) scope.pairs.delete(label);
          break;
        }
      }
    }
    if (--scope.size === 0) this.scopes.delete(name);
  }
}

function eachRow(core: RowProvider, f: (row: Row, attributes: RowAttributes) => void): void {
  for (const row of core.rows.values()) if (settledValue(row) !== undefined) f(row, core.attributesOf(row));
}

function addTo(values: RowsByValue, value: string, row: Row): void {
  const rows = values.get(value);
  if (rows === undefined) values.set(value, new Set([row]));
  else rows.add(row);
}

function removeFrom(values: RowsByValue, value: string, row: Row): boolean {
  const rows = values.get(value);
  if (rows === undefined || !rows.delete(row)) return false;
  if (rows.size === 0) values.delete(value);
  return true;
}
