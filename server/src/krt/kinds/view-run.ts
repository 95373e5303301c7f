// Runs of user code in a view: a map or a merge. One that throws keeps the last row and says so.

import {EQUAL} from '../api/equality.ts';
import type {Core} from '../graph/core.ts';
import type {Running} from '../run/run.ts';
import type {View} from './view.ts';

export class ViewRun implements Running {
  readonly #view: View;
  readonly #errors = new Map<string, string>();
  #key = '';

  constructor(view: View) {
    this.#view = view;
  }

  /** The result, or null if the code threw: then the row stays as it is. */
  call(key: string, members: readonly Core[], f: () => unknown): {value: unknown} | null {
    const {engine} = this.#view;
    const outer = engine.running;
    engine.running = this;
    this.#key = key;
    try {
      const value = f();
      this.#errors.delete(key);
      return {value};
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#errors.set(key, text);
      engine.changed = true;
      const {recorder} = engine;
      if (recorder !== null) {
        recorder.startViewRun(this.#view, key, members);
        recorder.endRun('failed', {failed: true, error, suspendedOn: null}, null);
      }
      return null;
    } finally {
      engine.running = outer;
    }
  }

  /** As call; a result equal to the row gives the row's own item. */
  callAndCompare(key: string, members: readonly Core[], f: () => unknown): {value: unknown} | null {
    const made = this.call(key, members, f);
    if (made === null) return null;
    const old = this.#view.rows.get(key)?.value;
    const now = made.value ?? undefined;
    const equal = old !== undefined && now !== undefined && this.#same(old, now);
    return {value: equal ? old : now};
  }

  #same(a: unknown, b: unknown): boolean {
    try {
      return this.#view.compare(a, b) === EQUAL;
    } catch {
      return false;
    }
  }

  errorOf(key: string): string | undefined {
    return this.#errors.get(key);
  }

  forget(key: string): void {
    this.#errors.delete(key);
  }

  bypassed(core: Core): void {
    this.#view.engine.report(
      'untracked-read',
      this.#view,
      [this.#key, core.name],
      `${this} read "${core.name}": maps and merges see only what they are given`,
    );
  }

  created(): void {}

  toString(): string {
    return `${this.#view.name}{${this.#key}}`;
  }
}
