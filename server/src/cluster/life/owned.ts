// Who depends on whom: from an owner's uid to what names it as owner, kept up to date with the storage.
import type {Api} from '../api.ts';
import type {KubeObject} from '../object/types.ts';

export interface Dependent {
  shelf: string;
  key: string;
}

export class Owned {
  readonly #api: Api;
  readonly #byOwner = new Map<string, Map<string, Dependent>>();

  constructor(api: Api) {
    this.#api = api;
    for (const [shelf, content] of api.storage.shelves()) {
      for (const [key, object] of content.objects) this.#add(shelf, key, object);
    }
    api.storage.listeners.add(this.#hear);
  }

  stop(): void {
    this.#api.storage.listeners.delete(this.#hear);
  }

  of(uid: string): Dependent[] {
    return [...(this.#byOwner.get(uid)?.values() ?? [])];
  }

  /** The living dependents of one shelf, in the order of their keys. */
  objects(uid: string, shelf: string): KubeObject[] {
    return this.of(uid)
      .filter(d => d.shelf === shelf)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(d => this.#api.storage.shelf(shelf).objects.get(d.key))
      .filter(object => object !== undefined);
  }

  readonly #hear = (
    shelf: string,
    entry: {type: string; key: string; object: KubeObject; previous?: KubeObject},
  ) => {
    if (entry.previous) {
      for (const owner of entry.previous.metadata.ownerReferences ?? []) {
        const set = this.#byOwner.get(owner.uid);
        set?.delete(`${shelf} ${entry.key}`);
        if (set?.size === 0) this.#byOwner.delete(owner.uid);
      }
    }
    if (entry.type !== 'DELETED') this.#add(shelf, entry.key, entry.object);
  };

  #add(shelf: string, key: string, object: KubeObject): void {
    for (const owner of object.metadata.ownerReferences ?? []) {
      let set = this.#byOwner.get(owner.uid);
      if (!set) {
        set = new Map();
        this.#byOwner.set(owner.uid, set);
      }
      set.set(`${shelf} ${key}`, {shelf, key});
    }
  }
}
