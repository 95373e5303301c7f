// Formulas as objects of the cluster: what formula-controller.ts has read of formulas.krtscope.dev. Nothing is written
// here; who wants to change one changes its object.
import type {FormulaObject} from '../../cluster/formulas/resource.ts';
import type {EngineFailure} from '../../engine/link/link.ts';
import {revisionOf} from './file-text.ts';
import {keptInCluster} from './refusals.ts';
import type {FormulaStore, StoredFormula} from './store.ts';

interface Claim {
  /** namespace/name of the object. */
  readonly key: string;
  readonly created: string;
  readonly stored: StoredFormula;
}

type Changed = (name: string, stored: StoredFormula | undefined) => void;

export class ClusterStore implements FormulaStore {
  readonly #claims = new Map<string, Claim>();
  #changed: Changed = () => {};

  place(name: string): string {
    return `Formula ${this.winner(name) ?? name}`;
  }

  refusal(name: string): EngineFailure {
    return keptInCluster(name, this.place(name));
  }

  async open(changed: Changed): Promise<StoredFormula[]> {
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

  /** What an object says now; undefined: it is gone, or says nothing. */
  claim(key: string, object: FormulaObject | undefined): void {
    const old = this.#claims.get(key);
    const claim = object && claimOf(key, object);
    if (claim) this.#claims.set(key, claim);
    else this.#claims.delete(key);
    for (const name of new Set([old?.stored.name, claim?.stored.name]))
      if (name !== undefined) this.#changed(name, this.#stored(name));
  }

  /** The object whose formula has the name: the oldest that asks for it. */
  winner(name: string): string | undefined {
    return this.#first(name)?.key;
  }

  #stored(name: string): StoredFormula | undefined {
    return this.#first(name)?.stored;
  }

  #first(name: string): Claim | undefined {
    return [...this.#claims.values()]
      .filter(({stored}) => stored.name === name)
      .sort((a, b) => a.created.localeCompare(b.created) || (a.key < b.key ? -1 : 1))[0];
  }
}

function claimOf(key: string, {metadata, spec}: FormulaObject): Claim | undefined {
  if (spec.suspend === true || metadata.deletionTimestamp) return undefined;
  const {name, code, input, kind, sources} = spec;
  return {
    key,
    created: metadata.creationTimestamp ?? '',
    stored: {
      name,
      code,
      ...(input === undefined ? {} : {input}),
      ...(kind === undefined ? {} : {kind}),
      ...(sources === undefined ? {} : {sources}),
      revision: revisionOf(JSON.stringify([name, code, input, kind, sources])),
    },
  };
}
