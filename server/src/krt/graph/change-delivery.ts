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
    announced.clear();
    if (this.#synced.length > 0) this.#release();
  }

  #tell(core: DeliveringCollection): void {
    const {changes} = core;
    if (changes === null) return;
    core.changes = null;
    const initial = !core.synced || (this.#synced.length > 0 && this.#synced.includes(core));
    if (core.handlers.length === 1) deliverTo(core.handlers[0] as DeliveryTarget, changes, initial);
    // Copies, because handlers may come and go during delivery, and may change their list.
    else for (const handler of core.handlers.slice()) deliverTo(handler, changes.slice(), initial);
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

function deliverTo(handler: DeliveryTarget, changes: Change[], initial: boolean): void {
  const unheard = handler.changesToSkip > 0 ? changes.slice(handler.changesToSkip) : changes;
  handler.changesToSkip = 0;
  if (unheard.length > 0) handler.deliver(unheard, initial);
}

function compareTurnOrder(a: DeliveringCollection, b: DeliveringCollection): number {
  return a.level - b.level || a.uid - b.uid;
}
