// Keys with a delay, on one timer. A key is never early, even if the timer fires too soon: systems round, and a timer
// is limited to 24 days.

import type {Clock} from '../../kube/clock.ts';

interface DelayedKey {
  readonly key: string;
  readonly at: number;
  /** Keys with equal times keep the order in which they were set. */
  readonly order: number;
}

export class DelayedKeys {
  readonly #clock: Clock;
  readonly #onDue: (key: string) => void;
  readonly #current = new Map<string, DelayedKey>();
  /** Also contains replaced and deleted entries until they reach the top. */
  #heap: DelayedKey[] = [];
  #order = 0;
  #armed: {at: number; cancel: () => void} | undefined;

  constructor(clock: Clock, onDue: (key: string) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#current.size;
  }

  /** Returns the due time of the key. */
  at(key: string): number | undefined {
    return this.#current.get(key)?.at;
  }

  /** Sets or replaces the due time of the key. */
  set(key: string, at: number): void {
    const waiting = {key, at, order: this.#order++};
    this.#current.set(key, waiting);
    push(this.#heap, waiting);
    this.#arm();
  }

  delete(key: string): boolean {
    const had = this.#current.delete(key);
    // Without this, keys that are set and deleted before they are due would fill memory.
    if (this.#heap.length > 64 && this.#heap.length > 2 * this.#current.size) this.#rebuild();
    return had;
  }

  clear(): void {
    this.#current.clear();
    this.#heap = [];
    this.#armed?.cancel();
    this.#armed = undefined;
  }

  entries(): {key: string; at: number}[] {
    return [...this.#current.values()].sort(byTime);
  }

  #arm(): void {
    const first = this.#first();
    if (!first) return;
    if (this.#armed && this.#armed.at <= first.at) return;
    this.#armed?.cancel();
    const cancel = this.#clock.after(first.at - this.#clock.now(), () => this.#wake());
    this.#armed = {at: first.at, cancel};
  }

  #wake(): void {
    this.#armed = undefined;
    const now = this.#clock.now();
    for (let first = this.#first(); first && first.at <= now; first = this.#first()) {
      pop(this.#heap);
      this.#current.delete(first.key);
      this.#onDue(first.key);
    }
    this.#arm();
  }

  #first(): DelayedKey | undefined {
    for (;;) {
      const first = this.#heap[0];
      if (!first || this.#current.get(first.key) === first) return first;
      pop(this.#heap);
    }
  }

  #rebuild(): void {
    this.#heap = [...this.#current.values()].sort(byTime);
  }
}

function byTime(a: DelayedKey, b: DelayedKey): number {
  return a.at - b.at || a.order - b.order;
}

function push(heap: DelayedKey[], waiting: DelayedKey): void {
  let at = heap.length;
  heap.push(waiting);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (byTime(heap[parent]!, waiting) <= 0) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = waiting;
}

function pop(heap: DelayedKey[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && byTime(heap[child + 1]!, heap[child]!) < 0) child++;
    if (byTime(last, heap[child]!) <= 0) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
}
