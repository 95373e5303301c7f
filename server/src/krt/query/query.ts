// Interned queries: one node per distinct query of a collection; which items a query may find, and which queries
// a change touches.

import type {Core} from '../graph/core.ts';
import type {Row} from '../graph/row.ts';
import {type Filter, type Spec, signature, specOf} from './filter.ts';
import {Forward} from './forward.ts';
import {QueryNode} from './query-node.ts';
import {Reverse} from './reverse.ts';
import {Shortcuts} from './shortcut.ts';

/** The queries of one collection. Gone, with all its indexes, as soon as nobody asks any more. */
export class Queries {
  readonly core: Core;
  readonly forward: Forward;
  readonly #reverse: Reverse;
  readonly #interned = new Map<string, QueryNode>();
  readonly #shortcuts = new Shortcuts();
  #count = 0;
  #touched: QueryNode[] = [];
  #stamp = 0;
  readonly #touch = (node: QueryNode): void => {
    if (node.stamp === this.#stamp) return;
    node.stamp = this.#stamp;
    this.#touched.push(node);
  };

  constructor(core: Core) {
    this.core = core;
    this.forward = new Forward(core);
    this.#reverse = new Reverse(core);
  }

  get count(): number {
    return this.#count;
  }

  /** The node of the query that these filters add up to. */
  ask(filters: readonly Filter[]): QueryNode {
    const known = this.#shortcuts.find(filters);
    if (known !== null) return known;
    const node = this.intern(specOf(filters));
    this.#shortcuts.add(filters, node);
    return node;
  }

  /** The node of this query; made, filed and counted if it is new. */
  intern(spec: Spec): QueryNode {
    const text = signature(spec);
    const held = text === null ? undefined : this.#interned.get(text);
    if (held !== undefined) return held;
    const node = new QueryNode(this.core, ownSpec(spec), text);
    if (spec.keys === null && spec.index === null && spec.labels !== null) {
      node.anchor = this.forward.byLabels(spec.labels, spec.namespace).anchor;
    }
    this.#reverse.add(node);
    if (text !== null) this.#interned.set(text, node);
    this.#count++;
    return node;
  }

  /** The items worth testing for a query, by the narrowest index that knows any. */
  candidates(spec: Spec): Iterable<Row> {
    const rows = this.core.rows;
    if (typeof spec.keys === 'string') return only(rows.get(spec.keys));
    if (spec.keys !== null) return spec.keys.flatMap(key => only(rows.get(key)));
    if (spec.index !== null) return spec.index.bucket(spec.indexKey);
    if (spec.labels !== null && hasPairs(spec.labels)) {
      return this.forward.byLabels(spec.labels, spec.namespace).rows;
    }
    if (spec.selects !== null) return this.forward.bySelector(spec.selects, spec.nonEmpty, spec.namespace);
    if (spec.namespace !== null) return this.forward.byNamespace(spec.namespace);
    return rows.values();
  }

  /** Frees a node that nobody uses. */
  drop(node: QueryNode): void {
    this.#reverse.remove(node);
    this.#shortcuts.remove(node);
    if (node.signature !== null) this.#interned.delete(node.signature);
    node.reset();
    this.#count--;
    if (this.#count === 0) this.core.queries = null;
  }

  /** Keeps indexes and results, and marks every input whose query the change touches. */
  changed(row: Row, old: unknown, now: unknown): void {
    this.forward.changed(row, old, now);
    this.#stamp++;
    const touched = this.#touched;
    if (old !== undefined) this.#reverse.find(row.key, old, this.#touch);
    if (now !== undefined) this.#reverse.find(row.key, now, this.#touch);
    if (touched.length === 0) return;
    this.#touched = [];
    const engine = this.core.engine;
    const recorder = engine.recorder;
    for (const node of touched) {
      const matched = node.changed(row, old, now, engine.nextSequence);
      if (matched === 0) continue;
      if (recorder !== null) node.users.each(user => recorder.fetchCause(user, node, row, matched));
      node.users.mark();
    }
  }

  /** The collection has another name: what was made ready for traces says the old one. */
  renamed(): void {
    for (const node of this.#interned.values()) node.renamed();
  }

  buckets(): number {
    return this.#reverse.buckets() + this.forward.buckets();
  }

  users(): number {
    let count = 0;
    for (const node of this.#interned.values()) count += node.users.size;
    return count;
  }
}

function only(row: Row | undefined): Row[] {
  return row === undefined ? [] : [row];
}

function hasPairs(labels: Readonly<Record<string, string>>): boolean {
  for (const _ in labels) return true;
  return false;
}

// The user may change a map or list after the fetch; the query must not.
function ownSpec(spec: Spec): Spec {
  if (spec.labels !== null) spec.labels = Object.freeze({...spec.labels});
  if (spec.selects !== null) spec.selects = Object.freeze({...spec.selects});
  return spec;
}
