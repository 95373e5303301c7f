// Rows of Kubernetes objects by namespace and name. A lookup by key has to join and hash both for every
// write, which takes longer than the rest of a small write.

import type {Row} from './row.ts';

interface ItemNames {
  readonly name?: unknown;
  readonly namespace?: unknown;
}

interface NamedItemShape {
  readonly metadata?: ItemNames | null;
  readonly resourceName?: unknown;
  readonly registerBatch?: unknown;
}

export class RowsByName {
  readonly #namespaces = new Map<unknown, Map<unknown, Row>>();

  /** The row with the names of this object. Undefined means: look it up by key. */
  find(object: unknown): Row | undefined {
    const names = namesOf(object);
    return names === null ? undefined : this.#namespaces.get(names.namespace ?? '')?.get(names.name);
  }

  /** Call it only if find() did not find the row. */
  add(row: Row, object: unknown): void {
    const names = namesOf(object);
    if (names === null) return;
    const name: unknown = names.name;
    const namespace: unknown = names.namespace ?? '';
    // With a slash in the name, other names could make the same key.
    if (typeof name !== 'string' || typeof namespace !== 'string' || name.includes('/')) return;
    // A getter may give another name each time; that row must not be stored here.
    if (row.key !== (namespace === '' ? name : `${namespace}/${name}`)) return;
    let rows = this.#namespaces.get(namespace);
    if (rows === undefined) {
      rows = new Map();
      this.#namespaces.set(namespace, rows);
    }
    rows.set(name, row);
  }

  // By key, because the row may hold an object without names by now.
  delete({key}: Row): void {
    const slash = key.lastIndexOf('/');
    const namespace = slash < 0 ? '' : key.slice(0, slash);
    const rows = this.#namespaces.get(namespace);
    if (rows?.delete(key.slice(slash + 1)) && rows.size === 0) this.#namespaces.delete(namespace);
  }
}

/** Null for items that take their key from elsewhere, see ownKey(). */
function namesOf(object: unknown): ItemNames | null {
  if (typeof object !== 'object' || object === null) return null;
  const {metadata, resourceName, registerBatch} = object as NamedItemShape;
  if (resourceName !== undefined || registerBatch !== undefined) return null;
  return typeof metadata === 'object' ? metadata : null;
}
