// Users' formulas over the collections of a program. They run in an engine of their own, which has a copy of each
// collection that they read. Main's reports about the program update the copies.
import {UNSEEN_ROW_TEXT} from '@krtscope/shared/vocabulary.ts';
import type {CollectionFacts} from '../../../explain/records.ts';
import {labelsOf, namespaceOf} from '../../../formula/sandbox/row-keys.ts';
import {isJournal} from '../../../history/journal.ts';
import {
  type BatchTrace,
  newStaticCollection,
  newSyncLatch,
  type Published,
  type StaticCollection,
  type SyncLatch,
} from '../../../krt/index.ts';
import {extendBatch} from './batch-extension.ts';
import {type BatchWriteOrigin, LiveGraph, type LiveGraphOptions} from './live-graph.ts';

interface ReportedCopy {
  readonly collection: StaticCollection<unknown>;
  readonly latch: SyncLatch;
}

/** The program's graph, as formulas need it. */
export interface ReportedCollections {
  fact(name: string): CollectionFacts | undefined;
  uidOf(name: string): number;
  rows(name: string): Iterable<readonly [key: string, value: unknown]>;
}

export interface ProgramFormulasOptions
  extends Pick<
    LiveGraphOptions,
    'firstSequence' | 'announcer' | 'slowLanes' | 'revision' | 'build' | 'recorder'
  > {
  program: ReportedCollections;
  /** Formulas were added or removed. */
  onGraph(): void;
  /** A batch that no report of the program led to: first runs, a slow formula, the clock. */
  onTrace(trace: BatchTrace, origin: BatchWriteOrigin): void;
}

export class ProgramFormulas {
  readonly live: LiveGraph;
  readonly #options: ProgramFormulasOptions;
  readonly #copies = new Map<string, ReportedCopy>();
  /** The key of the row that is being written. Rows keep the keys that the program gave them. */
  #key = '';
  /** While a batch of the program is applied: what the engine did for it. */
  #extension: BatchTrace[] | undefined;

  constructor(options: ProgramFormulasOptions) {
    this.#options = options;
    let isReady = false;
    this.live = new LiveGraph({
      ...options,
      sources: [],
      graph: {sources: [], build: () => {}},
      onGraph: () => {
        if (isReady) options.onGraph();
      },
      onTrace: (trace, origin) => {
        if (isReady) this.#take(trace, origin);
      },
    });
    isReady = true;
  }

  /** The formulas, and the sources that only they have, such as the clock. */
  facts(): CollectionFacts[] {
    return this.live
      .collections()
      .filter(({name}) => !this.#copies.has(name))
      .map(fact => ({...fact, parents: fact.parents.filter(name => this.#isKnown(name))}));
  }

  /** Whether the collection is a formula or a source of formulas, and not the program's. */
  has(name: string): boolean {
    return !isJournal(name) && !this.#copies.has(name) && this.live.collection(name) !== undefined;
  }

  /** Copies the program's collections of these names. Others are ignored. */
  copy(names: readonly string[]): boolean {
    const fresh = names.filter(
      name => this.#options.program.fact(name) !== undefined && this.live.collection(name) === undefined,
    );
    for (const name of fresh) this.#copy(name);
    return fresh.length > 0;
  }

  /** The program has other collections, or other ones are synced. */
  updateGraph(): void {
    const {live} = this;
    if (this.copy(live.userCollections.missingNames()))
      live.changeGraph(() => {
        live.userCollections.settle();
        live.moduleInstaller.settle();
      });
    const {program} = this.#options;
    for (const [name, {latch}] of this.#copies) if (program.fact(name)?.synced === true) latch.markSynced();
  }

  /** Records violations of the formulas. Their engine counts its own batches, so new ones get this number. */
  settle(sequence: number): void {
    const {engine, journal} = this.live;
    journal.writeViolations(engine.violations().map(one => ({...one, sequence})));
  }

  /** The batch with what formulas did for it. */
  extend(batch: BatchTrace): BatchTrace {
    const changes = batch.published.filter(({collection}) => this.#copies.has(collection));
    if (changes.length === 0) return batch;
    this.#extension = [];
    try {
      this.live.engine.batch(() => {
        for (const change of changes) this.#write(change);
      });
      return this.#extension.reduce((all, own) => extendBatch(all, own, this.#copied), batch);
    } finally {
      this.#extension = undefined;
    }
  }

  #take(trace: BatchTrace, origin: BatchWriteOrigin): void {
    if (this.#extension !== undefined) {
      this.#extension.push(trace);
      return;
    }
    const {sequence, received, settled} = trace;
    const nothing = {sequence, received, settled, changes: [], runs: [], published: [], synced: []};
    const own = extendBatch(nothing, trace, this.#copied);
    if (own.published.length > 0 || own.runs.length > 0 || own.synced.length > 0)
      this.#options.onTrace(own, origin);
  }

  #copy(name: string): void {
    const {engine} = this.live;
    const {program} = this.#options;
    const latch = newSyncLatch(engine);
    const collection = newStaticCollection<unknown>(engine, [], {
      name,
      key: () => this.#key,
      labels: labelsOf,
      namespace: namespaceOf,
      synced: latch,
    });
    this.#copies.set(name, {collection, latch});
    engine.batch(() => {
      for (const [key, value] of program.rows(name)) this.#put(collection, key, value);
      if (program.fact(name)?.synced === true) latch.markSynced();
    });
  }

  #write({collection, key, event, new: row}: Published): void {
    const copy = this.#copies.get(collection)?.collection;
    if (copy === undefined) return;
    if (event === 'delete') copy.deleteObject(key);
    else this.#put(copy, key, row);
  }

  #put(copy: StaticCollection<unknown>, key: string, row: unknown): void {
    // A formula would compute with a text that is not the row. It gets the row with the next document.
    if (row === undefined || isUnseen(row) || copy.getKey(key) === row) return;
    this.#key = key;
    copy.updateObject(row);
  }

  #isKnown(name: string): boolean {
    return this.#options.program.fact(name) !== undefined || this.has(name);
  }

  get #copied() {
    return {
      has: (name: string) => this.#copies.has(name),
      uidOf: (name: string) => this.#options.program.uidOf(name),
    };
  }
}

const isUnseen = (row: unknown) => (row as {krtscope?: unknown} | null)?.krtscope === UNSEEN_ROW_TEXT;
