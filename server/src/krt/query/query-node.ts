// One distinct query of a collection: the rows it selects, its frozen result that all inputs share, and those
// inputs. Every change updates it.

import {QueryUsers} from '../containers/query-users.ts';
import {type Row, type RowAttributes, type RowInput, settledValue} from '../containers/row.ts';
import {RowList} from '../containers/row-list.ts';
import type {Clause} from '../values/clause.ts';
import type {CollectionKind} from '../values/collection.ts';
import {refusePromise} from '../values/thenable.ts';
import {type DependencyRef, KEYS_SHOWN, type Via} from '../values/trace.ts';
import {clausesOf, type QuerySpec, textOfClauses} from './filter.ts';
import {type AttributeSource, ItemAttributes} from './item-attributes.ts';

export const SCAN: Via = Object.freeze({kind: 'scan'});
const MANY_KEYS = 8;

/** Which version of a changed row a query matched. */
export const OLD = 1;
export const NEW = 2;

interface CandidateSource {
  candidates(spec: QuerySpec): Iterable<Row>;
}

/** A collection as far as one of its queries needs it. */
export interface SelectedCollection extends AttributeSource {
  readonly kind: CollectionKind;
  readonly queries: CandidateSource | null;
  attributesOf(row: Row): RowAttributes;
  keyOf(item: unknown): string;
}

/** An input that asks a query. */
export interface QueryUser extends RowInput {
  /** It has to run again. */
  mark(): void;
}

export class QueryNode {
  readonly core: SelectedCollection;
  readonly spec: QuerySpec;
  readonly users = new QueryUsers<QueryUser>();
  via: Via = SCAN;
  /** The label under which query-index.ts files it, or ''. */
  anchor = '';
  /** The last change that touched it, as counted by collection-queries.ts. */
  stamp = 0;
  /** Rows examined for the current result. */
  scanned = 0;
  readonly #keySet: ReadonlySet<string> | null;
  /** Some part of the query reads attributes. */
  readonly #reads: boolean;
  #found: RowList | null = null;
  #shared: readonly unknown[] | null = null;
  /** A filter threw during the current change. */
  #unsure = false;
  #text: string | null = null;
  #clauses: readonly Clause[] | null = null;
  #keys: readonly string[] | null = null;
  #alone: readonly QueryNode[] | null = null;

  constructor(core: SelectedCollection, spec: QuerySpec) {
    this.core = core;
    this.spec = spec;
    const {keys} = spec;
    this.#reads = readsAttributes(spec);
    this.#keySet =
      keys !== null && typeof keys !== 'string' && keys.length > MANY_KEYS ? new Set(keys) : null;
  }

  /** A list with only this query, shared by all inputs with a single fetch. */
  get alone(): readonly QueryNode[] {
    this.#alone ??= [this];
    return this.#alone;
  }

  get text(): string {
    this.#text ??= textOfClauses(this.clauses);
    return this.#text;
  }

  get clauses(): readonly Clause[] {
    this.#clauses ??= clausesOf(this.spec);
    return this.#clauses;
  }

  /** Frozen and shared by all runs until it changes. */
  result(): readonly unknown[] {
    if (this.#shared === null) {
      this.#found ??= this.#evaluate();
      this.#shared = Object.freeze(this.#found.items.slice());
    }
    return this.#shared;
  }

  /** How traces name this dependency. */
  get ref(): DependencyRef {
    return {collection: this.core.name, uid: this.core.uid, filter: this.text};
  }

  /** Keys of the result, for the trace. */
  keys(): readonly string[] {
    this.result();
    this.#keys ??= Object.freeze((this.#found as RowList).rows.slice(0, KEYS_SHOWN).map(row => row.key));
    return this.#keys;
  }

  /** True if the result exists, so that reading it examines no rows. */
  get ready(): boolean {
    return this.#found !== null;
  }

  #evaluate(): RowList {
    const found = new RowList();
    let scanned = 0;
    for (const row of (this.core.queries as CandidateSource).candidates(this.spec)) {
      scanned++;
      const item = settledValue(row);
      if (item !== undefined && this.test(row.key, this.#attributesOf(row))) found.set(row, item);
    }
    this.scanned = scanned;
    this.#keys = null;
    return found;
  }

  /** Null if no part of the query reads attributes. */
  #attributesOf(row: Row): RowAttributes | null {
    return this.#reads ? this.core.attributesOf(row) : null;
  }

