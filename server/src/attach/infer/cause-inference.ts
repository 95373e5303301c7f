// Infers which change made each run of the log run: the log says who ran, not where the change came from. The
// rules (a) to (e) of docs/programs.md name one row, several possible ones, or none.

import {keysOfFilter} from '../log/filter-text.ts';
import type {LogBatch} from '../log/run-assembler.ts';
import type {DocumentChange} from './document-change.ts';
import {familyOf, sharedSegments} from './key-segments.ts';
import {baseName, type KrtzStructure, type RowRef} from './krtz-structure.ts';
import {type AttributedRun, attributeOutputs} from './output-inputs.ts';

export interface InferredCause extends RowRef {
  kind: 'input' | 'fetch';
  /** The text of the fetch that found it, as the log writes it. */
  filter?: string;
}

export interface InferredRun extends AttributedRun {
  collection: string;
  /** One cause is named; several are possible; none is unknown. */
  causes: InferredCause[];
  /** The input was removed, so there was no run. */
  isRemoval: boolean;
}

/** A collection announced changed rows. */
interface Publication {
  collection: string;
  keys: readonly string[];
  line: number;
}

/** Publications of earlier intervals that still count. */
const MAX_PUBLICATIONS = 2000;
/** Inputs whose last fetches are remembered. */
const MAX_INPUTS = 100_000;
const MAX_CANDIDATES = 20;
const MAX_DEPTH = 32;

export class CauseInference {
  /** The newest document first. */
  readonly #documents: readonly KrtzStructure[];
  readonly #changes: readonly DocumentChange[];
  readonly #memory: InferenceMemory;
  readonly #runs: InferredRun[] = [];
  /** The last run that changed a row, by collection and key. */
  readonly #runOfRow = new Map<string, InferredRun>();

  constructor(
    memory: InferenceMemory,
    documents: readonly KrtzStructure[],
    changes: readonly DocumentChange[],
  ) {
    this.#documents = documents;
    this.#changes = changes;
    this.#memory = memory;
  }

  /** The runs of these batches in order, with their causes. */
  infer(batches: readonly LogBatch[]): InferredRun[] {
    for (const batch of batches) this.#memory.speaking.add(batch.collection);
    for (const batch of batches.toSorted((a, b) => a.first - b.first)) this.#batch(batch, batches);
    this.#memory.trim();
    return this.#runs;
  }

  #batch(batch: LogBatch, all: readonly LogBatch[]): void {
    const collection = this.#resolveOwner(batch);
    this.#publishBefore(batch, all);
    for (const run of attributeOutputs(batch, collection, this.#documents)) {
      const isRemoval = this.#isRemoval(collection, run);
      const causes = isRemoval
        ? this.#primary(collection, run, batch.first)
        : batch.event === undefined
          ? this.#primary(collection, run, batch.first)
          : this.#secondary(collection, run, batch.event);
      const inferred: InferredRun = {...run, collection, isRemoval, causes};
      this.#runs.push(inferred);
      for (const {key} of run.outputs) this.#runOfRow.set(idOf({collection, key}), inferred);
      if (run.fetches.length > 0) this.#memory.keepFetches(idOf({collection, key: run.input}), run.fetches);
    }
  }

