// From a changed row to the queries that it may touch. It may find too many, because collection-queries.ts
// tests each. It must not miss any.

import type {RowAttributes} from '../containers/row.ts';
import type {Via} from '../values/trace.ts';
import type {QueryableIndex, QuerySpec} from './filter.ts';
import {type QueryNode, SCAN} from './query-node.ts';

// Shared by all traces.
const BY_KEY: Via = Object.freeze({kind: 'index', name: 'key'});
const BY_LABELS: Via = Object.freeze({kind: 'index', name: 'labels'});
const BY_SELECTOR: Via = Object.freeze({kind: 'index', name: 'selects'});
const BY_NAMESPACE: Via = Object.freeze({kind: 'index', name: 'namespace'});

/** How the rows of a query are found. */
export function viaOf(spec: QuerySpec): Via {
  if (spec.keys !== null) return BY_KEY;
  if (spec.index !== null) return Object.freeze({kind: 'index', name: spec.index.name});
  if (spec.pairs.length > 0) return BY_LABELS;
  if (spec.selects !== null) return BY_SELECTOR;
  return spec.namespace !== null ? BY_NAMESPACE : SCAN;
}

type QueryNodeSet = Set<QueryNode>;
type VisitQuery = (node: QueryNode) => void;
type NodesByLabel = Map<string, Map<string, QueryNodeSet>>;

/** The queries of one namespace, or those that name none. */
class QueryScope {
  readonly plain: QueryNodeSet = new Set();
  readonly labels: NodesByLabel = new Map();
  readonly selects: NodesByLabel = new Map();
  /** Queries that match an empty selector. */
  readonly loose: QueryNodeSet = new Set();
  /** All queries by selector. An item with a broken selector touches each. */
  readonly selecting: QueryNodeSet = new Set();

  get empty(): boolean {
    return (
      this.plain.size === 0 && this.labels.size === 0 && this.selecting.size === 0 && this.loose.size === 0
    );
  }
}

export class QueryIndex {
  readonly #keys = new Map<string, QueryNodeSet>();
  readonly #indexes = new Map<QueryableIndex, Map<string, QueryNodeSet>>();
  readonly #namespaces = new Map<string, QueryScope>();
  #everywhere: QueryScope | null = null;

