// What a settled batch has to tell: changes to handlers, in topological order, and sync to those who wait.

import {ReusableList} from '../containers/reusable-list.ts';
import type {Change} from '../values/change.ts';
import type {CollectionCore} from './collection-core.ts';

export class ChangeDelivery {
  readonly #announced = new ReusableList<CollectionCore>();
  #synced: CollectionCore[] = [];

  announced(core: CollectionCore): void {
    this.#announced.add(core);
  }

  becameSynced(core: CollectionCore): void {
    this.#synced.push(core);
  }

  /**
   * What was announced lies with its collection until then: a handler that comes before has replayed it, and counts how
   * much of it that was.
   */
  deliver(): void {
    const announced = this.#announced;
    const {count} = announced;
    if (count > 1) announced.sort(compareTurnOrder);
    for (let i = 0; i < count; i++) this.#tell(announced.at(i));
    if (count > 0) announced.clear();
    if (this.#synced.length > 0) this.#release();
  }

  #tell(core: CollectionCore): void {
    const {changes} = core;
    if (changes === null) return;
    // Those that come and go while the others are told: who comes has replayed it, and who goes hears nothing.
    const handlers = core.handlers.length > 1 ? core.handlers.slice() : core.handlers;
    core.changes = null;
    const initial = !core.synced || (this.#synced.length > 0 && this.#synced.includes(core));
    const count = handlers.length;
    for (let i = 0; i < count; i++) {
      const handler = handlers[i] as (typeof handlers)[number];
      const unheard: Change[] = handler.changesToSkip > 0 ? changes.slice(handler.changesToSkip) : changes;
      handler.changesToSkip = 0;
      if (unheard.length > 0) handler.deliver(count > 1 ? unheard.slice() : unheard, initial);
    }
  }

  #release(): void {
    const released = this.#synced;
    this.#synced = [];
    for (const core of released) {
      core.releaseWaits();
      for (const handler of core.handlers) handler.checkSync();
    }
  }
}

function compareTurnOrder(a: CollectionCore, b: CollectionCore): number {
  return a.level - b.level || a.uid - b.uid;
}
