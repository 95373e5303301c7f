// The rows of a source. Kubernetes objects lie by namespace and name, so that nobody hashes a joined key for
// them; the first item that has its key from elsewhere files all rows by their keys as well.

import {Row} from '../graph/row.ts';

/** What every collection needs of the place where its rows lie. */
export interface Rows {
  readonly size: number;
  get(key: string): Row | undefined;
  has(key: string): boolean;
  set(key: string, row: Row): unknown;
  delete(key: string): boolean;
  values(): Iterable<Row>;
  /** As values, for long ones: it makes nothing on its way. */
  forEach(f: (row: Row) => void): void;
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
  /** All rows by key; null while every row lies by its names. */
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
    if (this.#keys !== null) return this.#keys.get(key);
    const slash = key.lastIndexOf('/');
    const rows = this.#names.get(slash < 0 ? '' : key.slice(0, slash));
    const row = rows?.get(slash < 0 ? key : key.slice(slash + 1));
    // The key "/a" has no names that make it.
    return row !== undefined && row.key === key ? row : undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, row: Row): void {
    this.#byKey().set(key, row);
  }

  named({namespace, name}: Names): Row | undefined {
    return this.#names.get(namespace ?? '')?.get(name);
  }

  /**
   * The row of these names, which make this key, made if there is none. Null if names do not tell: there are
   * rows without names, or a slash in the name, whose key other names may make too.
   */
  place(names: Names, key: string): Row | null {
    const namespace = names.namespace ?? '';
    let rows = this.#names.get(namespace);
    const held = rows?.get(names.name);
    if (held !== undefined) return held;
    if ((this.#keys !== null && this.#keys.size !== this.#named) || names.name.includes('/')) return null;
    if (rows === undefined) {
      rows = new Map();
      this.#names.set(namespace, rows);
    }
    const row = new Row(key);
    rows.set(names.name, row);
    this.#named++;
    if (this.#keys !== null) this.#keys.set(key, row);
    return row;
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

  forEach(f: (row: Row) => void): void {
    if (this.#keys !== null) this.#keys.forEach(f);
    else for (const rows of this.#names.values()) rows.forEach(f);
  }

  *#inNames(): Iterable<Row> {
    for (const rows of this.#names.values()) yield* rows.values();
  }
}
