// Names of collections are unique in a session: everything outside the engine knows a collection by its name alone.
// krt itself tells them apart by uid and lets names repeat.
import {engineCore} from '../../krt/engine.ts';
import type {Engine} from '../../krt/index.ts';

export class Names {
  readonly #engine: Engine;
  readonly #known = new Map<number, string>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** A second collection of a name gets `#2`, and keeps it. To be called before anything of a new one is recorded. */
  settle(): void {
    const {cores} = engineCore(this.#engine);
    if (cores.size === this.#known.size) return;
    for (const uid of this.#known.keys())
      if (![...cores].some(core => core.uid === uid)) this.#known.delete(uid);
    const taken = new Set(this.#known.values());
    for (const core of cores) {
      if (this.#known.has(core.uid)) continue;
      let name = core.name;
      for (let n = 2; taken.has(name); n++) name = `${core.name}#${n}`;
      taken.add(name);
      this.#known.set(core.uid, name);
      // Its own name, only once more: krt reads it and never writes it.
      if (name !== core.name) Object.assign(core, {name});
    }
  }
}
