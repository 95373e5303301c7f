// Tracks which fields of which objects a formula reads. Its proxies have empty targets, because a proxy over a frozen
// object must return the object's own parts.
import {parsePath, writePath} from '@krtscope/shared/path.ts';

type TrackedObject = Record<PropertyKey, unknown>;

export interface ObjectReads {
  collection: string;
  key: string;
  paths: string[];
  /** Paths whose fields were listed: a new field there would be read, too. */
  listed?: string[];
}

interface TrackedReads {
  readonly collection: string;
  readonly key: string;
  readonly paths: Set<string>;
  readonly listed: Set<string>;
}

/** The engine and JSON.stringify ask every object for these methods. They count as read only if the object has them. */
const PROBED_METHODS = new Set([
  'toJSON',
  'then',
  'resourceName',
  'registerBatch',
  'getLabels',
  'getLabelSelector',
  'getNamespace',
]);

export class ReadTracker {
  readonly #reads = new Map<string, TrackedReads>();
  readonly #proxies = new WeakMap<object, Map<string, object>>();

  /** The object, or a proxy that reports reads. */
  watch(collection: string, key: string, value: unknown): unknown {
    return this.#wrap(value, '', this.#readsOf(collection, key), `${collection} ${key}`);
  }

  /** Reads that another tracker noticed. */
  note(collection: string, key: string, paths: readonly string[]): void {
    const own = this.#readsOf(collection, key);
    for (const path of paths) own.paths.add(path);
  }

  #readsOf(collection: string, key: string): TrackedReads {
    const id = `${collection} ${key}`;
    let read = this.#reads.get(id);
    if (read === undefined) {
      read = {collection, key, paths: new Set(), listed: new Set()};
      this.#reads.set(id, read);
    }
    return read;
  }

  /** Only the deepest paths: `metadata.labels.app` implies `metadata`. */
  reads(): ObjectReads[] {
    return [...this.#reads.values()].map(({collection, key, paths, listed}) => {
      const above = new Set<string>();
      for (const path of paths) for (const {index} of path.matchAll(/[.[]/g)) above.add(path.slice(0, index));
      const deepest = [...paths].filter(path => !above.has(path)).sort();
      const written = (path: string) => writePath(parsePath(path));
      return {collection, key, paths: deepest.map(written), listed: [...listed].map(written)};
    });
  }

  #wrap(value: unknown, path: string, reads: TrackedReads, id: string): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const name = `${id} ${path}`;
    const held = this.#proxies.get(value)?.get(name);
    if (held !== undefined) return held;
    const proxy = new Proxy(
      Array.isArray(value) ? [] : {},
      this.#handler(value as TrackedObject, path, reads, id),
    );
    const proxies = this.#proxies.get(value) ?? new Map<string, object>();
    proxies.set(name, proxy);
    this.#proxies.set(value, proxies);
    return proxy;
  }

  #handler(value: TrackedObject, path: string, reads: TrackedReads, id: string): ProxyHandler<object> {
    const isList = Array.isArray(value);
    const at = (name: PropertyKey): string => {
      // Every method of a list reads all elements, so the position has no meaning.
      if (isList) return path;
      const part = String(name);
      const safe = /^[A-Za-z_$][\w$-]*$/.test(part) ? part : `["${part}"]`;
      return path === '' ? safe : safe.startsWith('[') ? `${path}${safe}` : `${path}.${safe}`;
    };
    const note = (name: PropertyKey): string => {
      const read = at(name);
      if (typeof name === 'string' && read !== '') reads.paths.add(read);
      return read;
    };
    return {
      get: (_, name) => {
        const found = Reflect.get(value, name);
        if (typeof name === 'symbol' || typeof found === 'function') return found;
        if (found === undefined && PROBED_METHODS.has(name)) return found;
        return this.#wrap(found, note(name), reads, id);
      },
      has: (_, name) => {
        note(name);
        return Reflect.has(value, name);
      },
      ownKeys: target => {
        if (path !== '') {
          reads.paths.add(path);
          reads.listed.add(path);
        }
        for (const name of Reflect.ownKeys(value)) {
          if (!Reflect.has(target, name))
            Object.defineProperty(target, name, {
              value: undefined,
              configurable: true,
              enumerable: true,
              writable: true,
            });
        }
        return Reflect.ownKeys(value);
      },
      getOwnPropertyDescriptor: (_, name) => {
        const own = Reflect.getOwnPropertyDescriptor(value, name);
        if (own === undefined) return undefined;
        if (isList && name === 'length')
          return {...own, value: value.length, writable: true, configurable: false};
        return {
          ...own,
          value: this.#wrap(value[name], note(name), reads, id),
          configurable: true,
          writable: true,
        };
      },
      getPrototypeOf: () => Reflect.getPrototypeOf(value),
      set: () => false,
      defineProperty: () => false,
      deleteProperty: () => false,
      isExtensible: target => Reflect.isExtensible(target),
      preventExtensions: () => false,
    };
  }
}
