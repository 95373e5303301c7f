// One distinct query of a collection: which rows it selects, kept up to date by every change, one frozen result that
// all who ask share, and the inputs that depend on it.

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
  /** The label that query-index.ts files it under; '' if by none. */
  anchor = '';
  /** The change that touched it last; collection-queries.ts counts them. */
  stamp = 0;
  /** Items looked at for the result that stands. */
  scanned = 0;
  readonly #keySet: ReadonlySet<string> | null;
  /** Some part of it looks at an item's attributes. */
  readonly #reads: boolean;
  #found: RowList | null = null;
  #shared: readonly unknown[] | null = null;
  /** A part of it threw for the change that is being taken over. */
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

  /** The list of this query alone, shared by all inputs that ask nothing else. */
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

  /** Shared by all runs of this query until it changes, and frozen. */
  result(): readonly unknown[] {
    if (this.#shared === null) {
      this.#found ??= this.#evaluate();
      this.#shared = Object.freeze(this.#found.items.slice());
    }
    return this.#shared;
  }

  /** What a trace says of whoever comes to depend on it. */
  get ref(): DependencyRef {
    return {collection: this.core.name, uid: this.core.uid, filter: this.text};
  }

  /** Keys of the result, for the trace. */
  keys(): readonly string[] {
    this.result();
    this.#keys ??= Object.freeze((this.#found as RowList).rows.slice(0, KEYS_SHOWN).map(row => row.key));
    return this.#keys;
  }

  /** True if the result is there, so that reading it looks at nothing. */
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

  /** null where no part of the query would look at them. */
  #attributesOf(row: Row): RowAttributes | null {
    return this.#reads ? this.core.attributesOf(row) : null;
  }

  /** Whether an item matches every part but the index, whose bucket it lies in; throws what a part throws. */
  test(key: string, attributes: RowAttributes | null): boolean {
    const {spec} = this;
    if (spec.keys !== null && !this.#hasKey(key)) return false;
    if (attributes === null) return true;
    if (spec.namespace !== null && attributes.namespace !== spec.namespace) return false;
    if (spec.labels !== null && !hasLabels(attributes.labels, spec.labels)) return false;
    if (spec.selects !== null && !isSelected(attributes.selector, spec.selects, spec.nonEmpty)) return false;
    return spec.generic === null || Boolean(refusePromise(spec.generic(attributes.view), 'a generic filter'));
  }

  /** Whether an item that need not be in the collection would be selected; throws what a part throws. */
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

  /** As test; `filed` says in which buckets of the query's index the row lies. */
  #matches(row: Row, attributes: RowAttributes | null, filed: readonly string[] | undefined): boolean {
    if (filed !== undefined && !filed.includes(this.spec.indexKey)) return false;
    try {
      return this.test(row.key, attributes);
    } catch {
      // It counts as a match: the run asks anew, and fails where it can be seen.
      this.reset();
      this.#unsure = true;
      return true;
    }
  }

  /** Takes over a change of the collection; 0 if it does not matter to the inputs, else which version matched. */
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

  /** The row has another item that is equal and was not announced. */
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

  /** Nothing half-built may be shown: the next one who asks has it evaluated anew. */
  reset(): void {
    this.#found = null;
    this.#shared = null;
    this.#keys = null;
  }
}

/** What a partial fetch gives of an item. */
export function projectPart(project: (item: unknown) => unknown, item: unknown): unknown {
  return refusePromise(project(item), 'the projection of a partial fetch');
}

export function readsAttributes({namespace, labels, selects, generic}: QuerySpec): boolean {
  return namespace !== null || labels !== null || selects !== null || generic !== null;
}

type LabelMap = Readonly<Record<string, string | undefined>>;

function hasLabels(labels: LabelMap, wanted: LabelMap): boolean {
  for (const label in wanted) if (labels[label] !== wanted[label]) return false;
  return true;
}

export function isSelected(selector: LabelMap, labels: LabelMap, nonEmpty: boolean): boolean {
  let empty = true;
  for (const label in selector) {
    if (selector[label] === undefined) continue;
    empty = false;
    if (labels[label] !== selector[label]) return false;
  }
  return !(empty && nonEmpty);
}