  /** Whether an item matches every part except the index. Throws what a filter throws. */
  test(key: string, attributes: RowAttributes | null): boolean {
    const {spec} = this;
    if (spec.keys !== null && !this.#hasKey(key)) return false;
    if (attributes === null) return true;
    if (spec.namespace !== null && attributes.namespace !== spec.namespace) return false;
    if (spec.labels !== null && !hasLabels(attributes.labels, spec.labels)) return false;
    if (spec.selects !== null && !isSelected(attributes.selector, spec.selects, spec.nonEmpty)) return false;
    return spec.generic === null || Boolean(refusePromise(spec.generic(attributes.view), 'a generic filter'));
  }

  /** Whether an item, in the collection or not, would be selected. Throws what a filter throws. */
  selects(key: string, item: unknown): boolean {
    const {index, indexKey} = this.spec;
    if (index !== null && !index.keysOf(item).includes(indexKey)) return false;
    return this.test(key, new ItemAttributes(this.core, key, item, true));
  }

  #hasKey(key: string): boolean {
    const {keys} = this.spec;
    if (typeof keys === 'string') return keys === key;
    return this.#keySet !== null ? this.#keySet.has(key) : (keys as readonly string[]).includes(key);
  }

  /** Like test(), for a row in the index buckets `filed`. */
  #matches(row: Row, attributes: RowAttributes | null, filed: readonly string[] | undefined): boolean {
    if (filed !== undefined && !filed.includes(this.spec.indexKey)) return false;
    try {
      return this.test(row.key, attributes);
    } catch {
      // Count a throw as a match: the input runs again and fails visibly.
      this.reset();
      this.#unsure = true;
      return true;
    }
  }

  /** Applies a change. Gives which versions matched, or 0 if no input has to run. */
  changed(row: Row, old: unknown, now: unknown, was: RowAttributes | null): number {
    const index = this.spec.index;
    this.#unsure = false;
    let before: boolean;
    if (this.#found !== null) before = this.#found.has(row);
    else before = old !== undefined && this.#matches(row, was, index?.moved.from);
    const after = now !== undefined && this.#matches(row, this.#attributesOf(row), index?.moved.to);
    if (!before && !after) return 0;
    if (this.#found !== null) this.#take(this.#found, row, now, after);
    if (before && after && !this.#unsure && this.#suppressed(old, now)) return 0;
    return (before ? OLD : 0) | (after ? NEW : 0);
  }

  #take(found: RowList, row: Row, now: unknown, after: boolean): void {
    this.#shared = null;
    this.scanned = 0;
    if (!after) {
      found.delete(row);
      this.#keys = null;
    } else if (found.set(row, now) && found.rows.length <= KEYS_SHOWN) this.#keys = null;
  }

  /** The row has a new item that is equal and was not announced. */
  replaced(row: Row, now: unknown): void {
    if (this.#found === null || !this.#found.has(row)) return;
    this.#found.set(row, now);
    this.#shared = null;
  }

  #suppressed(old: unknown, now: unknown): boolean {
    const {project, same} = this.spec;
    if (project === null || same === null) return false;
    try {
      return Boolean(
        refusePromise(
          same(projectPart(project, old), projectPart(project, now)),
          'the equality of a partial fetch',
        ),
      );
    } catch {
      return false;
    }
  }

  /** Drops the result; the next reader evaluates the query again. */
  reset(): void {
    this.#found = null;
    this.#shared = null;
    this.#keys = null;
  }
}

/** The part of an item that a partial fetch gives. */
export function projectPart(project: (item: unknown) => unknown, item: unknown): unknown {
  return refusePromise(project(item), 'the projection of a partial fetch');
}

export function readsAttributes({namespace, labels, selects, generic}: QuerySpec): boolean {
  return namespace !== null || labels !== null || selects !== null || generic !== null;
}

type QueryLabels = Readonly<Record<string, string | undefined>>;

function hasLabels(labels: QueryLabels, wanted: QueryLabels): boolean {
  for (const label in wanted) if (labels[label] !== wanted[label]) return false;
  return true;
}

export function isSelected(selector: QueryLabels, labels: QueryLabels, nonEmpty: boolean): boolean {
  let empty = true;
  for (const label in selector) {
    if (selector[label] === undefined) continue;
    empty = false;
    if (labels[label] !== selector[label]) return false;
  }
  return !(empty && nonEmpty);
}
