// Violations of the engine's rules: one entry per code, collection and key, with a count. It is removed when
// it no longer holds.

import {Listeners} from './listeners.ts';

/** Every rule that data or functions can break. */
export const violationCodes = [
  'duplicate-in-result',
  'duplicate-across-inputs',
  'untracked-read',
  'mutated-input',
  'mutated-fetch',
  'map-key',
  'non-deterministic',
  'never-equal',
  'cycle',
  'join-overlap',
  'handler-failed',
  'index-failed',
  'attribute-failed',
  'map-failed',
  'foreign-member',
  'listener-failed',
  'full-scan',
] as const;

export type ViolationCode = (typeof violationCodes)[number];

export interface Violation {
  code: ViolationCode;
  collection: string;
  keys: string[];
  message: string;
  /** The last batch that showed it. */
  sequence: number;
  count: number;
}

/** The violations that hold at the moment. */
export class ViolationStore {
  readonly #violations = new Map<string, Violation>();
  #listeners: Listeners<Violation> | null = null;
  #pending: Violation[] = [];

  /** `failed` gets the error of a listener; `healed` is called when no listener fails any more. */
  on(
    listener: (violation: Violation) => void,
    failed: (error: unknown) => void,
    healed: () => void,
  ): () => void {
    this.#listeners ??= new Listeners(failed, healed);
    return this.#listeners.add(listener);
  }

  get size(): number {
    return this.#violations.size;
  }

  list(): Violation[] {
    return [...this.#violations.values()].map(v => ({...v, keys: [...v.keys]}));
  }

  /**
   * Entries are counted by code, collection uid and `id`. Without `notifyListeners` the listeners are not
   * called: a failing listener would be told of its own failure.
   */
  report(
    code: ViolationCode,
    collection: ViolatingCollection,
    id: string,
    keys: string[],
    message: string,
    sequence: number,
    notifyListeners = true,
  ): void {
    const place = violationKey(code, collection.uid, id);
    const count = (this.#violations.get(place)?.count ?? 0) + 1;
    const entry: Violation = {code, collection: collection.name, keys, message, sequence, count};
    this.#violations.set(place, entry);
    if (notifyListeners && this.#listeners?.any) this.#pending.push(entry);
  }

  /** Calls the listeners with everything reported since the last call. */
  tell(): void {
    if (this.#pending.length > 0) this.#tellPending();
  }

  #tellPending(): void {
    while (this.#pending.length > 0) {
      const pending = this.#pending;
      this.#pending = [];
      for (const entry of pending) this.#listeners?.notify(() => ({...entry, keys: [...entry.keys]}));
    }
  }

  clear(code: ViolationCode, collection: ViolatingCollection, key: string): void {
    if (this.#violations.size > 0) this.#violations.delete(violationKey(code, collection.uid, key));
  }

  /** Removes all listeners and violations. */
  forget(): void {
    this.#listeners?.clear();
    this.#pending = [];
    this.#violations.clear();
  }

  /** Removes the violations of a stopped collection. */
  clearCollection(collection: ViolatingCollection): void {
    if (this.#violations.size === 0) return;
    const prefix = `${collection.uid} `;
    for (const id of [...this.#violations.keys()]) if (id.startsWith(prefix)) this.#violations.delete(id);
  }
}

interface ViolatingCollection {
  readonly name: string;
  readonly uid: number;
}

function violationKey(code: ViolationCode, uid: number, key: string): string {
  return `${uid} ${code} ${key}`;
}