  add(node: QueryNode): void {
    const spec = node.spec;
    node.via = viaOf(spec);
    if (typeof spec.keys === 'string') {
      addTo(this.#keys, spec.keys, node);
    } else if (spec.keys !== null) {
      for (const key of spec.keys) addTo(this.#keys, key, node);
    } else if (spec.index !== null) {
      let buckets = this.#indexes.get(spec.index);
      if (buckets === undefined) {
        buckets = new Map();
        this.#indexes.set(spec.index, buckets);
      }
      addTo(buckets, spec.indexKey, node);
    } else this.#addScoped(node);
  }

  #addScoped(node: QueryNode): void {
    const spec = node.spec;
    const scope = this.#scope(spec.namespace);
    if (node.anchor !== '') {
      addPair(scope.labels, node.anchor, spec.labels?.[node.anchor] as string, node);
    } else if (spec.selects !== null) {
      scope.selecting.add(node);
      if (!spec.nonEmpty) scope.loose.add(node);
      for (const label in spec.selects) addPair(scope.selects, label, spec.selects[label] as string, node);
    } else scope.plain.add(node);
  }

  remove(node: QueryNode): void {
    const spec = node.spec;
    if (typeof spec.keys === 'string') removeFrom(this.#keys, spec.keys, node);
    else if (spec.keys !== null) for (const key of spec.keys) removeFrom(this.#keys, key, node);
    else if (spec.index !== null) {
      const buckets = this.#indexes.get(spec.index);
      if (buckets === undefined) return;
      removeFrom(buckets, spec.indexKey, node);
      if (buckets.size === 0) this.#indexes.delete(spec.index);
    } else this.#removeScoped(node);
  }

  #removeScoped(node: QueryNode): void {
    const spec = node.spec;
    const scope = this.#scope(spec.namespace);
    if (node.anchor !== '') removePair(scope.labels, node.anchor, spec.labels?.[node.anchor] as string, node);
    else if (spec.selects !== null) {
      scope.selecting.delete(node);
      scope.loose.delete(node);
      for (const label in spec.selects) removePair(scope.selects, label, spec.selects[label] as string, node);
    } else scope.plain.delete(node);
    if (!scope.empty) return;
    if (spec.namespace === null) this.#everywhere = null;
    else this.#namespaces.delete(spec.namespace);
  }

  #scope(namespace: string | null): QueryScope {
    if (namespace === null) {
      this.#everywhere ??= new QueryScope();
      return this.#everywhere;
    }
    let scope = this.#namespaces.get(namespace);
    if (scope === undefined) {
      scope = new QueryScope();
      this.#namespaces.set(namespace, scope);
    }
    return scope;
  }

  /**
   * Calls `touch` for every query that this version of the row may match, perhaps twice. `attributes` is null
   * if no query reads any.
   */
  find(key: string, attributes: RowAttributes | null, version: 'from' | 'to', touch: VisitQuery): void {
    visitAll(this.#keys.get(key), touch);
    for (const [index, buckets] of this.#indexes) {
      for (const bucket of index.moved[version]) visitAll(buckets.get(bucket), touch);
    }
    if (this.#everywhere !== null) this.#findIn(this.#everywhere, attributes, touch);
    if (this.#namespaces.size > 0 && attributes !== null) {
      const scope = this.#namespaces.get(attributes.namespace);
      if (scope !== undefined) this.#findIn(scope, attributes, touch);
    }
  }

  #findIn(scope: QueryScope, attributes: RowAttributes | null, touch: VisitQuery): void {
    visitAll(scope.plain, touch);
    if (attributes === null) return;
    if (scope.labels.size > 0) {
      const {labels} = attributes;
      for (const label in labels) visitAll(scope.labels.get(label)?.get(labels[label] as string), touch);
    }
    if (scope.selecting.size > 0) this.#findSelecting(scope, attributes, touch);
  }

  // One pair is enough: a matching query has all pairs of the selector.
  #findSelecting(scope: QueryScope, attributes: RowAttributes, touch: VisitQuery): void {
    if (attributes.hasBrokenSelector) {
      visitAll(scope.selecting, touch);
      return;
    }
    const {selector} = attributes;
    let fewest: QueryNodeSet | undefined;
    let empty = true;
    for (const label in selector) {
      if (selector[label] === undefined) continue;
      empty = false;
      const found = scope.selects.get(label)?.get(selector[label] as string);
      if (found === undefined) return;
      if (fewest === undefined || found.size < fewest.size) fewest = found;
    }
    visitAll(empty ? scope.loose : fewest, touch);
  }

  buckets(): number {
    let count = this.#keys.size + this.#namespaces.size + (this.#everywhere === null ? 0 : 1);
    for (const buckets of this.#indexes.values()) count += buckets.size;
    return count;
  }
}

function visitAll(nodes: QueryNodeSet | undefined, touch: VisitQuery): void {
  if (nodes !== undefined) for (const node of nodes) touch(node);
}

function addTo(map: Map<string, QueryNodeSet>, key: string, node: QueryNode): void {
  const nodes = map.get(key);
  if (nodes === undefined) map.set(key, new Set([node]));
  else nodes.add(node);
}

function removeFrom(map: Map<string, QueryNodeSet>, key: string, node: QueryNode): void {
  const nodes = map.get(key);
  if (nodes?.delete(node) && nodes.size === 0) map.delete(key);
}

function addPair(pairs: NodesByLabel, label: string, value: string, node: QueryNode): void {
  let values = pairs.get(label);
  if (values === undefined) {
    values = new Map();
    pairs.set(label, values);
  }
  addTo(values, value, node);
}

function removePair(pairs: NodesByLabel, label: string, value: string, node: QueryNode): void {
  const values = pairs.get(label);
  if (values === undefined) return;
  removeFrom(values, value, node);
  if (values.size === 0) pairs.delete(label);
}
