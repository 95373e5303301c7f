// The queries of a collection, and the inputs that a change makes run again. candidate-index.ts finds rows
// for a query; query-index.ts finds queries for a row.

import {QueryTrie} from '../containers/query-trie.ts';
import {ReusableList} from '../containers/reusable-list.ts';
import type {Row, RowAttributes} from '../containers/row.ts';
import type {Labels} from '../values/labels.ts';
import {CandidateIndex, candidateRows, type RowProvider} from './candidate-index.ts';
import type {QueryableIndex, QuerySpec} from './filter.ts';
import {QueryIndex} from './query-index.ts';
import {QueryNode, type QueryUser, readsAttributes, type SelectedCollection} from './query-node.ts';

/** A collection as far as all of its queries need it. */
export interface QueriedCollection extends SelectedCollection, RowProvider {
  readonly rows: SelectedCollection['rows'] & RowProvider['rows'];
  queries: CollectionQueries | null;
  readonly indexes: readonly QueryableIndex[];
  readonly engine: SelectedCollection['engine'] & {
    readonly recorder: {fetchCause(user: QueryUser, node: QueryNode, row: Row, matched: number): void} | null;
  };
}

/** Dropped with all its indexes after the last query. */
export class CollectionQueries {
  readonly core: QueriedCollection;
  #forward: CandidateIndex;
  readonly #reverse = new QueryIndex();
  readonly #nodes = new Set<QueryNode>();
  readonly #interned = new QueryTrie<QueryNode>();
  /** How many queries read attributes. */
  #reading = 0;
  readonly #touched = new ReusableList<QueryNode>();
  #stamp = 0;
  readonly #touch = (node: QueryNode): void => {
    if (node.stamp === this.#stamp) return;
    node.stamp = this.#stamp;
    this.#touched.add(node);
  };

  constructor(core: QueriedCollection) {
    this.core = core;
    this.#forward = new CandidateIndex(core);
  }

  get count(): number {
    return this.#nodes.size;
  }

  /** The node of this query, if there is one. */
  find(spec: QuerySpec): QueryNode | null {
    return this.#interned.find(spec);
  }

  /** The node of this query, created if it is new. Takes over the spec. */
  intern(spec: QuerySpec): QueryNode {
    // Copies the values first: the given labels may change their answer.
    const existing = this.#interned.find(spec.copyValues());
    if (existing !== null) return existing;
    const node = new QueryNode(this.core, spec);
    if (isLookedUpByLabels(spec)) {
      node.anchor = this.#forward.byLabels(spec.labels, spec.namespace).anchor;
      this.#forward.retain(spec.labels, spec.namespace);
    }
    this.#reverse.add(node);
    this.#nodes.add(node);
    this.#interned.add(node);
    if (readsAttributes(spec)) this.#reading++;
    return node;
  }

  /** The rows that may match a query. */
  candidates(spec: QuerySpec): Iterable<Row> {
    return candidateRows(this.core, this.#forward, spec);
  }

  /** Frees a node without users. */
  drop(node: QueryNode): void {
    this.#reverse.remove(node);
    this.#nodes.delete(node);
    this.#interned.delete(node);
    if (isLookedUpByLabels(node.spec)) this.#forward.release(node.spec.labels, node.spec.namespace);
    // Unused indexes are not updated, so a later query must not find them.
    if (readsAttributes(node.spec) && --this.#reading === 0) this.#forward = new CandidateIndex(this.core);
    node.reset();
    this.forgetIfUnused();
  }

  forgetIfUnused(): void {
    if (this.#nodes.size === 0) this.core.queries = null;
  }

  /** Updates indexes and results, and marks every input whose query the change touches. */
  changed(row: Row, old: unknown, now: unknown, was: RowAttributes | null): void {
    const {engine} = this.core;
    const reads = this.#reading > 0;
    const before = reads && old !== undefined ? was : null;
    const after = reads && now !== undefined ? this.core.attributesOf(row) : null;
    if (reads) this.#forward.changed(row, before, after);
    this.#stamp++;
    if (old !== undefined) this.#reverse.find(row.key, before, 'from', this.#touch);
    if (now !== undefined) this.#reverse.find(row.key, after, 'to', this.#touch);
    const touched = this.#touched;
    const {recorder} = engine;
    for (let i = 0; i < touched.count; i++) {
      const node = touched.at(i);
      const matched = node.changed(row, old, now, before);
      if (matched === 0) continue;
      for (const user of node.users) {
        if (recorder !== null) recorder.fetchCause(user, node, row, matched);
        user.mark();
      }
    }
    touched.clear();
  }

  /** A row has a new item that is equal and was not announced. */
  replaced(row: Row, now: unknown): void {
    for (const index of this.core.indexes) index.markUnmoved(row);
    this.#stamp++;
    this.#reverse.find(row.key, this.#reading > 0 ? this.core.attributesOf(row) : null, 'to', this.#touch);
    const touched = this.#touched;
    for (let i = 0; i < touched.count; i++) touched.at(i).replaced(row, now);
    touched.clear();
  }

  buckets(): number {
    return this.#reverse.buckets() + this.#forward.buckets();
  }

  get nodes(): Iterable<QueryNode> {
    return this.#nodes;
  }
}

function isLookedUpByLabels(spec: QuerySpec): spec is QuerySpec & {labels: Labels} {
  return spec.keys === null && spec.index === null && spec.labels !== null;
}
