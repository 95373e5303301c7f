// Runs of the user function of a view, a map or a merge. If it throws, the row stays and the violation is
// reported.

import type {CollectionCore} from '../graph/collection-core.ts';
import type {ViewCore} from '../graph/view-core.ts';
import {endResources} from '../run/run-end.ts';
import type {RowState} from '../values/collection.ts';
import {EQUAL} from '../values/equality.ts';
import {errorText} from '../values/error-text.ts';
import type {RunningCode, RunResource} from '../values/running-code.ts';
import {refusePromise} from '../values/thenable.ts';

export class ViewRun implements RunningCode {
  readonly #view: ViewCore;
  readonly #errors = new Map<string, string>();
  /** Rows whose last call read a collection. */
  readonly #bypassing = new Set<string>();
  /** Resources that the calls for the current rows created. */
  readonly #created = new Map<string, readonly RunResource[]>();
  #bypassed = false;
  #made: RunResource[] | null = null;
  #key = '';

  constructor(view: ViewCore) {
    this.#view = view;
  }

  /** The result, or null if the code threw. Then the row stays. `f` refuses promises. */
  call(key: string, members: readonly CollectionCore[], f: () => unknown): {value: unknown} | null {
    const {engine} = this.#view;
    const outer = engine.running;
    engine.running = this;
    this.#key = key;
    this.#bypassed = false;
    this.#made = null;
    let result: {value: unknown} | null = null;
    try {
      const value = f();
      this.#heal(key);
      if (!this.#bypassed) this.#track(key);
      result = {value};
    } catch (error) {
      const text = errorText(error);
      this.#errors.set(key, text);
      engine.changed = true;
      const message = `${this} threw: ${text}; the row stays as it was`;
      engine.report('map-failed', this.#view, [key], message);
      const {recorder} = engine;
      if (recorder !== null) {
        // A formula may be waiting for this view. Its run continues afterwards.
        const waiting = recorder.current;
        recorder.startViewRun(this.#view, key, members);
        recorder.endRun('failed', {failed: true, error, suspendedOn: null}, waiting);
      }
    } finally {
      engine.running = outer;
    }
    this.#settleCreated(key, result);
    return result;
  }

  // Resources live as long as the row that they were created for.
  #settleCreated(key: string, result: {value: unknown} | null): void {
    const made = this.#made;
    if (made === null && this.#created.size === 0) return;
    const before = this.#created.get(key) ?? null;
    const same = result !== null && (result.value ?? undefined) === this.#view.rows.get(key)?.value;
    if (result === null || this.#view.stopped || (same && before !== null)) {
      endResources(made);
      return;
    }
    this.#created.delete(key);
    if (made !== null) this.#created.set(key, made);
    endResources(before);
  }

  /** Like call, but an equal result gives the existing item of the row. */
  callAndCompare(key: string, members: readonly CollectionCore[], f: () => unknown): {value: unknown} | null {
    const old = this.#view.rows.get(key)?.value;
    return this.call(key, members, () => {
      const now = refusePromise(f(), this) ?? undefined;
      if (old === undefined || now === undefined) return now;
      return this.#view.compare(old, now) === EQUAL ? old : now;
    });
  }

  /** Clears everything about a removed row. */
  forget(key: string): void {
    this.#heal(key);
    this.#track(key);
    if (this.#created.size === 0) return;
    endResources(this.#created.get(key) ?? null);
    this.#created.delete(key);
  }

  /** Ends all resources when the view ends. */
  end(): void {
    for (const made of this.#created.values()) endResources(made);
    this.#created.clear();
  }

  #heal(key: string): void {
    if (this.#errors.delete(key)) this.#view.engine.violationStore.clear('map-failed', this.#view, key);
  }

  #track(key: string): void {
    if (this.#bypassing.delete(key))
      this.#view.engine.violationStore.clear('untracked-read', this.#view, key);
  }

  /** How many rows failed in their last run. */
  get failed(): number {
    return this.#errors.size;
  }

  /** The state of a failed row; undefined for all others. */
  failure(key: string): RowState | undefined {
    const error = this.#errors.get(key);
    return error === undefined ? undefined : {key, stale: true, outcome: 'failed', error};
  }

  bypassed(core: CollectionCore): void {
    this.#bypassed = true;
    this.#bypassing.add(this.#key);
    this.#view.engine.report(
      'untracked-read',
      this.#view,
      [this.#key, core.name],
      `${this} read "${core.name}": maps and merges see only what they are given`,
    );
  }

  created(made: RunResource): void {
    this.#made ??= [];
    this.#made.push(made);
  }

  toString(): string {
    return `${this.#view.name}{${this.#key}}`;
  }
}
