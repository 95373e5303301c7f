// Infers which change made each run of the log run: the log says who ran, not where the change came from. The
// rules (a) to (f) of docs/programs.md name one row, several possible ones, or none.

import {keysOfFilter} from '../log/filter-text.ts';
import type {LogBatch} from '../log/run-assembler.ts';
import type {DocumentChange} from './document-change.ts';
import {DocumentLookup} from './document-lookup.ts';
import type {InferenceMemory, Publication} from './inference-memory.ts';
import type {InferredCause, InferredRun} from './inferred-run.ts';
import {familyOf, mostShared} from './key-segments.ts';
import {baseName, type KrtzStructure, type RowRef} from './krtz-structure.ts';
import {type AttributedRun, attributeOutputs} from './output-inputs.ts';
import {PrimaryCauses} from './primary-causes.ts';
import {type RowAncestry, SourceOrigin} from './source-origin.ts';

const MAX_CANDIDATES = 20;

export interface CauseInferenceOptions {
  /** The rows of an informer that changed at about this time, by the session of the program's cluster. */
  keysChangedAt?: ((collection: string, time: number) => string[] | undefined) | undefined;
}

export class CauseInference implements RowAncestry {
  /** The newest document first. */
  readonly #documents: readonly KrtzStructure[];
  readonly #lookup: DocumentLookup;
  readonly #options: CauseInferenceOptions;
  readonly #changes: readonly DocumentChange[];
  readonly #memory: InferenceMemory;
  readonly #runs: InferredRun[] = [];
  /** The runs that changed a row, by collection and key, in the order of their lines. */
  readonly #runsOfRow = new Map<string, InferredRun[]>();
  readonly #primary: PrimaryCauses;
  readonly #sources: SourceOrigin;

  constructor(
    memory: InferenceMemory,
    documents: readonly KrtzStructure[],
    changes: readonly DocumentChange[],
    options: CauseInferenceOptions = {},
  ) {
    this.#options = options;
    this.#documents = documents;
    this.#lookup = new DocumentLookup(documents);
    this.#changes = changes;
    this.#memory = memory;
    this.#primary = new PrimaryCauses(this.#lookup, memory, changes, documents.length > 1);
    this.#sources = new SourceOrigin(this.#lookup, this);
  }

  /** The runs of these batches in order, with their causes. */
  infer(batches: readonly LogBatch[]): InferredRun[] {
    for (const batch of batches) this.#memory.speaking.add(batch.collection);
    this.#publish(batches);
    this.#primary.firstLine = Math.min(...batches.map(({first}) => first));
    for (const batch of batches.toSorted((a, b) => a.first - b.first)) this.#batch(batch);
    this.#openMixedCauses();
    this.#memory.trim();
    return this.#runs;
  }

