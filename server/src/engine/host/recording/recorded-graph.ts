// The graph of an opened file, as the file describes it. No formula runs here.
import type {TimelineGap} from '@krtscope/shared/timeline.ts';
import type {CollectionFacts, RerunFormulas} from '../../../explain/records.ts';
import type {FileHeader} from '../../../history/file/recording-file.ts';
import type {RecordedSession} from '../../link/engine-link.ts';
import {createRerunFormulas, type FormulaHashes} from '../formulas/rerun-formulas.ts';
import type {ReadableGraph} from '../live-graph/graph-interface.ts';
import {LiveGraph, shippedGraph} from '../live-graph/live-graph.ts';
import {CollectionHistory, type StoredCollectionSpans} from './collection-history.ts';
import type {StoredModuleBuilds} from './module-history.ts';

/** The host's part of a file's header. */
export interface RecordingFacts {
  session: RecordedSession;
  /** The time of writing. */
  now: number;
  collections: CollectionFacts[];
  gaps: TimelineGap[];
  limits: {runs: number; megabytes: number};
  /** The batches in which collections became synced. Only old files have it; newer ones have `lives`. */
  syncedAt?: [string, number][];
  /** The time span of every collection. */
  lives?: StoredCollectionSpans;
  /** The texts of graph modules. Old files have none. */
  modules?: StoredModuleBuilds;
  /** By collection and input, the keys of rows that the last run did not yield. */
  stays?: [string, string, readonly string[]][];
  /** Hashes of the formulas that made the recording. */
  formulas?: FormulaHashes;
}

export class RecordedGraph implements ReadableGraph {
  readonly facts: RecordingFacts;
  /** The shipped formulas whose hashes match the file's. Code in a file never runs. */
  readonly formulas?: RerunFormulas;
  readonly #byName: Map<string, CollectionFacts>;

  constructor(header: FileHeader) {
    this.facts = header.facts as RecordingFacts;
    const {formulas} = this.facts;
    if (formulas !== undefined) {
      const graph = {firstSequence: 0, sources: [], graph: shippedGraph, recorder: () => this.recorder()};
      this.formulas = createRerunFormulas(new LiveGraph(graph).engine, {known: formulas});
    }
    this.#byName = new Map(this.facts.collections.map(fact => [fact.name, fact]));
  }

  collectionHistory(): CollectionHistory {
    const {lives, modules, collections, syncedAt = []} = this.facts;
    if (lives !== undefined) return CollectionHistory.read(lives, modules);
    const read = new CollectionHistory();
    read.update(collections, 0);
    for (const [name, sequence] of syncedAt) read.noteSynced(name, sequence);
    return read;
  }

  collections(): readonly CollectionFacts[] {
    return this.facts.collections;
  }

  fact(name: string): CollectionFacts | undefined {
    return this.#byName.get(name);
  }

  now(): number {
    return this.facts.now;
  }

  recorder(): {share: number; cost?: number; heap: number; frame?: number} {
    return {share: 0, heap: process.memoryUsage().heapUsed};
  }
}
