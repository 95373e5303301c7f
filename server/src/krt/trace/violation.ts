// Broken promises, kept as data: one entry per code, collection and key, counted, removed when it no longer holds.

import {Listeners} from './listeners.ts';

/** Every promise that data or functions can break. */
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
  /** The batch that showed it last. */
  sequence: number;
  count: number;
}

/** The engine's list of violations that hold at the moment. */
export class ViolationStore {
  readonly #held = new Map<string, Violation>();
  #listeners: Listeners<Violation> | null = null;
  #untold: Violation[] = [];

  /** `failed` hears what a listener throws, `healed` that none does any more. */
  on(
    listener: (violation: Violation) => void,
    failed: (error: unknown) => void,
    healed: () => void,
  ): () => void {
    this.#listeners ??= new Listeners(failed, healed);
    return this.#listeners.add(listener);
  }

  get size(): number {
    return this.#held.size;
  }

  list(): Violation[] {
    return [...this.#held.values()].map(v => ({...v, keys: [...v.keys]}));
  }

  /**
   * `id` is what entries of one code and collection are counted under; the collection's uid tells it from others. With
   * `tell` false nobody hears of it: a listener that throws would be told so, and throw.
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
    const count = (this.#held.get(place)?.count ?? 0) + 1;
    const entry: Violation = {code, collection: collection.name, keys, message, sequence, count};
    this.#held.set(place, entry);
    if (notifyListeners && this.#listeners?.any) this.#untold.push(entry);
  }

  /** Tells the listeners what was reported since the last call. What they report themselves comes after it. */
  tell(): void {
    while (this.#untold.length > 0) {
      const untold = this.#untold;
      this.#untold = [];
      for (const entry of untold) this.#listeners?.notify(() => ({...entry, keys: [...entry.keys]}));
    }
  }

  clear(code: ViolationCode, collection: ViolatingCollection, key: string): void {
    if (this.#held.size > 0) this.#held.delete(violationKey(code, collection.uid, key));
  }

  /** Nobody listens any more, and nothing holds. */
  forget(): void {
    this.#listeners?.clear();
    this.#untold = [];
    this.#held.clear();
  }

  /** A stopped collection breaks no promise any more. */
  clearCollection(collection: ViolatingCollection): void {
    if (this.#held.size === 0) return;
    const prefix = `${collection.uid} `;
    for (const id of [...this.#held.keys()]) if (id.startsWith(prefix)) this.#held.delete(id);
  }
}

interface ViolatingCollection {
  readonly name: string;
  readonly uid: number;
}

function violationKey(code: ViolationCode, uid: number, key: string): string {
  return `${uid} ${code} ${key}`;
}
