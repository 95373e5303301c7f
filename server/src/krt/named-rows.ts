// The rows of a source. Kubernetes objects lie by namespace and name, so that nobody joins and hashes a key
// for them; the first question by key files all rows by their keys as well.

import type {Row} from './row.ts';

/** What every collection needs of the place where its rows lie. */
export interface Rows {
  readonly size: number;
  get(key: string): Row | undefined;
  has(key: string): boolean;
  set(key: string, row: Row): unknown;
  delete(key: string): boolean;
  values(): Iterable<Row>;
}

export interface Names {
  name: string;
  namespace?: string | null;
}

/** The names that make an object's key, or null if its key comes from elsewhere. */
export function namesOf(item: unknown): Names | null {
  if (typeof item !== 'object' || item === null) return null;
  const {metadata, resourceName, registerBatch} = item as {
    metadata?: Partial<Names>;
    resourceName?: unknown;
    registerBatch?: unknown;
  };
  if (resourceName !== undefined || registerBatch !== undefined) return null;
  if (typeof metadata !== 'object' || metadata === null || typeof metadata.name !== 'string') return null;
  const namespace: unknown = metadata.namespace;
  if (namespace !== undefined && namespace !== null && typeof namespace !== 'string') return null;
  return metadata as Names;
}

export class NamedRows implements Rows {
  readonly #names = new Map<string, Map<string, Row>>();
  /** How many lie by their names. */
  #named = 0;
  /** All rows by key; null while every row has names and nobody has asked by key. */
  #keys: Map<string, Row> | null = null;

  get size(): number {
    return this.#keys === null ? this.#named : this.#keys.size;
  }

  #byKey(): Map<string, Row> {
    if (this.#keys !== null) return this.#keys;
    const keys = new Map<string, Row>();
    for (const rows of this.#names.values()) for (const row of rows.values()) keys.set(row.key, row);
    this.#keys = keys;
    return keys;
  }

  get(key: string): Row | undefined {
    return this.#byKey().get(key);
  }

  has(key: string): boolean {
    return this.#byKey().has(key);
  }

  set(key: string, row: Row): void {
    this.#byKey().set(key, row);
  }

  named({namespace, name}: Names): Row | undefined {
    return this.#names.get(namespace ?? '')?.get(name);
  }

  /** By these names every row can be found. A name with a slash may make a key that other names make too. */
  tells(names: Names): boolean {
    if (this.#keys !== null && this.#keys.size !== this.#named) return false;
    return !names.name.includes('/');
  }

  /** Files a row whose key is made of these names, which tell that it is new. */
  add(names: Names, row: Row): void {
    const namespace = names.namespace ?? '';
    let rows = this.#names.get(namespace);
    if (rows === undefined) {
      rows = new Map();
      this.#names.set(namespace, rows);
    }
    rows.set(names.name, row);
    this.#named++;
    if (this.#keys !== null) this.#keys.set(row.key, row);
  }

  delete(key: string): boolean {
    const row = this.get(key);
    if (row === undefined) return false;
    this.remove(row, undefined);
    return true;
  }

  /** `item` is what lies in the row, if that is known: its names need not be cut from the key then. */
  remove(row: Row, item: unknown): void {
    if (this.#keys !== null) this.#keys.delete(row.key);
    const names = namesOf(item);
    if (names !== null && this.#unname(names, row)) return;
    const slash = row.key.lastIndexOf('/');
    this.#unname({namespace: row.key.slice(0, Math.max(slash, 0)), name: row.key.slice(slash + 1)}, row);
  }

  #unname({namespace, name}: Names, row: Row): boolean {
    const rows = this.#names.get(namespace ?? '');
    if (rows === undefined || rows.get(name) !== row) return false;
    rows.delete(name);
    this.#named--;
    if (rows.size === 0) this.#names.delete(namespace ?? '');
    return true;
  }

  values(): Iterable<Row> {
    return this.#keys === null ? this.#inNames() : this.#keys.values();
  }

  *#inNames(): Iterable<Row> {
    for (const rows of this.#names.values()) yield* rows.values();
  }
}
