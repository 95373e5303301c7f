// A krtz document in the words that programs use: collections with what they are made of, rows, inputs. A document knows
// names alone, and they repeat: which one is meant is decided here, by keys and by age.
import {createHash} from 'node:crypto';
import type {ProgramCollection, ProgramRun} from '@krtscope/shared/programs/program.ts';
import {programLimits} from '@krtscope/shared/programs/program-limits.ts';
import {UNKNOWN_FILTER_TEXT} from '@krtscope/shared/vocabulary.ts';
import {type KrtzEntry, readEntries} from './krtz-entry.ts';

export interface KrtzDocument {
  collections: ProgramCollection[];
  items: [collection: string, key: string, value: unknown][];
  inputs: {collection: string; input: string; outputs: string[]; fetches: ProgramRun['fetches']}[];
}

const MAX_COLLECTIONS = 2000;
/** The key of a file's content is the content. */
const MAX_KEY_CHARACTERS = 1000;
/** krtscope's own journals go by such names; a document of another krtscope may show them. */
const OWN_PREFIX = 'krtscope:';

export class KrtzReader {
  /** Names that were given, by uid and name: the second of two stays the second when the first one goes. */
  #given = new Map<string, string>();

  /** Throws in words what is wrong with the text. */
  read(text: string): KrtzDocument {
    const entries = readEntries(text).filter(({name}) => !name.startsWith(OWN_PREFIX));
    if (entries.length > MAX_COLLECTIONS)
      throw new Error(`it has ${entries.length} collections, more than ${MAX_COLLECTIONS}`);
    const rows = entries.reduce((sum, {outputs, inputs}) => sum + outputs.size + inputs.length, 0);
    if (rows > programLimits.rows) throw new Error(`it has ${rows} rows, more than ${programLimits.rows}`);
    return new KrtzTranslation(entries, this.#name(entries)).document;
  }

  #name(entries: readonly KrtzEntry[]): Map<KrtzEntry, string> {
    const names = new Map<KrtzEntry, string>();
    const taken = new Set<string>();
    const given = new Map<string, string>();
    const idOf = ({uid, name, parent}: KrtzEntry) => JSON.stringify([name, uid ?? parent]);
    const give = (entry: KrtzEntry, name: string) => {
      names.set(entry, name);
      taken.add(name);
      given.set(idOf(entry), name);
    };
    for (const entry of entries) {
      const known = this.#given.get(idOf(entry));
      if (known !== undefined && !taken.has(known)) give(entry, known);
    }
    for (const entry of entries) {
      if (names.has(entry)) continue;
      let name = entry.name;
      for (let n = 2; taken.has(name); n++) name = `${entry.name}#${n}`;
      give(entry, name);
    }
    this.#given = given;
    return names;
  }
}

/** One document on its way. */
class KrtzTranslation {
  readonly #entries: readonly KrtzEntry[];
  readonly #names: ReadonlyMap<KrtzEntry, string>;
  readonly #byName = new Map<string, KrtzEntry[]>();
  /** Named by others and not in the document: joins are not, nor is what its program hides. */
  readonly #absent = new Map<string, ProgramCollection>();

  constructor(entries: readonly KrtzEntry[], names: ReadonlyMap<KrtzEntry, string>) {
    this.#entries = entries;
    this.#names = names;
    for (const entry of entries) {
      const same = this.#byName.get(entry.name);
      if (same === undefined) this.#byName.set(entry.name, [entry]);
      else same.push(entry);
    }
  }

