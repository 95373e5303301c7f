// The buckets of an index that a user adds to a collection, complete from the moment it exists.

import type {Row} from '../containers/row.ts';
import {EngineError} from '../values/error.ts';
import {errorText} from '../values/error-text.ts';
import {CALLBACK_CODE, type RunningCode} from '../values/running-code.ts';
import {isThenable, refusePromise, silenceRejections} from '../values/thenable.ts';
import type {QueryableIndex} from './filter.ts';

export type IndexFunction = (item: unknown) => Iterable<unknown> | null | undefined;
type BucketKeys = readonly string[];

const NO_KEYS: BucketKeys = Object.freeze([]) as BucketKeys;
const NO_ROWS: ReadonlySet<Row> = new Set();

/** A collection as far as its indexes need it. */
export interface IndexedCollection {
  readonly name: string;
  readonly uid: number;
  /** Written from outside: its indexes follow each write, not each announcement. */
  readonly root: boolean;
  readonly rows: {values(): Iterable<Row>};
  readonly indexes: readonly IndexCore[];
  visibleItem(row: Row): unknown;
  readonly engine: {
    running: RunningCode | null;
    readonly violationStore: {
      readonly size: number;
      clear(code: 'index-failed', collection: IndexedCollection, id: string): void;
    };
    nextIndexUid(): number;
    callUserFunction<R>(f: () => R): R;
    resumeOuterCode(outer: RunningCode | null): void;
    report(
      code: 'index-failed',
      collection: IndexedCollection,
      keys: string[],
      message: string,
      id: string,
    ): void;
  };
}

export class IndexCore implements QueryableIndex {
  readonly core: IndexedCollection;
  readonly name: string;
  readonly uid: number;
  readonly extract: IndexFunction;
  readonly buckets = new Map<string, Set<Row>>();
  /** The buckets of each row. The function may give another answer, or throw, when called again. */
  readonly #filed = new Map<Row, BucketKeys>();
  /** The buckets of each changed row before this batch. */
  readonly #before = new Map<Row, BucketKeys>();
  /** Texts of keys that are not strings. */
  readonly #typed = new Set<string>();
  /** Buckets that the row being announced has left and entered. */
  moved: {from: BucketKeys; to: BucketKeys} = {from: NO_KEYS, to: NO_KEYS};

  constructor(core: IndexedCollection, name: string | undefined, extract: IndexFunction) {
    this.core = core;
    this.uid = core.engine.nextIndexUid();
    this.name = name ?? `index${this.uid}`;
    this.extract = extract;
    core.engine.callUserFunction(() => {
      for (const row of core.rows.values()) this.#fileFirst(row);
    });
  }

