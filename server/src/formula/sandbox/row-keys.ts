// The key of a row: a text is its own, else the field `key`, else Kubernetes metadata, else what the kind of formula says.
import type {CompiledFormulaKind} from '../compile/formula-compiler.ts';
import {FormulaFailure} from './formula-failure.ts';

interface KeyedRow {
  key?: unknown;
  metadata?: {name?: unknown; namespace?: unknown} | null;
}

/** Characters. Every message and address that names the row repeats it; Kubernetes' own have at most 317. */
const MAX_KEY_CHARACTERS = 1000;

/** The key that a row carries in itself; undefined if it has none. Throws FormulaFailure for one that cannot be. */
function ownKeyOf(row: unknown): string | undefined {
  const key = readKey(row);
  if (key !== undefined) refuseInvalidKey(key);
  return key;
}

function refuseInvalidKey(key: string): void {
  if (key.length > MAX_KEY_CHARACTERS)
    throw new FormulaFailure(
      `a row's key has at most ${MAX_KEY_CHARACTERS} characters, this one has ${key.length}; give the row a shorter one: {key: …}`,
    );
  // Addresses and frames are UTF-8, which has no half of a pair: such a row could be neither linked nor asked for.
  if (!key.isWellFormed())
    throw new FormulaFailure(
      `a row's key has half a character in it (a lone surrogate): ${JSON.stringify(key).slice(0, 60)}`,
    );
}

function readKey(row: unknown): string | undefined {
  if (typeof row === 'string') {
    if (row === '') throw new FormulaFailure('an empty text has no key; return null for nothing');
    return row;
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined;
  const {key, metadata} = row as KeyedRow;
  if (key !== undefined) {
    if (typeof key === 'string' && key !== '') return key;
    throw new FormulaFailure(
      `a row's key must be a text that is not empty, found ${JSON.stringify(key).slice(0, 60)}`,
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

/** Keys that rows have from their run and not from themselves. */
export class FormulaRowKeys {
  readonly #given = new WeakMap<object, string>();
  readonly #kind: CompiledFormulaKind;
  readonly #own: ((row: unknown) => string) | undefined;
  readonly #forgets: boolean;
  /** For what cannot carry anything: the run that is under way. */
  #current = '';

  /** `own`: where the user says that keys come from. `forgets`: keys are asked for before the next run only. */
  constructor(kind: CompiledFormulaKind, own?: (row: unknown) => string, forgets = false) {
    this.#kind = kind;
    this.#own = own;
    this.#forgets = forgets && own === undefined;
  }

  /** Called with every row of a run before the engine sees it. True: it has the key of its input, which `inherit` takes. */
  assign(row: unknown): boolean {
    if (this.#kind === 'singleton') return false;
    if (this.#own !== undefined) {
      const key = this.#own(row);
      if (typeof key !== 'string' || key === '')
        throw new FormulaFailure('the key option must give a text that is not empty');
      refuseInvalidKey(key);
      this.#current = key;
      if (typeof row === 'object' && row !== null) this.#given.set(row, key);
      return false;
    }
    if (ownKeyOf(row) !== undefined) return false;
    if (this.#kind === 'many') {
      throw new FormulaFailure('a row of a "many" formula needs a key: return {key: …} or a text');
    }
    return true;
  }

  inherit(row: unknown, input: string): void {
    this.#current = input;
    if (!this.#forgets && typeof row === 'object' && row !== null) this.#given.set(row, this.#current);
  }

  of(row: unknown): string {
    if (this.#kind === 'singleton') return SINGLETON_KEY;
    const own = this.#own === undefined ? ownKeyOf(row) : undefined;
    if (own !== undefined) return own;
    return (typeof row === 'object' && row !== null ? this.#given.get(row) : undefined) ?? this.#current;
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