  get document(): KrtzDocument {
    const document: KrtzDocument = {collections: [], items: [], inputs: []};
    for (const entry of this.#entries) {
      const name = this.#nameOf(entry);
      document.collections.push(this.#collection(entry, name));
      for (const [key, value] of entry.outputs) document.items.push([name, keyOf(key), value]);
      if (isNestedJoin(entry)) continue;
      for (const {key, outputs, dependencies} of entry.inputs)
        document.inputs.push({
          collection: name,
          input: keyOf(key),
          outputs: outputs.map(keyOf),
          fetches: this.#meant(entry, dependencies).map(fetchOf),
        });
    }
    document.collections.push(...this.#absent.values());
    return document;
  }

  #collection(entry: KrtzEntry, name: string): ProgramCollection {
    const from: ProgramCollection['from'] = [];
    const {kind, edge} = kindOf(entry);
    if (kind === 'join') {
      const members = new Set(entry.inputs.map(({key}) => Number(key)));
      for (const one of this.#entries)
        if (one.uid !== undefined && members.has(one.uid) && one !== entry)
          from.push({collection: this.#nameOf(one), kind: 'join'});
    } else {
      const parent = parentOf(entry, this.#byName);
      const keys = entry.inputs.map(({key}) => key);
      const meant = parent === undefined ? undefined : this.#one(entry, parent, keys);
      if (meant !== undefined) from.push({collection: meant, kind: edge});
      const looked = new Set(entry.inputs.flatMap(({dependencies}) => dependencies));
      // In an order of their own: another one would be another graph.
      for (const collection of this.#meant(entry, [...looked]).sort()) from.push({collection, kind: 'fetch'});
    }
    return {name, kind, from, synced: entry.synced};
  }

  /** The collections that these names mean, each once. */
  #meant(entry: KrtzEntry, names: readonly string[]): string[] {
    return [...new Set(names.flatMap(name => this.#one(entry, name) ?? []))];
  }

  /** Of several of one name the one that has these keys, then the youngest that is older: it was there to be named. */
  #one(entry: KrtzEntry, name: string, keys: readonly string[] = []): string | undefined {
    if (name === '' || name.startsWith(OWN_PREFIX)) return undefined;
    const all = this.#byName.get(name);
    if (all === undefined) return this.#missing(name);
    const others = all.filter(one => one !== entry);
    const holding = others.filter(({outputs}) => keys.every(key => outputs.has(key)));
    const candidates = holding.length > 0 ? holding : others;
    const older = candidates.filter(({uid}) => (uid ?? 0) < (entry.uid ?? 0));
    const one = older.at(-1) ?? candidates[0];
    return one && this.#nameOf(one);
  }

  #missing(name: string): string {
    const kind = name.startsWith('index/') ? 'index' : name.startsWith('Static[') ? 'static' : 'join';
    this.#absent.set(name, {name, kind, from: [], synced: true});
    return name;
  }

  #nameOf(entry: KrtzEntry): string {
    return this.#names.get(entry) ?? entry.name;
  }
}

/** A document does not say what kind a collection is: its shape does. */
function kindOf(entry: KrtzEntry): {kind: ProgramCollection['kind']; edge: 'input' | 'index'} {
  const {name, parent, inputs, outputs} = entry;
  const of = (kind: ProgramCollection['kind'], edge: 'input' | 'index' = 'input') => ({kind, edge});
  if (isSingleton(entry)) return of('singleton');
  if (name.startsWith('index/')) return of('index', 'index');
  if (parent !== undefined) return of(inputs.length === 0 && outputs.size > 0 ? 'map' : 'derived');
  if (isNestedJoin(entry)) return of('join');
  if (outputs.size === 1 && typeof outputs.get('static') === 'number') return of('trigger');
  if (/(^|\/)informer\//.test(name)) return of('source');
  return of(name.endsWith('/status') ? 'status' : 'static');
}

/** What it is made from by name; a list of statuses belongs to the collection that it has its name from. */
function parentOf(entry: KrtzEntry, byName: ReadonlyMap<string, unknown>): string | undefined {
  if (isSingleton(entry)) return undefined;
  const own = entry.name.replace(/\/status$/, '');
  return entry.parent ?? (own !== entry.name && byName.has(own) ? own : undefined);
}

/** Its hidden input has its own name. */
function isSingleton({name, parent, inputs}: KrtzEntry): boolean {
  return parent === name && inputs.every(({key}) => key === '');
}

/** Its inputs are its members by uid, and what stands for dependencies are keys. */
function isNestedJoin({parent, inputs}: KrtzEntry): boolean {
  return parent === undefined && inputs.length > 0 && inputs.every(({key}) => /^\d+$/.test(key));
}

function fetchOf(collection: string): ProgramRun['fetches'][number] {
  return {collection, filter: UNKNOWN_FILTER_TEXT, matched: 0, scanned: 0, via: {kind: 'scan'}, keys: []};
}

function keyOf(key: string): string {
  if (key.length <= MAX_KEY_CHARACTERS) return key;
  return `${key.slice(0, MAX_KEY_CHARACTERS)}… ${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
}
