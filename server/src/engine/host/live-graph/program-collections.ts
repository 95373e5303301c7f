// The collections that a program reports, in topological order.
import type {ProgramCollection} from '@krtscope/shared/programs/program.ts';
import type {CollectionFacts} from '../../../explain/records.ts';
import {isJournal} from '../../../history/journal.ts';

/** The row of the hidden collection `graph`. */
export interface ProgramGraphRow {
  collections?: readonly ProgramCollection[];
  /** While an attached program gives no document: when its rows were last seen, milliseconds since 1970. */
  lastSeen?: number;
}

/** Formulas over the collections have the uids of their own engine, which are small. */
const FIRST_UID = 1_000_000;

export class ProgramCollections {
  readonly #uids = new Map<string, number>();
  readonly #synced = new Set<string>();
  #byName = new Map<string, CollectionFacts>();
  #lastSeen: number | undefined;
  facts: readonly CollectionFacts[] = [];

  /** Reads the program's graph row. Returns true if collections were added, removed or got other parents. */
  update(row: unknown): boolean {
    const {collections = [], lastSeen} = (row ?? {}) as ProgramGraphRow;
    const before = JSON.stringify(this.facts);
    this.#lastSeen = lastSeen;
    for (const {name, synced} of collections) if (synced) this.#synced.add(name);
    this.#lay(collections);
    return JSON.stringify(this.facts) !== before;
  }

  /** Returns true if it was not synced before. */
  markSynced(name: string): boolean {
    const fact = this.#byName.get(name);
    if (fact === undefined || fact.synced) return false;
    this.#synced.add(name);
    const synced = {...fact, synced: true};
    this.#byName.set(name, synced);
    this.facts = this.facts.map(one => (one === fact ? synced : one));
    return true;
  }

  fact(name: string): CollectionFacts | undefined {
    return this.#byName.get(name);
  }

  uidOf(name: string): number {
    let uid = this.#uids.get(name);
    if (uid === undefined) {
      uid = FIRST_UID + this.#uids.size;
      this.#uids.set(name, uid);
    }
    return uid;
  }

  /** While no document arrives, rows that are computed from it are as old as it is. */
  withLastSeen(fact: CollectionFacts): CollectionFacts {
    return this.#lastSeen === undefined ? fact : {...fact, current: false, asOf: this.#lastSeen};
  }

  /** Whether the program says that it is written from outside. */
  isRoot(name: string): boolean {
    if (isJournal(name)) return true;
    const fact = this.#byName.get(name);
    if (fact === undefined || fact.parents.length > 0) return false;
    return (
      fact.kind === 'source' || fact.kind === 'static' || fact.kind === 'trigger' || fact.kind === 'file'
    );
  }

  #lay(collections: readonly ProgramCollection[]): void {
    const byName = new Map(collections.map(one => [one.name, one]));
    const placed = new Set<string>();
    const facts: CollectionFacts[] = [];
    const place = (one: ProgramCollection): void => {
      // Mark it before its parents: a program may report a cycle.
      if (placed.has(one.name)) return;
      placed.add(one.name);
      for (const {collection} of one.from) {
        const parent = byName.get(collection);
        if (parent !== undefined) place(parent);
      }
      facts.push(this.#factOf(one, byName));
    };
    for (const one of collections) place(one);
    const isSource = (fact: CollectionFacts) => fact.parents.length === 0 && fact.fetches === undefined;
    this.facts = [...facts.filter(isSource), ...facts.filter(fact => !isSource(fact))];
    this.#byName = new Map(this.facts.map(fact => [fact.name, fact]));
  }

  #factOf(one: ProgramCollection, byName: ReadonlyMap<string, ProgramCollection>): CollectionFacts {
    const reported = one.from.filter(({collection}) => byName.has(collection) && collection !== one.name);
    const names = (fetch: boolean) => [
      ...new Set(reported.filter(({kind}) => (kind === 'fetch') === fetch).map(({collection}) => collection)),
    ];
    const fetches = names(true);
    return {
      name: one.name,
      uid: this.uidOf(one.name),
      kind: one.kind,
      synced: one.synced || this.#synced.has(one.name),
      parents: names(false),
      indexes: [],
      ...(fetches.length === 0 ? {} : {fetches}),
      resource: one.resource,
      ...(this.#lastSeen === undefined ? {} : {current: false, asOf: this.#lastSeen}),
    };
  }
}
