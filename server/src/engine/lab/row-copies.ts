// Copies of the collections that drafts name, each a source of a small engine.

import {deepFreeze} from '@krtscope/shared/json/deep-copy.ts';
import type {FormulaEnvironment} from '../../formula/sandbox/formula-scope.ts';
import {createPathIndex} from '../../formula/sandbox/path-index.ts';
import {labelsOf, namespaceOf} from '../../formula/sandbox/row-keys.ts';
import {
  type Collection,
  type Engine,
  type Index,
  newStaticCollection,
  newSyncLatch,
  type StaticCollection,
  type SyncLatch,
} from '../../krt/index.ts';
import type {ToLab} from '../link/lab-messages.ts';
import {PreparedDrafts} from './prepared-drafts.ts';

interface CollectionCopy {
  readonly collection: StaticCollection<unknown>;
  readonly latch: SyncLatch;
  /** Rows keep the keys that they have in the engine process. */
  readonly rows: Map<string, unknown>;
  /** The rows in the order of their keys, made on demand. */
  sorted: readonly LabRow[] | undefined;
  readonly indexes: Map<string, Index<unknown, string>>;
}

export type LabRow = readonly [key: string, row: unknown];

export class RowCopies implements FormulaEnvironment {
  readonly engine: Engine;
  readonly drafts = new PreparedDrafts(this);
  readonly #copies = new Map<string, CollectionCopy>();
  /** The key of the row that is being added. */
  #key = '';

  constructor(engine: Engine) {
    this.engine = engine;
  }

  take({collection: name, reset, rows, gone, synced}: Extract<ToLab, {type: 'rows'}>): void {
    if (reset) this.drop(name);
    const copy = this.#copies.get(name) ?? this.#add(name);
    const {collection, latch} = copy;
    copy.sorted = undefined;
    this.engine.batch(() => {
      for (const key of gone) {
        copy.rows.delete(key);
        collection.deleteObject(key);
      }
      for (const [key, value] of JSON.parse(rows) as [string, unknown][]) {
        const row = deepFreeze(value);
        copy.rows.set(key, row);
        this.#key = key;
        collection.updateObject(row);
      }
    });
    if (synced) latch.markSynced();
  }

  drop(name: string): void {
    this.#copies.get(name)?.collection.stop();
    this.#copies.delete(name);
  }

  collection(name: string): Collection<unknown> | undefined {
    return this.#copies.get(name)?.collection;
  }

  sortedRows(name: string): readonly LabRow[] {
    const copy = this.#copies.get(name);
    if (copy === undefined) return [];
    copy.sorted ??= [...copy.rows].sort(([a], [b]) => (a < b ? -1 : 1));
    return copy.sorted;
  }

  index(collection: Collection<unknown>, path: string): Index<unknown, string> {
    const copy = this.#copies.get(collection.name);
    const existing = copy?.indexes.get(path);
    if (existing !== undefined) return existing;
    const made = createPathIndex(collection, path);
    copy?.indexes.set(path, made);
    return made;
  }

  #add(name: string): CollectionCopy {
    const latch = newSyncLatch(this.engine);
    const collection = newStaticCollection<unknown>(this.engine, [], {
      name,
      key: () => this.#key,
      labels: labelsOf,
      namespace: namespaceOf,
      synced: latch,
    });
    const copy: CollectionCopy = {collection, latch, rows: new Map(), sorted: undefined, indexes: new Map()};
    this.#copies.set(name, copy);
    return copy;
  }
}
