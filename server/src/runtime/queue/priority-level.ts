// The ready keys of one priority, in order. A key that waited for its running worker returns to its old place.

import {Fifo} from './fifo.ts';

export interface OrderedTicket {
  readonly order: number;
}

export class PriorityLevel<T extends OrderedTicket> {
  readonly #arrived = new Fifo<T>();
  /** Sorted with the next key last. It is short, because only keys with a running worker return. */
  readonly #returned: T[] = [];

  get empty(): boolean {
    return this.#arrived.length === 0 && this.#returned.length === 0;
  }

  /** The item must have a higher order than earlier items. */
  push(item: T): void {
    this.#arrived.push(item);
  }

  return(item: T): void {
    let at = this.#returned.length;
    while (at > 0 && this.#returned[at - 1]!.order < item.order) at--;
    this.#returned.splice(at, 0, item);
  }

  shift(): T | undefined {
    const returned = this.#returned.at(-1);
    const arrived = this.#arrived.peek();
    if (returned && (!arrived || returned.order < arrived.order)) return this.#returned.pop();
    return this.#arrived.shift();
  }

  toArray(): T[] {
    return [...this.#arrived.toArray(), ...this.#returned].sort((a, b) => a.order - b.order);
  }
}
