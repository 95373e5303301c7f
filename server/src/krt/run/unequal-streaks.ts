// Rows that differ again and again although their JSON is equal. Every run announces a change that users
// cannot see.

import type {CollectionCore} from '../graph/collection-core.ts';

const REPORT_AFTER = 5;

export class UnequalStreaks {
  readonly #core: CollectionCore;
  #counts: Map<string, number> | null = null;

  constructor(core: CollectionCore) {
    this.#core = core;
  }

  /** A row differs, perhaps only in parts that JSON omits. */
  suspect(key: string, old: unknown, now: unknown): void {
    let same = false;
    try {
      same = JSON.stringify(old) === JSON.stringify(now);
    } catch {
      // The items have no JSON, so they are not equal in JSON.
    }
    if (!same) {
      this.end(key);
      return;
    }
    this.#counts ??= new Map();
    const streak = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, streak);
    if (streak < REPORT_AFTER) return;
    this.#core.engine.report(
      'never-equal',
      this.#core,
      [key],
      `row "${key}" of "${this.#core.name}" came out unequal ${streak} times in a row with the same JSON; give the collection an equals option that ignores what JSON does not show`,
    );
  }

  end(key: string): void {
    if (this.#counts === null || !this.#counts.delete(key)) return;
    this.#core.engine.violationStore.clear('never-equal', this.#core, key);
    if (this.#counts.size === 0) this.#counts = null;
  }
}
