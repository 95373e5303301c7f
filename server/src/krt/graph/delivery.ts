// What a settled batch has to tell: changes to handlers, in topological order, and sync to those who wait.

import type {Core} from './core.ts';

export class Delivery {
  /** Most batches announce changes of one collection: that needs no list. */
  #first: Core | null = null;
  #others: Core[] = [];
  #synced: Core[] = [];

  /** Somebody has something to tell. */
  get waiting(): boolean {
    return this.#first !== null || this.#synced.length > 0;
  }

  announced(core: Core): void {
    if (this.#first === null) this.#first = core;
    else this.#others.push(core);
  }

  becameSynced(core: Core): void {
    this.#synced.push(core);
  }

  deliver(): void {
    const first = this.#first;
    if (first !== null) {
      this.#first = null;
      if (this.#others.length === 0) this.#deliverOne(first);
      else this.#deliverAll(first);
    }
    if (this.#synced.length > 0) this.releaseSynced();
  }

  #deliverAll(first: Core): void {
    const cores = [first, ...this.#others];
    this.#others = [];
    cores.sort((a, b) => a.level - b.level || a.uid - b.uid);
    for (const core of cores) this.#deliverOne(core);
  }

  #deliverOne(core: Core): void {
    const changes = core.changes;
    if (changes === null) return;
    core.changes = null;
    const initial = !core.synced || (this.#synced.length > 0 && this.#synced.includes(core));
    const handlers = core.handlers;
    if (handlers.length === 1) (handlers[0] as (typeof handlers)[0]).deliver(changes, initial);
    else for (const handler of handlers) handler.deliver(changes.slice(), initial);
  }

  /** Also after a batch that announced nothing. */
  releaseSynced(): void {
    const cores = this.#synced;
    this.#synced = [];
    for (const core of cores) {
      core.releaseWaits();
      for (const handler of core.handlers) handler.checkSync();
    }
  }
}
