// A map that is mostly tiny and cleared all the time: a few pairs lie in two lists, only many in a real Map.
// Clearing a Map makes a new one inside; for a batch of one that would cost more than the batch.

const FEW = 8;

export class SmallMap<K extends object, V> {
  private readonly keys: (K | undefined)[] = [];
  private readonly values: (V | undefined)[] = [];
  private count = 0;
  private many: Map<K, V> | null = null;

  get(key: K): V | undefined {
    if (this.many !== null) return this.many.get(key);
    const at = this.#at(key);
    return at < 0 ? undefined : this.values[at];
  }

  set(key: K, value: V): void {
    if (this.many !== null) {
      this.many.set(key, value);
      return;
    }
    const at = this.#at(key);
    if (at >= 0) this.values[at] = value;
    else if (this.count < FEW) {
      this.keys[this.count] = key;
      this.values[this.count++] = value;
    } else this.#grow(key, value);
  }

  delete(key: K): void {
    if (this.many !== null) {
      this.many.delete(key);
      return;
    }
    const at = this.#at(key);
    if (at < 0) return;
    const last = --this.count;
    this.keys[at] = this.keys[last];
    this.values[at] = this.values[last];
    this.keys[last] = undefined;
    this.values[last] = undefined;
  }

  clear(): void {
    this.many = null;
    for (let i = 0; i < this.count; i++) {
      this.keys[i] = undefined;
      this.values[i] = undefined;
    }
    this.count = 0;
  }

  #at(key: K): number {
    for (let i = 0; i < this.count; i++) if (this.keys[i] === key) return i;
    return -1;
  }

  #grow(key: K, value: V): void {
    const many = new Map<K, V>();
    for (let i = 0; i < this.count; i++) many.set(this.keys[i] as K, this.values[i] as V);
    this.clear();
    this.many = many.set(key, value);
  }
}
