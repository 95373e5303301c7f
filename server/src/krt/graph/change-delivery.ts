// Delivers the changes of a settled batch to handlers in topological order, and resolves sync waits.

import {ReusableList} from '../containers/reusable-list.ts';
import type {Change} from '../values/change.ts';

/** A collection as far as the delivery of its changes needs it. */
export interface DeliveringCollection {
  readonly level: number;
  readonly uid: number;
  readonly synced: boolean;
  /** What the batch under way has announced. */
  changes: Change[] | null;
  readonly handlers: readonly DeliveryTarget[];
  releaseWaits(): void;
}

interface DeliveryTarget {
  /** How many changes of the batch under way it must not hear: it came after them. */
  changesToSkip: number;
  deliver(changes: Change[], initial: boolean): void;
  checkSync(): void;
}

export class ChangeDelivery {
  readonly #announced = new ReusableList<DeliveringCollection>();
  #synced: DeliveringCollection[] = [];

  announced(core: DeliveringCollection): void {
    this.#announced.add(core);
  }

  becameSynced(core: DeliveringCollection): void {
    this.#synced.push(core);
  }

  /**
   * Changes stay with their collection until delivery. A handler that registers before has replayed some of
   * them, and skips as many.
   */
  deliver(): void {
    const announced = this.#announced;
    const {count} = announced;
    if (count > 1) announced.sort(compareTurnOrder);
    for (let i = 0; i < count; i++) this.#tell(announced.at(i));
    if (count > 0) announced.clear();
    if (this.#synced.length > 0) this.#release();
  }

  #tell(core: DeliveringCollection): void {
    const {changes} = core;
    if (changes === null) return;
    // A copy, because handlers may come and go during delivery.
    const handlers = core.handlers.length > 1 ? core.handlers.slice() : core.handlers;
    core.changes = null;
    const initial = !core.synced || (this.#synced.length > 0 && this.#synced.includes(core));
    const count = handlers.length;
    for (let i = 0; i < count; i++) {
      const handler = handlers[i] as DeliveryTarget;
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

function compareTurnOrder(a: DeliveringCollection, b: DeliveringCollection): number {
  return a.level - b.level || a.uid - b.uid;
}
