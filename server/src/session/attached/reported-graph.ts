// The collections of an attached program as its session shows them: those of its documents, and those that only its
// log names.
import {isDeepStrictEqual} from 'node:util';
import type {ProgramCollection} from '@krtscope/shared/programs/program.ts';
import {isInformerName} from '../../attach/infer/document-lookup.ts';
import {baseName} from '../../attach/infer/krtz-structure.ts';
import type {LogBatch} from '../../attach/log/run-assembler.ts';
import type {EngineHandle} from '../../engine/link/engine-link.ts';
import {hiddenCollections} from '../../engine/link/hidden-collections.ts';
import type {ProgramChangeReport} from '../../engine/link/program-batch.ts';
import {piecesOf, reportOf} from './polled-report.ts';

export class ReportedGraph {
  readonly #engine: EngineHandle;
  readonly #keysOf: (collection: string) => Iterable<string>;
  #collections: readonly ProgramCollection[] = [];
  /** While the document fails: the time of the last one. */
  #lastSeen: number | undefined;

  /** `keysOf` lists the reported rows of a collection. */
  constructor(engine: EngineHandle, keysOf: (collection: string) => Iterable<string>) {
    this.#engine = engine;
    this.#keysOf = keysOf;
  }

  /** Replaces the collections, and deletes the rows of those that are gone. */
  report(collections: readonly ProgramCollection[], received: number): void {
    if (isDeepStrictEqual(collections, this.#collections)) return;
    const names = new Set(collections.map(({name}) => name));
    for (const {name} of this.#collections) {
      if (names.has(name)) continue;
      const deletes = [...this.#keysOf(name)].map(
        (key): ProgramChangeReport => ({collection: name, key, event: 'delete', received}),
      );
      for (const piece of piecesOf(deletes)) this.#engine.applyReported(piece, reportOf(received));
    }
    this.#collections = collections;
    this.#write(received);
  }

  /** Adds the collections that the log names, for as long as no document has them. */
  reportOwners(batches: readonly LogBatch[], received: number): void {
    const known = new Set(this.#collections.map(({name}) => baseName(name)));
    const added = new Map<string, ProgramCollection>();
    const add = (name: string, from: ProgramCollection['from']) => {
      if (known.has(name)) return;
      const kind = isInformerName(name) ? 'source' : 'derived';
      const before = added.get(name)?.from ?? [];
      const fresh = from.filter(one => !before.some(({collection}) => collection === one.collection));
      added.set(name, {name, kind, from: [...before, ...fresh], synced: true});
    };
    for (const {collection, runs} of batches) {
      const fetched = new Set(runs.flatMap(({fetches}) => fetches.map(fetch => fetch.collection)));
      for (const name of fetched) add(name, []);
      add(
        collection,
        [...fetched].map(name => ({collection: name, kind: 'fetch' as const})),
      );
    }
    if (added.size > 0) this.report([...this.#collections, ...added.values()], received);
  }

  /** Marks all rows as last seen at this time. The first failure after a document counts. */
  markLastSeen(time: number): void {
    if (this.#lastSeen !== undefined) return;
    this.#lastSeen = time;
    this.#write(Date.now());
  }

  /** A document arrived. */
  markSeen(): void {
    if (this.#lastSeen === undefined) return;
    this.#lastSeen = undefined;
    this.#write(Date.now());
  }

  #write(received: number): void {
    const row = {
      key: 'graph',
      collections: this.#collections,
      ...(this.#lastSeen === undefined ? {} : {lastSeen: this.#lastSeen}),
    };
    this.#engine.apply([
      {collection: hiddenCollections.graph, key: 'graph', event: 'update', new: row, received},
    ]);
  }
}
