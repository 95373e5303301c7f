// Makes collection names unique in a session, because everything outside the engine identifies collections by name.
// krt itself uses uids and allows equal names.
import {collectionsOf, type Engine, renameCollection} from '../../../krt/index.ts';

export class UniqueCollectionNames {
  readonly #engine: Engine;
  readonly #names = new Map<number, string>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Gives a second collection of a name the suffix `#2`, for good. Call it before a new collection is recorded.
   * Returns true if collections were added or removed.
   */
  settle(): boolean {
    const collections = collectionsOf(this.#engine);
    let changed = false;
    // Compare uids and not sizes: one collection may have replaced another.
    const uids = new Set(collections.map(({uid}) => uid));
    for (const uid of this.#names.keys()) if (!uids.has(uid)) changed = this.#names.delete(uid);
    if (collections.length === this.#names.size) return changed;
    changed = true;
    const taken = new Set(this.#names.values());
    for (const collection of collections) {
      if (this.#names.has(collection.uid)) continue;
      let name = collection.name;
      for (let n = 2; taken.has(name); n++) name = `${collection.name}#${n}`;
      taken.add(name);
      this.#names.set(collection.uid, name);
      if (name !== collection.name) renameCollection(collection, name);
    }
    return changed;
  }
}
