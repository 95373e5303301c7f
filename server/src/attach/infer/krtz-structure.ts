// Lookups in a krtz document: which collection a log line means, what it is made of, and which input gives a row.
import type {ProgramCollection} from '@krtscope/shared/programs/program.ts';
import type {KrtzDocument} from '../krtz-document.ts';

export interface RowRef {
  collection: string;
  key: string;
}

const NO_KEYS: readonly string[] = [];

export class KrtzStructure {
  readonly #collections = new Map<string, ProgramCollection>();
  /** Collections by the name that the log writes. Names repeat. */
  readonly #byBaseName = new Map<string, string[]>();
  readonly #rows = new Map<string, Map<string, unknown>>();
  /** By collection: the inputs with their outputs and fetched collections. */
  readonly #inputs = new Map<string, Map<string, {outputs: readonly string[]; fetches: readonly string[]}>>();
  readonly #inputsOfOutput = new Map<string, Map<string, string[]>>();
  readonly #readers = new Map<string, Set<string>>();
  readonly #absent: ReadonlySet<string>;

  constructor({collections, absent, items, inputs}: KrtzDocument) {
    this.#absent = new Set(absent);
    for (const collection of collections) {
      const {name} = collection;
      this.#collections.set(name, collection);
      getOrCreate(this.#byBaseName, baseName(name), () => []).push(name);
      for (const from of collection.from)
        getOrCreate(this.#readers, from.collection, () => new Set()).add(name);
    }
    for (const [collection, key, value] of items)
      getOrCreate(this.#rows, collection, () => new Map()).set(key, value);
    for (const {collection, input, outputs, fetches} of inputs) {
      const names = fetches.map(fetch => fetch.collection);
      getOrCreate(this.#inputs, collection, () => new Map()).set(input, {outputs, fetches: names});
      const byOutput = getOrCreate(this.#inputsOfOutput, collection, () => new Map<string, string[]>());
      for (const output of outputs) getOrCreate(byOutput, output, () => []).push(input);
    }
  }

  get collections(): Iterable<ProgramCollection> {
    return this.#collections.values();
  }

  collection(name: string): ProgramCollection | undefined {
    return this.#collections.get(name);
  }

  /** The collections of a name in the log, oldest first. */
  namesakes(name: string): readonly string[] {
    return this.#byBaseName.get(name) ?? NO_KEYS;
  }

  has({collection, key}: RowRef): boolean {
    return this.#rows.get(collection)?.has(key) === true;
  }

  value({collection, key}: RowRef): unknown {
    return this.#rows.get(collection)?.get(key);
  }

  rows(collection: string): ReadonlyMap<string, unknown> {
    return this.#rows.get(collection) ?? new Map();
  }

  hasInput(collection: string, input: string): boolean {
    return this.#inputs.get(collection)?.has(input) === true;
  }

  /** The keys of a collection's inputs. */
  inputs(collection: string): Iterable<string> {
    return this.#inputs.get(collection)?.keys() ?? NO_KEYS;
  }

  inputsOf(collection: string, output: string): readonly string[] {
    return this.#inputsOfOutput.get(collection)?.get(output) ?? NO_KEYS;
  }

  outputsOf(collection: string, input: string): readonly string[] {
    return this.#inputs.get(collection)?.get(input)?.outputs ?? NO_KEYS;
  }

  /** The collections that an input fetches, once for each fetch. */
  fetchesOf(collection: string, input: string): readonly string[] {
    return this.#inputs.get(collection)?.get(input)?.fetches ?? NO_KEYS;
  }

  parentOf(collection: string): string | undefined {
    return this.#collections.get(collection)?.from.find(({kind}) => kind === 'input' || kind === 'index')
      ?.collection;
  }

  isSingleton(collection: string): boolean {
    return this.#collections.get(collection)?.kind === 'singleton';
  }

  /** Whether others name the collection and the document leaves it out: joins, and what the program hides. */
  isAbsent(collection: string): boolean {
    return this.#absent.has(collection);
  }

  /** Whether `downstream` is computed from `collection`, directly or not. */
  isUpstream(collection: string, downstream: string): boolean {
    const seen = new Set<string>();
    const queue = [collection];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (name === downstream) return true;
      for (const reader of this.#readers.get(name) ?? [])
        if (!seen.has(reader)) {
          seen.add(reader);
          queue.push(reader);
        }
    }
    return false;
  }
}

/** The name without the number that tells collections of one name apart. */
export function baseName(name: string): string {
  return name.replace(/#\d+$/, '');
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
