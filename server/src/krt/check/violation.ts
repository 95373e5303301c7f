// Broken promises, kept as data: one entry per code, collection and key, counted, removed when it no longer holds.

import {callSafely} from '../graph/listener.ts';

export type ViolationCode =
  | 'duplicate-in-result'
  | 'duplicate-across-inputs'
  | 'untracked-read'
  | 'mutated-input'
  | 'mutated-fetch'
  | 'map-key'
  | 'non-deterministic'
  | 'never-equal'
  | 'cycle'
  | 'join-overlap'
  | 'handler-failed'
  | 'index-failed'
  | 'attribute-failed'
  | 'map-failed'
  | 'foreign-member'
  | 'full-scan';

export interface Violation {
  code: ViolationCode;
  collection: string;
  keys: string[];
  message: string;
  /** The batch that showed it last. */
  sequence: number;
  count: number;
}

/** The engine's list of violations that hold at the moment. */
export class Violations {
  readonly #held = new Map<string, Violation>();
  readonly #listeners = new Set<(violation: Violation) => void>();
  #untold: Violation[] = [];

  on(listener: (violation: Violation) => void): () => void {
    const own = (violation: Violation) => listener(violation);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  get size(): number {
    return this.#held.size;
  }

  list(): Violation[] {
    return [...this.#held.values()].map(v => ({...v, keys: [...v.keys]}));
  }

  /** `id` is what entries of one code and collection are counted under; the collection's uid tells it from others. */
  report(
    code: ViolationCode,
    collection: Named,
    id: string,
    keys: string[],
    message: string,
    sequence: number,
  ): void {
    const place = identity(code, collection.uid, id);
    const count = (this.#held.get(place)?.count ?? 0) + 1;
    const entry: Violation = {code, collection: collection.name, keys, message, sequence, count};
    this.#held.set(place, entry);
    if (this.#listeners.size > 0) this.#untold.push(entry);
  }

  /** Tells the listeners what was reported since the last call. What they report themselves comes after it. */
  tell(): void {
    while (this.#untold.length > 0) {
      const untold = this.#untold;
      this.#untold = [];
      for (const entry of untold) {
        for (const listener of [...this.#listeners]) callSafely(listener, {...entry, keys: [...entry.keys]});
      }
    }
  }

  clear(code: ViolationCode, collection: Named, key: string): void {
    if (this.#held.size > 0) this.#held.delete(identity(code, collection.uid, key));
  }

  /** A stopped collection breaks no promise any more. */
  clearCollection(collection: Named): void {
    if (this.#held.size === 0) return;
    const prefix = `${collection.uid} `;
    for (const id of [...this.#held.keys()]) if (id.startsWith(prefix)) this.#held.delete(id);
  }
}

interface Named {
  readonly name: string;
  readonly uid: number;
}

function identity(code: ViolationCode, uid: number, key: string): string {
  return `${uid} ${code} ${key}`;
}