  /** Batches are in the order of their first lines, publications in the order of their last ones. */
  #publishBefore(batch: LogBatch, all: readonly LogBatch[]): void {
    const last = this.#memory.publications.at(-1)?.line ?? 0;
    const missing = all
      .filter(one => one.published !== undefined && one.published > last && one.first <= batch.first)
      .sort((a, b) => (a.published as number) - (b.published as number));
    for (const one of missing)
      this.#memory.publications.push({
        collection: this.#resolveOwner(one),
        keys: one.outputs.map(({key}) => key),
        line: one.published as number,
      });
  }

  /** Names repeat: prefers the collection that has these inputs or rows, then one that is computed. */
  #resolveOwner({collection, runs, outputs}: LogBatch): string {
    for (const document of this.#documents) {
      const names = document.namesakes(collection);
      if (names.length === 0) continue;
      if (names.length === 1) return names[0] as string;
      return (
        names.find(name => runs.some(run => document.hasInput(name, run.input))) ??
        names.find(name => outputs.some(({key}) => document.has({collection: name, key}))) ??
        names.find(name => document.parentOf(name) !== undefined || document.isSingleton(name)) ??
        (names[0] as string)
      );
    }
    return collection;
  }

  /** Rule (b): rows were deleted, and their input is gone. */
  #isRemoval(collection: string, {input, outputs, fetches}: AttributedRun): boolean {
    if (outputs.length === 0 || fetches.length > 0 || outputs.some(({change}) => change !== 'deleted'))
      return false;
    const [document] = this.#documents;
    return document === undefined || !document.hasInput(collection, input);
  }

  /** Rule (a): no event woke it, so its primary input changed. */
  #primary(collection: string, run: AttributedRun, line: number): InferredCause[] {
    const parent = this.#parentOf(collection);
    if (parent === undefined) return [];
    const {input: key} = run;
    if (!this.#isAbsent(parent)) return [{kind: 'input', collection: parent, key}];
    return this.#rowOfAbsent(collection, parent, run, line).map(ref => ({kind: 'input', ...ref}));
  }

  /** Rule (d): the document does not have the input collection. */
  #rowOfAbsent(collection: string, parent: string, run: AttributedRun, line: number): RowRef[] {
    const {input: key} = run;
    const same = this.#rowInCrdClient(parent, key);
    if (same !== undefined) return [same];
    const isCandidate = (one: Publication) =>
      one.line < line &&
      one.collection !== collection &&
      !this.#documents.some(document => document.isUpstream(collection, one.collection));
    // A join passes rows on under their own keys.
    if (!parent.startsWith('index/')) {
      const passed = this.#memory.publications.findLast(one => isCandidate(one) && one.keys.includes(key));
      if (passed !== undefined) return [{collection: passed.collection, key}];
    }
    const keys = [key, ...run.outputs.map(output => output.key)];
    let best: RowRef | undefined;
    let most = 0;
    for (const one of this.#memory.publications.toReversed()) {
      if (!isCandidate(one) || familyOf(one.collection) !== familyOf(collection)) continue;
      for (const published of one.keys) {
        const shared = Math.max(...keys.map(own => sharedSegments(own, published)));
        if (shared <= most) continue;
        most = shared;
        best = {collection: one.collection, key: published};
      }
    }
    return best === undefined ? [] : [best];
  }

  /** `aggregate/VirtualService` joins what `crdclient/collection/VirtualService` has with computed rows. */
  #rowInCrdClient(parent: string, key: string): RowRef | undefined {
    const suffix = parent.slice(parent.lastIndexOf('/') + 1);
    for (const document of this.#documents)
      for (const collection of document.namesakes(`crdclient/collection/${suffix}`))
        if (document.has({collection, key})) return {collection, key};
    return undefined;
  }

  /** Rule (c): a dependency that published since the owner's previous event, else a changed row of a silent one. */
  #secondary(
    collection: string,
    run: AttributedRun,
    {line, since, size}: NonNullable<LogBatch['event']>,
  ): InferredCause[] {
    const dependencies = this.#dependenciesOf(collection, run);
    const publications = this.#memory.publications.filter(
      one => one.line > since && one.line < line && dependencies.has(baseName(one.collection)),
    );
    const exact = publications.filter(one => one.keys.length === size);
    const published = (exact.length > 0 ? exact : publications)
      .toReversed()
      .flatMap(one => one.keys.map(key => ({collection: one.collection, key})))
      .flatMap(ref => this.#ifAllowed(ref, dependencies));
    if (published.length > 0) return this.#reduce(published, line);
    const changed = this.#changes
      .filter(
        ({collection: name}) =>
          dependencies.has(baseName(name)) && !this.#memory.speaking.has(baseName(name)),
      )
      .flatMap(ref => this.#ifAllowed({collection: ref.collection, key: ref.key}, dependencies));
    return this.#reduce(changed, line);
  }

  /** The filters of the run and of the one before it, by the name of the fetched collection. */
  #dependenciesOf(collection: string, run: AttributedRun): Map<string, string[]> {
    const dependencies = new Map<string, string[]>();
    const add = (name: string, filter: string) => {
      for (const one of this.#aliasesOf(name)) {
        const filters = dependencies.get(one);
        if (filters === undefined) dependencies.set(one, [filter]);
        else filters.push(filter);
      }
    };
    for (const fetch of run.fetches) add(fetch.collection, fetch.filter);
    const before = this.#memory.lastFetches.get(idOf({collection, key: run.input}));
    for (const fetch of before ?? []) add(fetch.collection, fetch.filter);
    if (run.fetches.length === 0 && before === undefined)
      for (const document of this.#documents)
        for (const name of document.fetchesOf(collection, run.input)) add(baseName(name), '');
    return dependencies;
  }

  /** A join that the document leaves out stands for the rows of `crdclient/collection`. */
  #aliasesOf(name: string): string[] {
    if (!this.#isAbsent(name)) return [name];
    return [name, `crdclient/collection/${name.slice(name.lastIndexOf('/') + 1)}`];
  }

  /** The row as a cause, if a fetch with `keys=` names its key or a fetch names no keys. */
  #ifAllowed(ref: RowRef, dependencies: ReadonlyMap<string, string[]>): InferredCause[] {
    const filters = dependencies.get(baseName(ref.collection)) ?? [];
    const filter = filters.find(one => keysOfFilter(one)?.includes(ref.key) ?? true);
    return filter === undefined ? [] : [{kind: 'fetch', ...ref, filter}];
  }

  /** Several candidates that go back to one row of a source are one cause. */
  #reduce(candidates: readonly InferredCause[], line: number): InferredCause[] {
    const byOrigin = new Map<string, InferredCause>();
    for (const candidate of candidates) {
      const origin = this.#originOf(candidate, line, 0);
      if (!byOrigin.has(origin)) byOrigin.set(origin, candidate);
      if (byOrigin.size > MAX_CANDIDATES) break;
    }
    return [...byOrigin.values()];
  }

  /** The row of a source that this row goes back to, as text; its own name where that is not known. */
  #originOf(ref: RowRef, line: number, depth: number): string {
    if (this.#kindOf(ref.collection) === 'source') return sourceId(ref);
    const above = depth > MAX_DEPTH ? [] : this.above(ref, line);
    const origins = new Set(above.map(one => this.#originOf(one, line, depth + 1)));
    const [only] = origins;
    return origins.size === 1 && only !== undefined ? only : idOf(ref);
  }

  /** The rows that a row was made of, nearest first: by its run, else rule (e) for collections that write no lines. */
  above(ref: RowRef, line: number): RowRef[] {
    const run = this.#runOfRow.get(idOf(ref));
    if (run !== undefined) return run.causes;
    const {collection, key} = ref;
    const parent = this.#parentOf(collection);
    if (parent === undefined) return [];
    switch (this.#kindOf(collection)) {
      case 'status': {
        const wrote = this.#runs.findLast(one => one.collection === parent && one.input === key);
        return wrote?.causes ?? this.#primary(parent, {...NO_RUN, input: key}, line);
      }
      case 'index': {
        const members = this.#memory.publications.findLast(
          one => one.collection === parent && one.line <= line,
        );
        const keys =
          members?.keys ?? this.#changes.flatMap(one => (one.collection === parent ? [one.key] : []));
        const best = keys.toSorted((a, b) => sharedSegments(b, key) - sharedSegments(a, key))[0];
        return best === undefined ? [] : [{collection: parent, key: best}];
      }
      case 'derived':
      case 'map': {
        const isOwn = this.#documents.some(document => document.inputsOf(collection, key).length > 0);
        return isOwn ? [] : [{collection: parent, key}];
      }
      default:
        return [];
    }
  }

  /** Whether a collection writes no lines, so that its rows follow those of its parent. */
  isSilent(collection: string): boolean {
    return !this.#memory.speaking.has(baseName(collection));
  }

  #parentOf(collection: string): string | undefined {
    for (const document of this.#documents) {
      const parent = document.parentOf(collection);
      if (parent !== undefined) return parent;
    }
    return undefined;
  }

  #kindOf(collection: string): string | undefined {
    for (const document of this.#documents) {
      const found = document.collection(collection);
      if (found !== undefined) return found.kind;
    }
    return undefined;
  }

  #isAbsent(collection: string): boolean {
    return this.#documents.some(document => document.isAbsent(collection));
  }
}

/** What the inference remembers from one interval to the next. */
export class InferenceMemory {
  readonly publications: Publication[] = [];
  readonly lastFetches = new Map<string, AttributedRun['fetches']>();
  /** Collections that write lines. */
  readonly speaking = new Set<string>();

  keepFetches(id: string, fetches: AttributedRun['fetches']): void {
    this.lastFetches.delete(id);
    this.lastFetches.set(id, fetches);
  }

  trim(): void {
    const excess = this.publications.length - MAX_PUBLICATIONS;
    if (excess > 0) this.publications.splice(0, excess);
    for (const id of this.lastFetches.keys()) {
      if (this.lastFetches.size <= MAX_INPUTS) break;
      this.lastFetches.delete(id);
    }
  }
}

const NO_RUN: AttributedRun = {input: '', fetches: [], outputs: [], line: 0, start: 0, duration: 0};

function idOf({collection, key}: RowRef): string {
  return `${collection}\n${key}`;
}

/** Several informers hold the same object: `informer/Services` and `gateway/informer/Services`. */
function sourceId({collection, key}: RowRef): string {
  const resource = baseName(collection).slice(collection.lastIndexOf('/') + 1);
  return `${resource.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '')}\n${key}`;
}
