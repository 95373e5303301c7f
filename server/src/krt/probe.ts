// A context that answers reads from the settled state and records nothing: for repeats that are not runs.

import type {ReadContext} from './context.ts';
import type {Core} from './core.ts';
import type {Derived} from './derived.ts';
import type {Entry} from './entry.ts';
import {type Filter, specOf} from './filter.ts';
import type {Probed, ProbedRead} from './inspect.ts';
import {type Running, Suspension} from './run.ts';
import {scanRows} from './scan.ts';

type Wrap = (item: unknown, read: ProbedRead) => unknown;

export class ProbeContext implements ReadContext, Running {
  readonly #derived: Derived;
  readonly #wrap: Wrap | null;
  #fetches = 0;
  #discarded = false;
  #suspendedOn: Core | null = null;
  #made: Core[] = [];
  #key = '';

  constructor(derived: Derived, wrap: Wrap | null) {
    this.#derived = derived;
    this.#wrap = wrap;
  }

  run(entry: Entry): Probed {
    const {engine, formula, parent} = this.#derived;
    this.#key = entry.row.key;
    const outer = engine.running;
    engine.running = this;
    try {
      const value = formula(this, this.#give(parent, entry.row.key, entry.row.value, -1));
      return this.#answer({discarded: this.#discarded, value});
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return this.#answer({discarded: this.#discarded, error: text});
    } finally {
      engine.running = outer;
      for (const core of this.#made) core.end();
    }
  }

  #answer(probed: Probed): Probed {
    if (this.#suspendedOn === null) return probed;
    return {discarded: this.#discarded, waitingFor: this.#suspendedOn.name};
  }

  #give(core: Core, key: string, item: unknown, fetch: number): unknown {
    if (this.#wrap === null) return item;
    return this.#wrap(item, {collection: core.name, uid: core.uid, key, fetch});
  }

  read(core: Core, filters: readonly Filter[]): readonly unknown[] {
    if (!core.synced) {
      this.#suspendedOn ??= core;
      throw new Suspension(core.name);
    }
    const fetch = this.#fetches++;
    const rows = scanRows(core, specOf(filters));
    return Object.freeze(rows.map(row => this.#give(core, row.key, row.value, fetch)));
  }

  readPartial(
    core: Core,
    project: (item: unknown) => unknown,
    _same: (a: unknown, b: unknown) => boolean,
    filters: readonly Filter[],
  ): unknown[] {
    return this.read(core, filters).map(item => project(item));
  }

  discardResult(): void {
    this.#discarded = true;
  }

  bypassed(): void {}

  created(core: Core): void {
    this.#made.push(core);
  }

  toString(): string {
    return `${this.#derived.name}{${this.#key}}`;
  }
}
