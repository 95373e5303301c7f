// Runs of user code in a view: a map or a merge. One that throws keeps the last row and says so.

import type {RowState} from '../api/collection.ts';
import {EQUAL} from '../api/equality.ts';
import {errorText} from '../api/error-text.ts';
import {refusePromise} from '../api/thenable.ts';
import type {Core} from '../graph/core.ts';
import type {Running} from '../run/run.ts';
import type {View} from './view.ts';

export class ViewRun implements Running {
  readonly #view: View;
  readonly #errors = new Map<string, string>();
  /** Rows whose code read a collection the last time. */
  readonly #bypassing = new Set<string>();
  #bypassed = false;
  #key = '';

  constructor(view: View) {
    this.#view = view;
  }

  /** The result, or null if the code threw: then the row stays as it is. `f` refuses promises. */
  call(key: string, members: readonly Core[], f: () => unknown): {value: unknown} | null {
    const {engine} = this.#view;
    const outer = engine.running;
    engine.running = this;
    this.#key = key;
    this.#bypassed = false;
    try {
      const value = f();
      this.#heal(key);
      if (!this.#bypassed) this.#track(key);
      return {value};
    } catch (error) {
      const text = errorText(error);
      this.#errors.set(key, text);
      engine.changed = true;
      const message = `${this} threw: ${text}; the row stays as it was`;
      engine.report('map-failed', this.#view, [key], message);
      const {recorder} = engine;
      if (recorder !== null) {
        // A formula may be waiting for this view to settle: its run goes on afterwards.
        const waiting = recorder.current;
        recorder.startViewRun(this.#view, key, members);
        recorder.endRun('failed', {failed: true, error, suspendedOn: null}, waiting);
      }
      return null;
    } finally {
      engine.running = outer;
    }
  }

  /** As call; a result equal to the row gives the row's own item. */
  callAndCompare(key: string, members: readonly Core[], f: () => unknown): {value: unknown} | null {
    const old = this.#view.rows.get(key)?.value;
    return this.call(key, members, () => {
      const now = refusePromise(f(), this) ?? undefined;
      if (old === undefined || now === undefined) return now;
      return this.#view.compare(old, now) === EQUAL ? old : now;
    });
  }

  /** The row is gone, and with it what was wrong with it. */
  forget(key: string): void {
    this.#heal(key);
    this.#track(key);
  }

  #heal(key: string): void {
    if (this.#errors.delete(key)) this.#view.engine.held.clear('map-failed', this.#view, key);
  }

  #track(key: string): void {
    if (this.#bypassing.delete(key)) this.#view.engine.held.clear('untracked-read', this.#view, key);
  }

  /** How many rows could not be made the last time. */
  get failed(): number {
    return this.#errors.size;
  }

  /** The state of a row whose last run threw; undefined for all others. */
  failure(key: string): RowState | undefined {
    const error = this.#errors.get(key);
    return error === undefined ? undefined : {key, stale: true, outcome: 'failed', error};
  }

  bypassed(core: Core): void {
    this.#bypassed = true;
    this.#bypassing.add(this.#key);
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
