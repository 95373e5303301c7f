// Formulas of the cluster, as formula-controller.ts read them from formulas.krtscope.dev. Read-only.
import type {ParamValues} from '@krtscope/shared/formulas.ts';
import type {FormulaObject} from '../../../cluster/formulas/resource.ts';
import type {EngineFailure} from '../../../engine/link/engine-link.ts';
import {storedInClusterFailure} from '../api-failures.ts';
import {revisionOf} from './formula-file.ts';
import type {FormulaStore, StoredFormula} from './formula-store.ts';

interface FormulaNameClaim {
  /** namespace/name of the object. */
  readonly key: string;
  readonly created: string;
  readonly stored: StoredFormula;
}

type FormulaStoreListener = (name: string, stored: StoredFormula | undefined) => void;

export class ClusterStore implements FormulaStore {
  readonly #claims = new Map<string, FormulaNameClaim>();
  #changed: FormulaStoreListener = () => {};

  place(name: string): string {
    return `Formula ${this.winner(name) ?? name}`;
  }

  refusal(name: string): EngineFailure {
    return storedInClusterFailure(name, this.place(name));
  }

  async open(changed: FormulaStoreListener): Promise<StoredFormula[]> {
    this.#changed = changed;
    return [...this.#claims.values()]
      .filter(({key, stored}) => this.winner(stored.name) === key)
      .map(c => c.stored);
  }

  async write(formula: {name: string}): Promise<StoredFormula> {
    throw this.refusal(formula.name);
  }

  async remove(name: string): Promise<void> {
    throw this.refusal(name);
  }

  close(): void {
    this.#changed = () => {};
  }

  /** Records the present state of an object; undefined if it is gone. */
  claim(key: string, object: FormulaObject | undefined): void {
    const old = this.#claims.get(key);
    const claim = object && claimOf(key, object);
    if (claim) this.#claims.set(key, claim);
    else this.#claims.delete(key);
    for (const name of new Set([old?.stored.name, claim?.stored.name]))
      if (name !== undefined) this.#changed(name, this.#stored(name));
  }

  /** The object that owns the name: the oldest one with it. */
  winner(name: string): string | undefined {
    return this.#first(name)?.key;
  }

  #stored(name: string): StoredFormula | undefined {
    return this.#first(name)?.stored;
  }

  #first(name: string): FormulaNameClaim | undefined {
    return [...this.#claims.values()]
      .filter(({stored}) => stored.name === name)
      .sort((a, b) => a.created.localeCompare(b.created) || (a.key < b.key ? -1 : 1))[0];
  }
}

function claimOf(key: string, {metadata, spec}: FormulaObject): FormulaNameClaim | undefined {
  if (spec.suspend === true || metadata.deletionTimestamp) return undefined;
  const {name, code, input, kind, sources} = spec;
  // The compiler reports a value of another type than its default.
  const params = spec.params as ParamValues | undefined;
  return {
    key,
    created: metadata.creationTimestamp ?? '',
    stored: {
      name,
      code,
      input,
      kind,
      sources,
      params,
      revision: revisionOf(JSON.stringify([name, code, input, kind, sources, params])),
    },
  };
}