  #fileFirst(row: Row): void {
    const {core} = this;
    const item = core.visibleItem(row);
    if (item !== undefined) this.#move(row, NO_KEYS, this.keysOf(item, true));
    // Changes of an open batch are not announced yet.
    if (core.root && row.dirty) {
      this.#before.set(row, row.before === undefined ? NO_KEYS : this.keysOf(row.before));
    }
  }

  /** Throws if the index was dropped, because its content is outdated. */
  refuseDropped(): void {
    if (this.core.indexes.includes(this)) return;
    throw new EngineError(
      'index-dropped',
      `index "${this.name}" of "${this.core.name}" was dropped; make another one with newIndex`,
    );
  }

  /** Clears the index, which has no users any more. */
  drop(): void {
    const {violationStore} = this.core.engine;
    for (const row of this.core.rows.values())
      violationStore.clear('index-failed', this.core, this.#faultOf(row));
    this.buckets.clear();
    this.#filed.clear();
    this.#before.clear();
    this.#typed.clear();
  }

  /** The row has a new item that was not announced, in the same buckets. */
  markUnmoved(row: Row): void {
    const filed = this.#filed.get(row) ?? NO_KEYS;
    this.moved = {from: filed, to: filed};
  }

  /**
   * The keys that the function of the user gives, or throws what it throws. `filing`: the item is in the
   * collection.
   */
  keysOf(item: unknown, filing = false): BucketKeys {
    const keys = this.extract(item);
    if (keys === null || keys === undefined) return NO_KEYS;
    if (typeof keys === 'string') return [keys];
    const texts = new Set<string>();
    const typed: string[] = [];
    try {
      for (const key of refusePromise(keys, this)) {
        const text = typeof key === 'string' ? key : String(refusePromise(key, this));
        if (typeof key !== 'string') typed.push(text);
        texts.add(text);
      }
    } catch (error) {
      silenceRejections(keys);
      throw isList(keys) ? error : this.#noList();
    }
    if (filing) for (const text of typed) this.#typed.add(text);
    return [...texts];
  }

  #noList(): EngineError {
    return new EngineError('wiring', `the function of ${this} must give a list of keys, or nothing`);
  }

  /**
   * Files a row by its new item. If the function throws, the row is in no bucket, and the violation is
   * reported.
   */
  write(row: Row, item: unknown): void {
    const from = this.#filed.get(row) ?? NO_KEYS;
    if (!this.#before.has(row)) this.#before.set(row, from);
    this.#move(row, from, item === undefined ? NO_KEYS : this.#read(row, item));
  }

  /** Rows of an open batch that are not announced yet. */
  get unannounced(): number {
    return this.#before.size;
  }

  /** The batch undid its change of the row, so nothing is announced. */
  revertRow(row: Row): void {
    this.#before.delete(row);
  }

  /** Sets `moved` for the row that is being announced. */
  announce(row: Row): void {
    const to = this.#filed.get(row) ?? NO_KEYS;
    this.moved = {from: this.#before.get(row) ?? to, to};
    this.#before.delete(row);
  }

  #read(row: Row, item: unknown): BucketKeys {
    const {core} = this;
    const {engine} = core;
    const outer = engine.running;
    engine.running = CALLBACK_CODE;
    try {
      const keys = this.keysOf(item, true);
      if (engine.violationStore.size > 0)
        engine.violationStore.clear('index-failed', core, this.#faultOf(row));
      return keys;
    } catch (error) {
      const text = errorText(error);
      const message = `index "${this.name}" of "${core.name}" cannot file "${row.key}": ${text}; it lies in no bucket`;
      engine.report('index-failed', core, [row.key, this.name], message, this.#faultOf(row));
      return NO_KEYS;
    } finally {
      engine.resumeOuterCode(outer);
    }
  }

  #faultOf(row: Row): string {
    return `${this.uid} ${row.key}`;
  }

  #move(row: Row, from: BucketKeys, to: BucketKeys): void {
    if (to.length === 0) this.#filed.delete(row);
    else this.#filed.set(row, to);
    for (const key of from) {
      if (to.includes(key)) continue;
      const bucket = this.buckets.get(key);
      if (bucket?.delete(row) && bucket.size === 0) {
        this.buckets.delete(key);
        this.#typed.delete(key);
      }
    }
    for (const key of to) {
      const bucket = this.buckets.get(key);
      if (bucket === undefined) this.buckets.set(key, new Set([row]));
      else bucket.add(row);
    }
    const {violationStore} = this.core.engine;
    if (row.value === undefined && violationStore.size > 0)
      violationStore.clear('index-failed', this.core, this.#faultOf(row));
  }

  /** The error if a bucket needs a parser to become a row. */
  needsParser(key?: string): EngineError | undefined {
    if (key === undefined ? this.#typed.size === 0 : !this.#typed.has(key)) return undefined;
    return new EngineError(
      'from-string',
      `index "${this.name}" has keys that are not texts; give asCollection the option fromString`,
    );
  }

  bucket(key: string): ReadonlySet<Row> {
    return this.buckets.get(key) ?? NO_ROWS;
  }

  itemsOf(key: string): unknown[] {
    const items: unknown[] = [];
    for (const row of this.bucket(key)) {
      const item = this.core.visibleItem(row);
      if (item !== undefined) items.push(item);
    }
    return items;
  }

  /** Sorted by key, so that the same items give the same row. */
  sortedItemsOf(key: string): unknown[] {
    const rows = [...this.bucket(key)].sort((a, b) => (a.key < b.key ? -1 : 1));
    return rows.map(row => row.value).filter(item => item !== undefined);
  }

  toString(): string {
    return `index "${this.name}"`;
  }
}

function isList(keys: unknown): boolean {
  return typeof keys === 'object' && keys !== null && (isThenable(keys) || Symbol.iterator in keys);
}
