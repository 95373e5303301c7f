// One distinct query of a collection, with one shared frozen result that changes keep up to date, and the inputs
// that depend on it.

import type {Core} from '../graph/core.ts';
import type {Row} from '../graph/row.ts';
import {type DependencyRef, type FetchRecord, KEYS_SHOWN, type Via} from '../trace/trace.ts';
import {
  type Clause,
  clausesOf,
  type Filter,
  LABELS,
  NAMESPACE,
  SELECTS,
  SELECTS_NON_EMPTY,
  type Spec,
  textOf,
} from './filter.ts';
import type {Queries} from './query.ts';
import type {Step} from './shortcut.ts';
import {Users} from './users.ts';

const SCAN: Via = {kind: 'scan'};
const MANY_KEYS = 8;

export class QueryNode {
  readonly core: Core;
  readonly spec: Spec;
  readonly signature: string | null;
  readonly users = new Users();
  /** The queries of an input that asks this one alone, shared by all such inputs. */
  readonly alone: readonly QueryNode[] = [this];
  /** Where shortcuts lead here. */
  readonly ends: Step[] = [];
  via: Via = SCAN;
  /** The label that reverse.ts files it under; '' if by none. */
  anchor = '';
  stamp = 0;
  scanned = 0;
  /** The kind of its labels' filter if it is a namespace and labels and nothing else, or -1. */
  private readonly pairKind: number;
  private readonly labelNames: readonly string[];
  private readonly labelValues: readonly string[];
  #keySet: ReadonlySet<string> | null = null;
  /** What matches, ours to change; copying a frozen list is slow, so results are copied from here. */
  private items: unknown[] | null = null;
  private shared: readonly unknown[] | null = null;
  private olds: unknown[] | null = null;
  #news: unknown[] | null = null;
  #since = 0;
  #text: string | null = null;
  #clauses: readonly Clause[] | null = null;
  #keys: readonly string[] | null = null;
  #ref: DependencyRef | null = null;
  #record: FetchRecord | null = null;

  constructor(core: Core, spec: Spec, text: string | null) {
    this.core = core;
    this.spec = spec;
    this.signature = text;
    if (spec.keys !== null && typeof spec.keys !== 'string' && spec.keys.length > MANY_KEYS) {
      this.#keySet = new Set(spec.keys);
    }
    const labels = spec.selects ?? spec.labels ?? {};
    this.pairKind = pairKind(spec);
    this.labelNames = Object.keys(labels);
    this.labelValues = Object.values(labels);
  }

  /** Whether a namespace and labels are this query, as sameQuery would say. */
  isPair(namespace: Filter, labels: Filter): boolean {
    if (labels.kind !== this.pairKind || namespace.kind !== NAMESPACE) return false;
    if (namespace.value !== this.spec.namespace) return false;
    const wanted = labels.value as Readonly<Record<string, string>>;
    const names = this.labelNames;
    let at = 0;
    for (const name in wanted) {
      const place = name === names[at] ? at : names.indexOf(name);
      if (place < 0 || wanted[name] !== this.labelValues[place]) return false;
      at++;
    }
    return at === names.length;
  }

  get text(): string {
    this.#text ??= textOf(this.clauses);
    return this.#text;
  }

  get clauses(): readonly Clause[] {
    this.#clauses ??= clausesOf(this.spec);
    return this.#clauses;
  }

  /** Shared by all runs of this query until it changes, and frozen. */
  result(): readonly unknown[] {
    if (this.olds !== null) this.#applyPending();
    if (this.shared === null) this.#materialise();
    return this.shared as readonly unknown[];
  }

  /** What a trace says of whoever comes to depend on it. */
  get ref(): DependencyRef {
    this.#ref ??= {collection: this.core.name, uid: this.core.uid, filter: this.text};
    return this.#ref;
  }

  /** Keys of the result, for the trace. */
  keys(): readonly string[] {
    const found = this.result();
    if (this.#keys === null) {
      const {keys: asked} = this.spec;
      // What was asked for by its key has that key; reading it again would make a new text of it each time.
      if (typeof asked === 'string' && found.length === 1) {
        this.#keys = [asked];
        return this.#keys;
      }
      const count = Math.min(found.length, KEYS_SHOWN);
      const keys: string[] = new Array(count);
      for (let i = 0; i < count; i++) keys[i] = this.core.keyOf(found[i]);
      this.#keys = keys;
    }
    return this.#keys;
  }

  /** What a trace says of a fetch that finds the result ready; one object for all of them until it changes. */
  record(): FetchRecord {
    const matched = this.result().length;
    const keys = this.keys();
    const known = this.#record;
    if (known !== null && known.keys === keys && known.matched === matched) return known;
    const {core, text, clauses, via} = this;
    const {name: collection, uid} = core;
    this.#record = {collection, uid, filter: text, clauses, matched, scanned: 0, via, keys};
    return this.#record;
  }

  /** True if the shared result is there, so that reading it looks at nothing. */
  get ready(): boolean {
    return this.items !== null;
  }

