// The rows that a lab process holds: copies of the collections that drafts name, each a source of a small engine.

import {labelsOf, namespaceOf} from '../../formula/confine/keys.ts';
import {pathIndex} from '../../formula/confine/path-index.ts';
import type {Surroundings} from '../../formula/confine/scope.ts';
import {
  type Collection,
  type Engine,
  type Index,
  newStaticCollection,
  newSyncLatch,
  type StaticCollection,
  type SyncLatch,
} from '../../krt/index.ts';
import {deepFreeze} from '../host/intake.ts';
import type {ToLab} from '../link/lab.ts';

interface Copy {
  readonly collection: StaticCollection<unknown>;
  readonly latch: SyncLatch;
  readonly keys: RowKeys;
  readonly indexes: Map<string, Index<unknown, string>>;
}

/** Rows keep the keys that they have in the engine process, whatever they look like. */
export class RowKeys {
  readonly #keys = new WeakMap<object, string>();
  #plain = '';

  note(row: unknown, key: string): void {
    if (typeof row === 'object' && row !== null) this.#keys.set(row, key);
    else this.#plain = key;
  }

  of(row: unknown): string {
    if (typeof row === 'string') return row;
    return (typeof row === 'object' && row !== null ? this.#keys.get(row) : undefined) ?? this.#plain;
  }
}

export function copyOptions(name: string, keys: RowKeys) {
  return {name, key: (row: unknown) => keys.of(row), labels: labelsOf, namespace: namespaceOf};
}

export class Held implements Surroundings {
  readonly engine: Engine;
  readonly #copies = new Map<string, Copy>();

  constructor(engine: Engine) {
    this.engine = engine;
  }

  take({collection: name, reset, rows, gone, synced}: Extract<ToLab, {type: 'rows'}>): void {
    if (reset) this.drop(name);
    const {collection, keys, latch} = this.#copies.get(name) ?? this.#add(name);
    this.engine.batch(() => {
      for (const key of gone) collection.deleteObject(key);
      for (const [key, value] of JSON.parse(rows) as [string, unknown][]) {
        const row = deepFreeze(value);
        keys.note(row, key);
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

  keyOf(name: string, row: unknown): string {
    return this.#copies.get(name)?.keys.of(row) ?? '';
  }

  index(collection: Collection<unknown>, path: string): Index<unknown, string> {
    const copy = this.#copies.get(collection.name);
    const known = copy?.indexes.get(path);
    if (known !== undefined) return known;
    const made = pathIndex(collection, path);
    copy?.indexes.set(path, made);
    return made;
  }

  #add(name: string): Copy {
    const keys = new RowKeys();
    const latch = newSyncLatch(this.engine);
    const collection = newStaticCollection<unknown>(this.engine, [], {
      ...copyOptions(name, keys),
      synced: latch,
    });
    const copy: Copy = {collection, latch, keys, indexes: new Map()};
    this.#copies.set(name, copy);
    return copy;
  }
}
