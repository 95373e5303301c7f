// The key of a row: the string itself, else its field `key`, else its Kubernetes metadata, else a key from its run.
import type {CompiledFormulaKind} from '../compile/formula-compiler.ts';
import {FormulaFailure} from './formula-failure.ts';

interface KeyedRow {
  key?: unknown;
  metadata?: {name?: unknown; namespace?: unknown} | null;
}

/** Every message and address of the row repeats its key. Keys of Kubernetes have at most 317 characters. */
const MAX_KEY_CHARACTERS = 1000;

/** The key inside the row, or undefined. Throws FormulaFailure for an invalid one. */
function ownKeyOf(row: unknown): string | undefined {
  const key = readKey(row);
  if (key !== undefined) refuseInvalidKey(key);
  return key;
}

function refuseInvalidKey(key: string): void {
  if (key.length > MAX_KEY_CHARACTERS)
    throw new FormulaFailure(
      `a row's key has ${key.length} characters, more than ${MAX_KEY_CHARACTERS}; give the row a shorter one: {key: …}`,
    );
  // Addresses and frames are UTF-8, which has no lone surrogates. Such a row could not be linked or fetched.
  if (!key.isWellFormed())
    throw new FormulaFailure(
      `a row's key contains half a character (a lone surrogate): ${JSON.stringify(key).slice(0, 60)}`,
    );
}

function readKey(row: unknown): string | undefined {
  if (typeof row === 'string') {
    if (row === '') throw new FormulaFailure('an empty string cannot be a key; return null for no row');
    return row;
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined;
  const {key, metadata} = row as KeyedRow;
  if (key !== undefined) {
    if (typeof key === 'string' && key !== '') return key;
    throw new FormulaFailure(
      `a row's key must be a string that is not empty, got ${JSON.stringify(key).slice(0, 60)}`,
    );
  }
  if (typeof metadata !== 'object' || metadata === null || typeof metadata.name !== 'string')
    return undefined;
  if (metadata.name === '') return undefined;
  return typeof metadata.namespace === 'string' && metadata.namespace !== ''
    ? `${metadata.namespace}/${metadata.name}`
    : metadata.name;
}

const SINGLETON_KEY = 'static';

/** Keys that rows get from their run. */
export class FormulaRowKeys {
  readonly #assigned = new WeakMap<object, string>();
  readonly #kind: CompiledFormulaKind;
  readonly #own: ((row: unknown) => string) | undefined;
  readonly #forgets: boolean;
  /** The key of the current run, for values that cannot be keys of a WeakMap. */
  #current = '';

  /** `own` is the user's key function. `forgets`: keys are read only before the next run. */
  constructor(kind: CompiledFormulaKind, own?: (row: unknown) => string, forgets = false) {
    this.#kind = kind;
    this.#own = own;
    this.#forgets = forgets && own === undefined;
  }

  /** Called with every row of a run. Returns true if the row takes the key of its input with `inherit`. */
  assign(row: unknown): boolean {
    if (this.#kind === 'singleton') return false;
    if (this.#own !== undefined) {
      const key = this.#own(row);
      if (typeof key !== 'string' || key === '')
        throw new FormulaFailure('the key option must return a string that is not empty');
      refuseInvalidKey(key);
      this.#current = key;
      if (typeof row === 'object' && row !== null) this.#assigned.set(row, key);
      return false;
    }
    if (ownKeyOf(row) !== undefined) return false;
    if (this.#kind === 'many') {
      throw new FormulaFailure('a row of a "many" formula needs a key: return {key: …} or a string');
    }
    return true;
  }

  inherit(row: unknown, input: string): void {
    this.#current = input;
    if (!this.#forgets && typeof row === 'object' && row !== null) this.#assigned.set(row, this.#current);
  }

  /** Gives a row that a run yielded in an earlier process the key that it had. */
  adopt(row: unknown, input: string): void {
    if (this.assign(row)) this.inherit(row, input);
  }

  of(row: unknown): string {
    if (this.#kind === 'singleton') return SINGLETON_KEY;
    const own = this.#own === undefined ? ownKeyOf(row) : undefined;
    if (own !== undefined) return own;
    return (typeof row === 'object' && row !== null ? this.#assigned.get(row) : undefined) ?? this.#current;
  }
}

export function labelsOf(row: unknown): Record<string, string> | undefined {
  const {metadata, labels} = (typeof row === 'object' && row !== null ? row : {}) as {
    metadata?: {labels?: unknown} | null;
    labels?: unknown;
  };
  const own = metadata?.labels ?? labels;
  if (typeof own !== 'object' || own === null || Array.isArray(own)) return undefined;
  const texts = Object.entries(own).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts) as Record<string, string>;
}

export function namespaceOf(row: unknown): string | undefined {
  const {metadata, namespace} = (typeof row === 'object' && row !== null ? row : {}) as {
    metadata?: {namespace?: unknown} | null;
    namespace?: unknown;
  };
  const own = metadata?.namespace ?? namespace;
  return typeof own === 'string' ? own : undefined;
}