  #materialise(): void {
    if (this.items === null) this.#evaluate();
    this.shared = Object.freeze((this.items as unknown[]).slice());
  }

  #evaluate(): void {
    const found: unknown[] = [];
    let scanned = 0;
    for (const row of (this.core.queries as Queries).candidates(this.spec)) {
      scanned++;
      const item = row.value;
      if (item !== undefined && this.test(row.key, item)) found.push(item);
    }
    this.scanned = scanned;
    this.#keys = null;
    this.items = found;
    this.shared = null;
  }

  /** Whether an item matches every part; throws what a part throws. */
  test(key: string, item: unknown): boolean {
    const spec = this.spec;
    const core = this.core;
    if (spec.keys !== null && !this.#hasKey(key)) return false;
    const view = core.augment === null ? item : core.augment(item);
    if (spec.namespace !== null && core.namespaceOfView(view) !== spec.namespace) return false;
    if (spec.labels !== null && !holds(core.labelsOfView(view), spec.labels)) return false;
    if (spec.selects !== null) {
      const selector = core.selectorOfView(view);
      let empty = true;
      for (const label in selector) {
        empty = false;
        if (spec.selects[label] !== selector[label]) return false;
      }
      if (empty && spec.nonEmpty) return false;
    }
    if (spec.index !== null && !spec.index.keysOf(item).includes(spec.indexKey)) return false;
    return spec.generic === null || Boolean(spec.generic(view));
  }

  #hasKey(key: string): boolean {
    const keys = this.spec.keys;
    if (typeof keys === 'string') return keys === key;
    return this.#keySet !== null ? this.#keySet.has(key) : (keys as readonly string[]).includes(key);
  }

  // A test that throws counts as a match: the run asks anew, and fails where it can be seen.
  #matches(key: string, item: unknown): boolean {
    try {
      return this.test(key, item);
    } catch {
      this.reset();
      return true;
    }
  }

  /** Takes over a change of the collection; 0 if it does not matter to the inputs, else which version matched. */
  changed(row: Row, old: unknown, now: unknown, sequence: number): number {
    const before = old !== undefined && this.#matches(row.key, old);
    const after = now !== undefined && this.#matches(row.key, now);
    if (!before && !after) return 0;
    if (this.items !== null) {
      this.#pend(before ? old : undefined, after ? now : undefined, sequence);
    }
    if (before && after && this.#suppressed(old, now)) return 0;
    return (before ? OLD : 0) | (after ? NEW : 0);
  }

  #suppressed(old: unknown, now: unknown): boolean {
    const {project, same} = this.spec;
    if (project === null || same === null) return false;
    try {
      return same(project(old), project(now));
    } catch {
      return false;
    }
  }

  // Within a batch an item changes once, so pending pairs never chain; across batches they could.
  #pend(old: unknown, now: unknown, sequence: number): void {
    if (this.olds !== null && this.#since !== sequence) this.#applyPending();
    if (this.olds === null || this.#news === null) {
      this.olds = [old];
      this.#news = [now];
      this.#since = sequence;
    } else {
      this.olds.push(old);
      this.#news.push(now);
    }
  }

  #applyPending(): void {
    const olds = this.olds as unknown[];
    const news = this.#news as unknown[];
    this.olds = null;
    this.#news = null;
    const items = this.items;
    if (items === null) return;
    if (olds.length === 1)
      this.#shift(replace(items, olds[0], news[0]), olds[0] !== undefined && news[0] !== undefined);
    else {
      this.items = merged(items, olds, news);
      this.#keys = null;
    }
    this.shared = null;
    this.scanned = 0;
  }

  /** The item at a place is another one now: in its stead under the same key, or new, or come from the end. */
  #shift(at: number, sameKey: boolean): void {
    const keys = this.#keys;
    if (keys === null || sameKey) return;
    const items = this.items as unknown[];
    // Of a long list only the beginning is told, and mostly that has not moved.
    if (keys.length < KEYS_SHOWN || items.length < KEYS_SHOWN) this.#keys = null;
    else if (at < KEYS_SHOWN) this.#keys = keys.with(at, this.core.keyOf(items[at]));
  }

  renamed(): void {
    this.#ref = null;
    this.#record = null;
  }

  /** After an evaluation threw: nothing half-built may be shown. */
  reset(): void {
    this.items = null;
    this.shared = null;
    this.olds = null;
    this.#news = null;
  }
}

function pairKind(spec: Spec): number {
  if (spec.parts !== 2 || spec.project !== null || spec.namespace === null) return -1;
  if (spec.labels !== null) return LABELS;
  if (spec.selects === null) return -1;
  return spec.nonEmpty ? SELECTS_NON_EMPTY : SELECTS;
}

export const OLD = 1;
export const NEW = 2;

function holds(labels: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): boolean {
  for (const label in wanted) if (labels[label] !== wanted[label]) return false;
  return true;
}

/** Gives the place that it touched. */
function replace(items: unknown[], old: unknown, now: unknown): number {
  if (old === undefined) return items.push(now) - 1;
  const at = items.indexOf(old);
  if (now !== undefined) items[at] = now;
  else {
    const last = items.pop();
    if (at < items.length) items[at] = last;
  }
  return at;
}

function merged(result: readonly unknown[], olds: readonly unknown[], news: readonly unknown[]): unknown[] {
  const moves = new Map<unknown, unknown>();
  const added: unknown[] = [];
  for (let i = 0; i < olds.length; i++) {
    if (olds[i] === undefined) added.push(news[i]);
    else moves.set(olds[i], news[i]);
  }
  const copy: unknown[] = [];
  for (const item of result) {
    if (!moves.has(item)) copy.push(item);
    else {
      const now = moves.get(item);
      if (now !== undefined) copy.push(now);
    }
  }
  for (const item of added) copy.push(item);
  return copy;
}
