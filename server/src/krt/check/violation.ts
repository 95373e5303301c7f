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

  /** `uid` tells apart collections of one name; `keys[0]` is the key the entry is counted under. */
  report(code: ViolationCode, collection: Named, keys: string[], message: string, sequence: number): void {
    const id = identity(code, collection.uid, keys[0] ?? '');
    const held = this.#held.get(id);
    const entry: Violation = {
      code,
      collection: collection.name,
      keys,
      message,
      sequence,
      count: (held?.count ?? 0) + 1,
    };
    this.#held.set(id, entry);
    for (const listener of [...this.#listeners]) callSafely(listener, {...entry, keys: [...keys]});
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
