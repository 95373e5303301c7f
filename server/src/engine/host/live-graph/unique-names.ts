// Names of collections are unique in a session: everything outside the engine knows a collection by its name alone.
// krt itself tells them apart by uid and lets names repeat.
import {collectionsOf, type Engine, renameCollection} from '../../../krt/index.ts';

export class UniqueCollectionNames {
  readonly #engine: Engine;
  readonly #known = new Map<number, string>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * A second collection of a name gets `#2`, and keeps it. To be called before anything of a new one is recorded.
   * True if collections came or went.
   */
  settle(): boolean {
    const collections = collectionsOf(this.#engine);
    let changed = false;
    // By number, not by how many there are: one may have gone and another come since.
    const there = new Set(collections.map(({uid}) => uid));
    for (const uid of this.#known.keys()) if (!there.has(uid)) changed = this.#known.delete(uid);
    if (collections.length === this.#known.size) return changed;
    changed = true;
    const taken = new Set(this.#known.values());
    for (const collection of collections) {
      if (this.#known.has(collection.uid)) continue;
      let name = collection.name;
      for (let n = 2; taken.has(name); n++) name = `${collection.name}#${n}`;
      taken.add(name);
      this.#known.set(collection.uid, name);
      if (name !== collection.name) renameCollection(collection, name);
    }
    return changed;
  }
}
