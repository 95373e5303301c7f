// What a settled batch has to tell: changes to handlers, in topological order, and sync to those who wait.

import type {Change} from '../api/change.ts';
import type {Core} from './core.ts';
import type {HandlerQueue} from './handler.ts';
import {Pile} from './pile.ts';

/** The changes of one collection, and the handlers that were there when the batch settled. */
class Letter {
  readonly core: Core;
  readonly changes: Change[];
  readonly handlers: readonly HandlerQueue[];
  readonly initial: boolean;

  constructor(core: Core, changes: Change[], initial: boolean) {
    this.core = core;
    this.changes = changes;
    this.handlers = core.handlers;
    this.initial = initial;
  }

  deliver(): void {
    const {changes, handlers} = this;
    for (const handler of handlers) {
      const unheard = handler.heard > 0 ? changes.slice(handler.heard) : changes;
      handler.heard = 0;
      if (unheard.length > 0) handler.deliver(handlers.length > 1 ? unheard.slice() : unheard, this.initial);
    }
  }
}

const NO_LETTERS: readonly Letter[] = [];

export class Delivery {
  readonly #announced = new Pile<Core>();
  #synced: Core[] = [];
  #letters = NO_LETTERS;
  #released: Core[] = [];

  announced(core: Core): void {
    this.#announced.add(core);
  }

  becameSynced(core: Core): void {
    this.#synced.push(core);
  }

  /**
   * Seals what the batch has to tell. Before it is delivered, listeners may register handlers: those replay the settled
   * state, and must not hear again how it came about.
   */
  seal(): void {
    const synced = this.#synced;
    const announced = this.#announced;
    if (announced.count > 0) {
      const letters = [letterOf(announced.at(0), synced)];
      for (let i = 1; i < announced.count; i++) letters.push(letterOf(announced.at(i), synced));
      if (letters.length > 1) letters.sort(byPlace);
      this.#letters = letters;
      announced.clear();
    }
    if (synced.length > 0) {
      this.#released = synced;
      this.#synced = [];
    }
  }

  deliver(): void {
    if (this.#letters.length > 0) {
      const letters = this.#letters;
      this.#letters = NO_LETTERS;
      for (const letter of letters) letter.deliver();
    }
    if (this.#released.length > 0) {
      const released = this.#released;
      this.#released = [];
      for (const core of released) {
        core.releaseWaits();
        for (const handler of core.handlers) handler.checkSync();
      }
    }
  }
}

function byPlace({core: a}: Letter, {core: b}: Letter): number {
  return a.level - b.level || a.uid - b.uid;
}

function letterOf(core: Core, synced: readonly Core[]): Letter {
  const changes = core.changes ?? [];
  core.changes = null;
  return new Letter(core, changes, !core.synced || (synced.length > 0 && synced.includes(core)));
}