  /**
   * A batch of the engine has one change for each row. If a row changed again after it had caused a run, following that
   * change leads to another write than the run's. Such a run gets both as possible causes.
   */
  #openMixedCauses(): void {
    const opened = this.#runs.flatMap(run => {
      const [cause] = run.causes;
      if (run.causes.length !== 1 || cause === undefined) return [];
      const last = this.#sources.originRow(cause, Number.POSITIVE_INFINITY, 0);
      const own = this.#sources.originRow(cause, run.first, 0);
      if (!this.#sources.isSource(last) || this.#sources.originId(own) === this.#sources.originId(last))
        return [];
      return [{run, causes: [own, last].map((ref): InferredCause => ({...cause, ...ref}))}];
    });
    for (const {run, causes} of opened) run.causes = causes;
  }

  #batch(batch: LogBatch): void {
    const collection = this.#lookup.resolveOwner(batch);
    for (const run of attributeOutputs(batch, collection, this.#documents)) {
      const isRemoval = this.#isRemoval(collection, run);
      const causes = isRemoval
        ? this.#primary.causesOf(collection, run, batch.first)
        : batch.event === undefined
          ? this.#primary.causesOf(collection, run, batch.first)
          : this.#secondary(collection, run, batch.event, batch.time);
      const inferred: InferredRun = {...run, collection, isRemoval, causes, first: batch.first};
      this.#runs.push(inferred);
      for (const {key} of run.outputs) {
        const id = idOf({collection, key});
        const runs = this.#runsOfRow.get(id);
        if (runs === undefined) this.#runsOfRow.set(id, [inferred]);
        else runs.push(inferred);
      }
      if (run.fetches.length > 0) this.#memory.keepFetches(idOf({collection, key: run.input}), run.fetches);
    }
  }

  /** Remembers the publications in the order of their lines. Every reader compares lines. */
  #publish(batches: readonly LogBatch[]): void {
    const known = this.#memory.publications.at(-1)?.line ?? 0;
    const fresh = batches
      .filter(({published}) => published !== undefined && published > known)
      .sort((a, b) => (a.published as number) - (b.published as number));
    for (const batch of fresh)
      this.#memory.publications.push({
        collection: this.#lookup.resolveOwner(batch),
        keys: batch.outputs.map(({key}) => key),
        line: batch.published as number,
      });
  }

  /** Rule (b): rows were deleted, and their input is gone. */
  #isRemoval(collection: string, {input, outputs, fetches}: AttributedRun): boolean {
    if (outputs.length === 0 || fetches.length > 0 || outputs.some(({change}) => change !== 'deleted'))
      return false;
    const [document] = this.#documents;
    return document === undefined || !document.hasInput(collection, input);
  }

  /** Rule (c): a dependency that published since the owner's previous event, else a changed row of a silent one. */
  #secondary(
    collection: string,
    run: AttributedRun,
    {line, since, size}: NonNullable<LogBatch['event']>,
    time: number,
  ): InferredCause[] {
    const dependencies = this.#dependenciesOf(collection, run);
    const recent = this.#memory.publications.filter(one => one.line > since && one.line < line);
    const own = recent.filter(one => dependencies.has(baseName(one.collection)));
    const published = this.#causesAmong(own, size, dependencies);
    if (published.length > 0) return this.#reduce(published, line);
    const isSilentDependency = ({collection: name}: RowRef) =>
      dependencies.has(baseName(name)) && !this.#memory.speaking.has(baseName(name));
    const silent = this.#changes.filter(isSilentDependency);
    // Lines that arrive late belong to rows that an earlier document has shown.
    const changed = (
      silent.length > 0 ? silent : this.#memory.changesAt(time).filter(isSilentDependency)
    ).flatMap(ref => this.#ifAllowed(ref, dependencies));
    const members = changed.length > 0 ? [] : this.#joinMembers(collection, dependencies, recent, size);
    const candidates = [...changed, ...members];
    return this.#reduce(
      candidates.length > 0 ? candidates : this.#changedInCluster(dependencies, time),
      line,
    );
  }

  /** While the document fails, the cluster's own session knows which objects changed at that time. */
  #changedInCluster(dependencies: ReadonlyMap<string, string[]>, time: number): InferredCause[] {
    const {keysChangedAt} = this.#options;
    if (keysChangedAt === undefined || this.#documents.length > 1) return [];
    return [...dependencies.keys()].flatMap(collection =>
      this.#lookup.kindOf(collection) === 'source'
        ? (keysChangedAt(collection, time) ?? []).flatMap(key =>
            this.#ifAllowed({collection, key}, dependencies),
          )
        : [],
    );
  }

  /** The published rows that a filter of the run allows. Publications of as many rows as the event had come first. */
  #causesAmong(
    publications: readonly Publication[],
    size: number,
    dependencies: ReadonlyMap<string, string[]>,
  ): InferredCause[] {
    const exact = publications.filter(one => one.keys.length === size);
    return (exact.length > 0 ? exact : publications)
      .toReversed()
      .flatMap(one =>
        one.keys.flatMap(key => this.#ifAllowed({collection: one.collection, key}, dependencies)),
      );
  }

  /**
   * Rows that may have come through a fetched join that the document leaves out. Its members are not known, so every
   * row of its family counts, published or silent.
   */
  #joinMembers(
    collection: string,
    dependencies: ReadonlyMap<string, string[]>,
    recent: readonly Publication[],
    size: number,
  ): InferredCause[] {
    return [...dependencies].flatMap(([name, filters]) => {
      if (!this.#lookup.isAbsent(name)) return [];
      const isMember = (one: string) =>
        familyOf(one) === familyOf(name) &&
        baseName(one) !== collection &&
        !this.#lookup.isUpstream(collection, one);
      // A join passes a change on at once, so publications of this interval come first.
      const all = recent.filter(one => isMember(one.collection));
      const own = all.filter(({line}) => line >= this.#primary.firstLine);
      const members = own.length > 0 ? own : all;
      const silent = this.#changes.filter(
        one => isMember(one.collection) && this.#lookup.kindOf(one.collection) === 'static',
      );
      const asMembers = new Map(
        [...members, ...silent].map(one => [baseName(one.collection), filters] as const),
      );
      return [
        ...this.#causesAmong(members, size, asMembers).filter(one => !this.#comesFrom(one, collection)),
        ...silent.flatMap(one => this.#ifAllowed(one, asMembers)),
      ];
    });
  }

  /** Whether rows of the collection led to this row, as far as that is known. */
  #comesFrom(ref: RowRef, collection: string): boolean {
    const seen = new Set<string>();
    const queue = [ref];
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
      if (baseName(one.collection) === collection) return true;
      if (seen.has(idOf(one))) continue;
      seen.add(idOf(one));
      queue.push(...this.above(one, Number.POSITIVE_INFINITY));
    }
    return false;
  }

  /** The filters of the run and of the one before it, by the name of the fetched collection. */
  #dependenciesOf(collection: string, run: AttributedRun): Map<string, string[]> {
    const dependencies = new Map<string, string[]>();
    const add = (name: string, filter: string) => {
      for (const one of this.#lookup.aliasesOf(name)) {
        const filters = dependencies.get(one);
        if (filters === undefined) dependencies.set(one, [filter]);
        else filters.push(filter);
      }
    };
    for (const fetch of run.fetches) add(fetch.collection, fetch.filter);
    const before = this.#memory.lastFetches.get(idOf({collection, key: run.input}));
    for (const fetch of before ?? []) add(fetch.collection, fetch.filter);
    if (run.fetches.length === 0 && before === undefined)
      for (const name of this.#lookup.fetchesOf(collection, run.input)) add(baseName(name), '');
    return dependencies;
  }

  /** The row as a cause, if a fetch with `keys=` names its key or a fetch names no keys. */
  #ifAllowed({collection, key}: RowRef, dependencies: ReadonlyMap<string, string[]>): InferredCause[] {
    const filters = dependencies.get(baseName(collection)) ?? [];
    const filter = filters.find(one => keysOfFilter(one)?.includes(key) ?? true);
    return filter === undefined ? [] : [{kind: 'fetch', collection, key, filter}];
  }

  /** Several candidates that go back to one row of a source are one cause. */
  #reduce(candidates: readonly InferredCause[], line: number): InferredCause[] {
    const byOrigin = new Map<string, InferredCause>();
    for (const candidate of candidates) {
      const [origin] = this.#sources.originsOf([candidate], line, 0).keys();
      if (origin !== undefined && !byOrigin.has(origin)) byOrigin.set(origin, candidate);
      if (byOrigin.size > MAX_CANDIDATES) break;
    }
    return [...byOrigin.values()];
  }

  /** The row of a source that the causes of a run go back to; undefined if it is not known. */
  originOf({causes}: InferredRun): RowRef | undefined {
    const origins = this.#sources.originsOf(causes, Number.POSITIVE_INFINITY, 0);
    const [only] = origins.values();
    return origins.size === 1 && only !== undefined && this.#sources.isSource(only) ? only : undefined;
  }

  /** The rows that a row was made of, nearest first: by its run, else rule (e) for collections that write no lines. */
  above(ref: RowRef, line: number): RowRef[] {
    const run = this.runBefore(ref, line);
    if (run !== undefined) return run.causes;
    const {collection, key} = ref;
    const parent = this.#lookup.parentOf(collection);
    if (parent === undefined) return [];
    switch (this.#lookup.kindOf(collection)) {
      case 'status': {
        const wrote = this.#runs.findLast(one => one.collection === parent && one.input === key);
        return wrote?.causes ?? this.#primary.causesOf(parent, {...NO_RUN, input: key}, line);
      }
      case 'index': {
        if (this.#lookup.isAbsent(parent))
          return this.#primary.nearestPublished(
            collection,
            [key],
            one =>
              one.line <= line &&
              one.line >= this.#primary.firstLine &&
              !this.#lookup.isUpstream(collection, one.collection),
          );
        const members = this.#memory.publications.flatMap(one =>
          one.collection === parent && one.line <= line && one.line >= this.#primary.firstLine
            ? one.keys
            : [],
        );
        const changed = this.#changes.flatMap(one => (one.collection === parent ? [one.key] : []));
        return mostShared(key, members.length > 0 ? members : changed).map(one => ({
          collection: parent,
          key: one,
        }));
      }
      case 'derived':
      case 'map': {
        return this.#lookup.hasOutput(collection, key) ? [] : [{collection: parent, key}];
      }
      default:
        return [];
    }
  }

  /** The last run that changed the row before this line. */
  runBefore(ref: RowRef, line: number): InferredRun | undefined {
    return this.#runsOfRow.get(idOf(ref))?.findLast(run => run.line < line);
  }

  /** Whether a collection writes no lines, so that its rows follow those of its parent. */
  isSilent(collection: string): boolean {
    return !this.#memory.speaking.has(baseName(collection));
  }
}

const NO_RUN: AttributedRun = {input: '', fetches: [], outputs: [], line: 0, start: 0, duration: 0};

function idOf({collection, key}: RowRef): string {
  return `${collection}\n${key}`;
}
