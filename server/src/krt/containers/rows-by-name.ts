// The rows of a source that hold Kubernetes objects, by namespace and name: to be found by its key, a row would need that
// joined and hashed for every write, which took longer than the rest of a small one.

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

  /** The row of this object's names; undefined if that has to be found by its key. */
  find(object: unknown): Row | undefined {
    const names = namesOf(object);
    return names === null ? undefined : this.#namespaces.get(names.namespace ?? '')?.get(names.name);
  }

  /** The row has the key of this object, and was not found by its names. */
  add(row: Row, object: unknown): void {
    const names = namesOf(object);
    if (names === null) return;
    const name: unknown = names.name;
    const namespace: unknown = names.namespace ?? '';
    // A slash in the name: other names make the same key, and drop() would take those.
    if (typeof name !== 'string' || typeof namespace !== 'string' || name.includes('/')) return;
    // It may say another name each time it is asked: whoever has that one would be written here.
    if (row.key !== (namespace === '' ? name : `${namespace}/${name}`)) return;
    let rows = this.#namespaces.get(namespace);
    if (rows === undefined) {
      rows = new Map();
      this.#namespaces.set(namespace, rows);
    }
    rows.set(name, row);
  }

  // By its key: it may hold another object by now, without names.
  delete({key}: Row): void {
    const slash = key.lastIndexOf('/');
    const namespace = slash < 0 ? '' : key.slice(0, slash);
    const rows = this.#namespaces.get(namespace);
    if (rows?.delete(key.slice(slash + 1)) && rows.size === 0) this.#namespaces.delete(namespace);
  }
}

/** null for what has its key from elsewhere: see ownKey(). */
function namesOf(object: unknown): ItemNames | null {
  if (typeof object !== 'object' || object === null) return null;
  const {metadata, resourceName, registerBatch} = object as NamedItemShape;
  if (resourceName !== undefined || registerBatch !== undefined) return null;
  return typeof metadata === 'object' ? metadata : null;
}
