// Delivers the changes of a settled batch to handlers in topological order, and resolves sync waits.

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
  /** Takes over the array. */
  deliver(changes: Change[], initial: boolean): void;
  checkSync(): void;
}

export class ChangeDelivery {
  /** Mostly one collection announces, which needs no list. */
  #first: DeliveringCollection | null = null;
  #others: DeliveringCollection[] = [];
  #synced: DeliveringCollection[] = [];

  announced(core: DeliveringCollection): void {
    if (this.#first === null) this.#first = core;
    else this.#others.push(core);
  }

  becameSynced(core: DeliveringCollection): void {
    this.#synced.push(core);
  }

  /**
   * Changes stay with their collection until delivery. A handler that registers before has replayed some of
   * them, and skips as many.
   */
  deliver(): void {
    const first = this.#first;
    if (first !== null) {
      this.#first = null;
      if (this.#others.length === 0) this.#tell(first);
      else this.#tellAll([first, ...this.#others.splice(0)]);
    }
    if (this.#synced.length > 0) this.#release();
  }

  #tellAll(announced: DeliveringCollection[]): void {
    for (const core of announced.sort(compareTurnOrder)) this.#tell(core);
  }

  #tell(core: DeliveringCollection): void {
    const {changes} = core;
    if (changes === null) return;
    core.changes = null;
    const initial = !core.synced || (this.#synced.length > 0 && this.#synced.includes(core));
    if (core.handlers.length === 1) (core.handlers[0] as DeliveryTarget).deliver(changes, initial);
    // Copies, because handlers may come and go during delivery, and may change their list.
    else for (const handler of core.handlers.slice()) handler.deliver(changes.slice(), initial);
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
