// Finds the rows that read another row: as their input, as a part of a view, or by a fetch that found it or could find it.
import {isFromNothing} from '../evidence/question-subject.ts';
import type {CollectionFacts, EdgeFacts, RecordedFetch, RecordedRun, Records} from '../records.ts';

export interface RowReader {
  readonly collection: string;
  /** The input whose run reads it, or would read it. For a view, the key of the row. */
  readonly input: string;
  /** Undefined for a view, which reads the whole row, and for an input that does not exist yet. */
  readonly run?: RecordedRun;
  /** `couldMatch`: a fetch did not find it, and would if its fields were different. */
  readonly how: 'read' | 'couldMatch';
}

interface ImpactFetch {
  readonly collection: string;
  readonly run: RecordedRun;
  readonly fetches: readonly RecordedFetch[];
}

/** Steps of a search. A step yields, so that other work can run in between. */
export type ImpactSteps<T> = Generator<undefined, T>;

export class RowReaders {
  readonly #records: Records;
  readonly #at: number | undefined;
  readonly #facts: readonly CollectionFacts[];
  readonly #edges: readonly EdgeFacts[];
  readonly #fetching = new Map<string, ImpactFetch[]>();
  /** The rows of each index, by member. */
  readonly #indexRows = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();
  readonly #found = new Map<string, readonly RowReader[]>();

  constructor(records: Records, at: number | undefined) {
    this.#records = records;
    this.#at = at;
    this.#facts = records.collections(at);
    this.#edges = records.edges(at);
  }

  /** One question asks for the same row once for each field. */
  *of(collection: string, key: string): ImpactSteps<readonly RowReader[]> {
    const id = `${collection}\n${key}`;
    let found = this.#found.get(id);
    if (found === undefined) {
      found = yield* this.#find(collection, key);
      this.#found.set(id, found);
    }
    return found;
  }

  *#find(collection: string, key: string): ImpactSteps<RowReader[]> {
    const found: RowReader[] = [];
    for (const facts of this.#facts) {
      if (!facts.parents.includes(collection)) continue;
      const {name, kind} = facts;
      if (kind === 'index') found.push(...(yield* this.#indexReaders(name, key)));
      else if (kind === 'join' || kind === 'map' || kind === 'status')
        found.push({collection: name, input: key, how: 'read'});
      else {
        const run = this.#records.lastRun(name, key, this.#at);
        if (run !== undefined) found.push({collection: name, input: key, run, how: 'read'});
        // The row does not exist yet. If it comes into being, this collection runs for it.
        else if (!this.#records.has(collection, key, this.#at))
          found.push({collection: name, input: key, how: 'couldMatch'});
      }
    }
    for (const {collection: name, run, fetches} of yield* this.#runsThatFetch(collection)) {
      const how = howFound(fetches, key);
      if (how !== undefined) found.push({collection: name, input: run.input, run, how});
    }
    return found;
  }

  /** The rows of an index. Another value may move this member to any of them. */
  *#indexReaders(name: string, member: string): ImpactSteps<RowReader[]> {
    const own = (yield* this.#rowsByMember(name)).get(member);
    return [...this.#records.keys(name, this.#at)].map(key => ({
      collection: name,
      input: key,
      how: own?.has(key) ? 'read' : 'couldMatch',
    }));
  }

  *#rowsByMember(name: string): ImpactSteps<ReadonlyMap<string, ReadonlySet<string>>> {
    const known = this.#indexRows.get(name);
    if (known !== undefined) return known;
    const rows = new Map<string, Set<string>>();
    for (const key of [...this.#records.keys(name, this.#at)]) {
      yield;
      for (const member of this.#records.inputsOf(name, key, this.#at)) {
        const own = rows.get(member);
        if (own === undefined) rows.set(member, new Set([key]));
        else own.add(key);
      }
    }
    this.#indexRows.set(name, rows);
    return rows;
  }

  /** The last runs that fetched from a collection, found once. */
  *#runsThatFetch(from: string): ImpactSteps<readonly ImpactFetch[]> {
    const known = this.#fetching.get(from);
    if (known !== undefined) return known;
    const found: ImpactFetch[] = [];
    const names = new Set(
      this.#edges.filter(edge => edge.kind === 'fetch' && edge.from === from).map(({to}) => to),
    );
    for (const facts of this.#facts) {
      if (!names.has(facts.name)) continue;
      for (const input of this.#inputsOf(facts)) {
        yield;
        const run = this.#records.lastRun(facts.name, input, this.#at);
        const fetches = run?.fetches.filter(fetch => fetch.collection === from) ?? [];
        if (run !== undefined && fetches.length > 0) found.push({collection: facts.name, run, fetches});
      }
    }
    this.#fetching.set(from, found);
    return found;
  }

  #inputsOf(facts: CollectionFacts): Iterable<string> {
    if (isFromNothing(facts)) return [''];
    return new Set(facts.parents.flatMap(parent => [...this.#records.keys(parent, this.#at)]));
  }
}

function howFound(fetches: readonly RecordedFetch[], key: string): RowReader['how'] | undefined {
  let how: RowReader['how'] | undefined;
  for (const fetch of fetches) {
    if (fetch.keys.includes(key)) return 'read';
    // Only the first keys are recorded. The others may be this one.
    if (!isExcluded(fetch, key)) how = fetch.matched > fetch.keys.length ? 'read' : (how ?? 'couldMatch');
  }
  return how;
}

/** Whether the object can never match, whatever its fields are: its key and namespace do not change. */
function isExcluded({clauses}: RecordedFetch, key: string): boolean {
  return clauses.some(clause => {
    if (clause.kind === 'keys') return !clause.keys.includes(key);
    return clause.kind === 'namespace' && clause.namespace !== '' && !key.startsWith(`${clause.namespace}/`);
  });
}
