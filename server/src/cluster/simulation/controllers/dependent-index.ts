// Maps an owner's uid to its dependents, and follows the storage.
import type {Api} from '../../api.ts';
import type {StoredObject} from '../../object/stored-object.ts';

export interface Dependent {
  storeName: string;
  key: string;
}

export class DependentIndex {
  readonly #api: Api;
  readonly #byOwner = new Map<string, Map<string, Dependent>>();

  constructor(api: Api) {
    this.#api = api;
    for (const [shelf, content] of api.storage.resourceStores()) {
      for (const [key, object] of content.objects) this.#add(shelf, key, object);
    }
    api.storage.listeners.add(this.#hear);
  }

  stop(): void {
    this.#api.storage.listeners.delete(this.#hear);
  }

  dependentsOf(uid: string): Dependent[] {
    return [...(this.#byOwner.get(uid)?.values() ?? [])];
  }

  /** The live dependents in one store, ordered by key. */
  dependentObjects(uid: string, shelf: string): StoredObject[] {
    return this.dependentsOf(uid)
      .filter(d => d.storeName === shelf)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(d => this.#api.storage.resourceStore(shelf).objects.get(d.key))
      .filter(object => object !== undefined);
  }

  readonly #hear = (
    shelf: string,
    entry: {type: string; key: string; object: StoredObject; previous?: StoredObject},
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

  #add(shelf: string, key: string, object: StoredObject): void {
    for (const owner of object.metadata.ownerReferences ?? []) {
      let set = this.#byOwner.get(owner.uid);
      if (!set) {
        set = new Map();
        this.#byOwner.set(owner.uid, set);
      }
      set.set(`${shelf} ${key}`, {storeName: shelf, key});
    }
  }
}
