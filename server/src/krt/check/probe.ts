// A repeat of a formula that reads the settled state and records nothing.

import type {CollectionCore} from '../graph/collection-core.ts';
import {type Filter, isSameQuery} from '../query/filter.ts';
import {scanRows} from '../query/scan.ts';
import type {DerivedCore} from '../run/derived-core.ts';
import {refuseAsync, withListedItems} from '../run/formula-result.ts';
import type {InputEntry} from '../run/input-entry.ts';
import {FormulaRunContext, Suspension} from '../run/run-context.ts';
import {errorText} from '../values/error-text.ts';
import {silenceRejections} from '../values/thenable.ts';
import {UncommittedRun} from './uncommitted-run.ts';

export interface Probed {
  value?: unknown;
  error?: string;
  waitingFor?: string;
  discarded: boolean;
}

export interface ProbedRead {
  collection: string;
  uid: number;
  key: string;
  /** Which fetch of the run; -1 for the input itself. */
  fetch: number;
}

type WrapItem = (item: unknown, read: ProbedRead) => unknown;

export class ProbeContext extends UncommittedRun {
  readonly #derived: DerivedCore;
  readonly #wrap: WrapItem | null;
  readonly #limit: number;
  #entry: InputEntry | null = null;
  #fetches = 0;
  #suspendedOn: CollectionCore | null = null;
  #key = '';

  /** `wrap` gets at most `limit` items of a fetch. */
  constructor(derived: DerivedCore, wrap: WrapItem | null, limit = Number.POSITIVE_INFINITY) {
    super();
    this.#derived = derived;
    this.#wrap = wrap;
    this.#limit = limit;
  }

  run(entry: InputEntry): Probed {
    const {engine, formula, parent} = this.#derived;
    this.#key = entry.row.key;
    this.#entry = entry;
    this.enter(engine);
    let value: unknown;
    try {
      value = formula(new FormulaRunContext(this.#derived, this), this.#give(parent, entry.row.value, -1));
      refuseAsync(this.#derived, value);
      value = withListedItems(this.#derived, value);
      return this.#answer({discarded: this.discarded, value});
    } catch (error) {
      silenceRejections(value);
      const text = errorText(error);
      return this.#answer({discarded: this.discarded, error: text});
    } finally {
      this.leave(engine);
    }
  }

  #answer(probed: Probed): Probed {
    if (this.#suspendedOn === null) return probed;
    silenceRejections(probed.value);
    return {discarded: this.discarded, waitingFor: this.#suspendedOn.name};
  }

  #give(core: CollectionCore, item: unknown, fetch: number): unknown {
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

  // Reuses the answer of the last run for the same query.
  #find(core: CollectionCore, filters: readonly Filter[], fetch: number): readonly unknown[] {
    const node = this.#entry?.nodes[fetch];
    if (node?.core === core && node.spec.project === null && isSameQuery(node.spec, filters))
      return node.result();
    return scanRows(core, filters);
  }

  override read(core: CollectionCore, filters: readonly Filter[]): readonly unknown[] {
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
