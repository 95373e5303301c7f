// A context that answers reads from the settled state and records nothing: for repeats that are not runs.

import {errorText} from '../api/error-text.ts';
import type {Probed, ProbedRead} from '../api/inspect.ts';
import {quietAll} from '../api/thenable.ts';
import type {Core} from '../graph/core.ts';
import type {Derived} from '../kinds/derived.ts';
import {type Filter, sameQuery} from '../query/filter.ts';
import {scan} from '../query/scan.ts';
import type {Entry} from '../run/entry.ts';
import {readOut, refuseAsync} from '../run/result.ts';
import {RunContext, Suspension} from '../run/run.ts';
import {Uncommitted} from './uncommitted.ts';

type Wrap = (item: unknown, read: ProbedRead) => unknown;

export class ProbeContext extends Uncommitted {
  readonly #derived: Derived;
  readonly #wrap: Wrap | null;
  readonly #limit: number;
  #entry: Entry | null = null;
  #fetches = 0;
  #suspendedOn: Core | null = null;
  #key = '';

  /** At most `limit` items of a fetch go through `wrap`. */
  constructor(derived: Derived, wrap: Wrap | null, limit = Number.POSITIVE_INFINITY) {
    super();
    this.#derived = derived;
    this.#wrap = wrap;
    this.#limit = limit;
  }

  run(entry: Entry): Probed {
    const {engine, formula, parent} = this.#derived;
    this.#key = entry.row.key;
    this.#entry = entry;
    this.enter(engine);
    let value: unknown;
    try {
      value = formula(new RunContext(this.#derived, this), this.#give(parent, entry.row.value, -1));
      refuseAsync(this.#derived, value);
      value = readOut(this.#derived, value);
      return this.#answer({discarded: this.discarded, value});
    } catch (error) {
      quietAll(value);
      const text = errorText(error);
      return this.#answer({discarded: this.discarded, error: text});
    } finally {
      this.leave(engine);
    }
  }

  #answer(probed: Probed): Probed {
    if (this.#suspendedOn === null) return probed;
    quietAll(probed.value);
    return {discarded: this.discarded, waitingFor: this.#suspendedOn.name};
  }

  #give(core: Core, item: unknown, fetch: number): unknown {
    if (this.#wrap === null) return item;
    const {name: collection, uid} = core;
    const inputKey = this.#key;
    const read = {
      collection,
      uid,
      fetch,
      get key() {
        return fetch < 0 ? inputKey : core.keyOf(item);
      },
    };
    return this.#wrap(item, read);
  }

  // The last run's own answer, where this run asks the same: no need to search again.
  #find(core: Core, filters: readonly Filter[], fetch: number): readonly unknown[] {
    const node = this.#entry?.nodes[fetch];
    if (node?.core === core && sameQuery(node.spec, filters)) return node.result();
    return scan(core, filters);
  }

  override read(core: Core, filters: readonly Filter[]): readonly unknown[] {
    if (!core.synced) {
      this.#suspendedOn ??= core;
      throw new Suspension(core.name);
    }
    const fetch = this.#fetches++;
    const found = this.#find(core, filters, fetch);
    if (this.#wrap === null) return Object.isFrozen(found) ? found : Object.freeze([...found]);
    const given: unknown[] = [];
    for (let i = 0; i < found.length; i++) {
      given.push(i < this.#limit ? this.#give(core, found[i], fetch) : found[i]);
    }
    return Object.freeze(given);
  }

  override toString(): string {
    return `${this.#derived.name}{${this.#key}}`;
  }
}
