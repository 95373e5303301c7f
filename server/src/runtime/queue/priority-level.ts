// The ready keys of one priority, in the order in which they became ready. A key that was held back while its
// worker ran returns to its old place.

import {Fifo} from './fifo.ts';

export interface OrderedTicket {
  readonly order: number;
}

export class PriorityLevel<T extends OrderedTicket> {
  readonly #arrived = new Fifo<T>();
  /** Sorted, the next one last; short, since only keys that were in flight return. */
  readonly #returned: T[] = [];

  get empty(): boolean {
    return this.#arrived.length === 0 && this.#returned.length === 0;
  }

  /** Must have a higher order than everything that was pushed before. */
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
