// Translates a krtz document to collections, rows and inputs. A document refers to collections by names, which may
// repeat. This file decides by keys and age which collection is meant.
import type {ProgramCollection, ProgramRun} from '@krtscope/shared/programs/program.ts';
import {programLimits} from '@krtscope/shared/programs/program-limits.ts';
import {UNKNOWN_FILTER_TEXT} from '@krtscope/shared/vocabulary.ts';
import {type KrtzEntry, readEntries} from './krtz-entry.ts';
import {keyOf} from './krtz-key.ts';

export interface KrtzDocument {
  collections: ProgramCollection[];
  /** Those of the collections that others name and the document does not have. */
  absent: string[];
  items: [collection: string, key: string, value: unknown][];
  inputs: {collection: string; input: string; outputs: string[]; fetches: ProgramRun['fetches']}[];
}

const MAX_COLLECTIONS = 2000;
/** Prefix of krtscope's own collections, which a document of another krtscope may contain. */
const OWN_PREFIX = 'krtscope:';

export class KrtzReader {
  /** Names by uid and name, so that `name#2` stays `name#2` when the first collection goes. */
  #assigned = new Map<string, string>();

  /** Throws an error that says what is wrong with the text. */
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
    const assigned = new Map<string, string>();
    const idOf = ({uid, name, parent}: KrtzEntry) => JSON.stringify([name, uid ?? parent]);
    const assign = (entry: KrtzEntry, name: string) => {
      names.set(entry, name);
      taken.add(name);
      assigned.set(idOf(entry), name);
    };
    for (const entry of entries) {
      const previous = this.#assigned.get(idOf(entry));
      if (previous !== undefined && !taken.has(previous)) assign(entry, previous);
    }
    for (const entry of entries) {
      if (names.has(entry)) continue;
      let name = entry.name;
      for (let n = 2; taken.has(name); n++) name = `${entry.name}#${n}`;
      assign(entry, name);
    }
    this.#assigned = assigned;
    return names;
  }
}

/** Translates one document. */
class KrtzTranslation {
  readonly #entries: readonly KrtzEntry[];
  readonly #names: ReadonlyMap<KrtzEntry, string>;
  readonly #byName = new Map<string, KrtzEntry[]>();
  /** Collections that others name and the document does not contain: joins, and what the program hides. */
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
    const document: KrtzDocument = {collections: [], absent: [], items: [], inputs: []};
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
          // A collection that is fetched twice is named twice.
          fetches: dependencies.flatMap(name => this.#resolve(entry, name) ?? []).map(fetchOf),
        });
    }
    document.collections.push(...this.#absent.values());
    document.absent.push(...this.#absent.keys());
    return document;
  }

  #collection(entry: KrtzEntry, name: string): ProgramCollection {
    const from: ProgramCollection['from'] = [];
    const {kind, edge} = kindOf(entry);
    if (kind === 'join') {
      const members = new Set(entry.inputs.map(({key}) => Number(key)));
      for (const other of this.#entries)
        if (other.uid !== undefined && members.has(other.uid) && other !== entry)
          from.push({collection: this.#nameOf(other), kind: 'join'});
    } else {
      const parent = parentOf(entry, this.#byName);
      const keys = entry.inputs.map(({key}) => key);
      const collection = parent === undefined ? undefined : this.#resolve(entry, parent, keys);
      if (collection !== undefined) from.push({collection: collection, kind: edge});
      const dependencies = new Set(entry.inputs.flatMap(({dependencies}) => dependencies));
      // Sort, so that an equal document gives an equal graph.
      for (const collection of this.#resolveAll(entry, [...dependencies]).sort())
        from.push({collection, kind: 'fetch'});
    }
    return {name, kind, from, synced: entry.synced};
  }

  /** The collections that these names refer to, each once. */
  #resolveAll(entry: KrtzEntry, names: readonly string[]): string[] {
    return [...new Set(names.flatMap(name => this.#resolve(entry, name) ?? []))];
  }

  /** Prefers a collection of that name with these keys, then the newest one that is older than the entry. */
  #resolve(entry: KrtzEntry, name: string, keys: readonly string[] = []): string | undefined {
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

/** A document does not name the kind of a collection, so derive it from the shape. */
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

/** The name of its parent. A list of statuses belongs to the collection in its name. */
function parentOf(entry: KrtzEntry, byName: ReadonlyMap<string, unknown>): string | undefined {
  if (isSingleton(entry)) return undefined;
  const own = entry.name.replace(/\/status$/, '');
  return entry.parent ?? (own !== entry.name && byName.has(own) ? own : undefined);
}

/** A singleton's hidden input has the singleton's own name. */
function isSingleton({name, parent, inputs}: KrtzEntry): boolean {
  return parent === name && inputs.every(({key}) => key === '');
}

/** The inputs of a nested join are the uids of its members, and its dependencies are keys. */
function isNestedJoin({parent, inputs}: KrtzEntry): boolean {
  return parent === undefined && inputs.length > 0 && inputs.every(({key}) => /^\d+$/.test(key));
}

function fetchOf(collection: string): ProgramRun['fetches'][number] {
  return {collection, filter: UNKNOWN_FILTER_TEXT, matched: 0, scanned: 0, via: {kind: 'scan'}, keys: []};
}
