// The running graph: krt's engine, the sources that main writes to, and the collections over them.

import type {WireWriter} from '@krtscope/shared/run.ts';
import {shippedSources} from '@krtscope/shared/sources.ts';
import type {CollectionFacts, RerunFormulas, ViolationFacts} from '../../../explain/records.ts';
import {buildShippedGraph} from '../../../graph/shipped-graph.ts';
import {isJournal} from '../../../history/journal.ts';
import {
  type BatchTrace,
  type Collection,
  type CollectionInfo,
  collectionByName,
  createEngine,
  dumpPieces,
  type Engine,
  keyOf,
  onTurn,
  proceed,
} from '../../../krt/index.ts';
import type {SourceFresh, SourceReport, SourceSpec} from '../../link/engine-link.ts';
import {hiddenCollections} from '../../link/hidden-collections.ts';
import type {ReplayRows, SentChange, WithheldObject} from '../../link/host-messages.ts';
import {objectOf} from '../../link/sent-object.ts';
import {CommandRefused} from '../failures.ts';
import {FormulaAnnouncer} from '../formulas/formula-announcer.ts';
import {FormulaInstaller} from '../formulas/formula-installer.ts';
import {FormulaLanes} from '../formulas/formula-lanes.ts';
import {type EarlierTexts, ModuleInstaller} from '../formulas/module-installer.ts';
import {createRerunFormulas} from '../formulas/rerun-formulas.ts';
import type {SlowLaneHost} from '../formulas/slow-lane.ts';
import {UserCollections} from '../formulas/user-collections.ts';
import {CollectionFactsReader} from './collection-facts.ts';
import {SLICE_MS, SLICE_RUNS} from './first-runs.ts';
import type {WritableGraph} from './graph-interface.ts';
import {JournalWriter} from './journal-writer.ts';
import {LiveSources} from './live-sources.ts';
import {UniqueCollectionNames} from './unique-names.ts';
import {wallClockNow} from './wall-clock.ts';

/** A module that builds collections over sources. The shipped one is graph/shipped-graph.ts. */
export interface LiveGraphBuilder {
  /** The names of the sources that it needs. */
  readonly sources: readonly string[];
  build(engine: Engine, source: (name: string) => Collection<unknown>): void;
}

export const shippedGraph: LiveGraphBuilder = {
  sources: Object.keys(shippedSources),
  build: buildShippedGraph,
};

/** What main sent along with the writes of the current batch. */
export interface BatchWriteOrigin {
  received: number | undefined;
  readonly writers: Map<string, WireWriter>;
}

export interface LiveGraphOptions extends EarlierTexts {
  firstSequence: number;
  sources: readonly SourceSpec[];
  graph: LiveGraphBuilder;
  /** Announces every run of a user's formula. */
  announcer?: FormulaAnnouncer;
  /** Gives slow formulas processes of their own. Without it all run here. */
  slowLanes?: Omit<SlowLaneHost, 'collection' | 'index'>;
  /**
   * Collections were added or removed. Gets all current ones, before the first batch that shows the change is
   * recorded.
   */
  onGraph?(facts: readonly CollectionFacts[]): void;
  /** Undefined records nothing; benchmarks compare with that. */
  onTrace?(trace: BatchTrace, origin: BatchWriteOrigin): void;
  recorder(): {share: number; cost?: number; heap: number; frame?: number};
}

export class LiveGraph implements WritableGraph {
  readonly engine: Engine;
  readonly formulas: RerunFormulas;
  readonly journal: JournalWriter;
  readonly userCollections: UserCollections;
  readonly formulaInstaller: FormulaInstaller;
  readonly moduleInstaller: ModuleInstaller;
  /** Undefined where all formulas run in this process. */
  readonly lanes: FormulaLanes | undefined;
  readonly #sources: LiveSources;
  readonly #options: LiveGraphOptions;
  #origin: BatchWriteOrigin = {received: undefined, writers: new Map()};
  #facts: ReadonlyMap<string, CollectionFacts> | undefined;
  readonly #factsReader: CollectionFactsReader;
  readonly #names: UniqueCollectionNames;
  #withheld: readonly ViolationFacts[] = [];
  #isChangingGraph = false;

  constructor(options: LiveGraphOptions) {
    this.#options = options;
    this.engine = createEngine({
      clock: {now: wallClockNow, after: scheduleCall},
      firstSequence: options.firstSequence,
      firstRuns: SLICE_RUNS,
      firstRunsMilliseconds: SLICE_MS,
    });
    this.#sources = new LiveSources(this.engine);
    const announcer = options.announcer ?? new FormulaAnnouncer(() => {});
    this.userCollections = new UserCollections(this);
    this.formulaInstaller = new FormulaInstaller(this, this.userCollections, announcer);
    this.moduleInstaller = new ModuleInstaller(this.userCollections, this.formulaInstaller, announcer);
    const {slowLanes} = options;
    this.lanes =
      slowLanes &&
      new FormulaLanes({
        ...slowLanes,
        collection: name => this.collection(name),
        index: (collection, path) => this.formulaInstaller.index(collection, path),
        onProgress: () => {
          this.#facts = undefined;
          slowLanes.onProgress();
        },
      });
    this.formulas = createRerunFormulas(this.engine, {
      ...this.moduleInstaller.rerunOptions(options),
      over: () => announcer.announceRest(),
    });
    this.#names = new UniqueCollectionNames(this.engine);
    this.#factsReader = new CollectionFactsReader(this.engine, {
      source: name => this.#sources.facts(name),
      formula: name => this.userCollections.facts(name),
    });
    onTurn(this.engine, uid => {
      if (announcer.isBusy && !this.userCollections.has(uid)) announcer.announceRest();
    });
    // Set this before the graph exists: building it may already be a batch.
    if (options.onTrace !== undefined) {
      this.engine.onTrace(trace => {
        announcer.announceRest();
        this.#facts = undefined;
        if (this.#isChangingGraph) this.#tellGraph();
        options.onTrace?.(trace, this.#origin);
        this.lanes?.endBatch(trace.synced.length > 0);
      });
    }
    const specs = new Map(options.sources.map(spec => [spec.collection, spec]));
    let journal: JournalWriter | undefined;
    for (const name of [...options.graph.sources, ...Object.values(hiddenCollections)])
      if (!specs.has(name)) specs.set(name, {collection: name});
    this.engine.batch(() => {
      for (const spec of specs.values()) this.#sources.add(spec);
      options.graph.build(this.engine, name => this.#sources.collection(name));
      journal = new JournalWriter(this.engine);
      this.#names.settle();
      options.onGraph?.(this.collections());
    });
    this.journal = journal as unknown as JournalWriter;
    this.#facts = undefined;
  }

  /** Applies one batch. */
  apply(changes: readonly SentChange[]): void {
    const writers = new Map<string, WireWriter>();
    let received: number | undefined;
    for (const change of changes) {
      if (received === undefined || change.received < received) received = change.received;
      if (change.writer !== undefined) writers.set(`${change.collection} ${change.key}`, change.writer);
    }
    this.#from({received, writers}, () => {
      for (const change of changes) {
        const {collection, key, event} = change;
        const held = this.#sources.collection(collection);
        if (event === 'delete') held.deleteObject(key);
        else this.#sources.put(collection, key, objectOf(change, held.getKey(key)));
      }
    });
  }

  report(name: string, report: SourceReport): void {
    this.engine.batch(() => {
      this.#note(name, report);
      this.journal.write('sources', [[name, this.#sources.recordedState(name)]]);
    });
  }

  /** Writes violations that were added or removed since the last call, as a batch. */
  settle(): void {
    this.journal.writeViolations([...this.#withheld, ...this.engine.violations()]);
  }

  #note(name: string, report: SourceReport): void {
    this.#facts = undefined;
    this.#sources.setReport(name, report);
  }

  /** Sets the time up to which sources are known to be right. */
  freshen(sources: readonly SourceFresh[]): void {
    for (const fresh of sources) this.#sources.setFresh(fresh);
    this.#facts = undefined;
    this.journal.write('sources', this.#sources.recordedStates());
  }

  /** Makes or stops collections. Recorder and views hear of it before the first batch that shows the change. */
  changeGraph<R>(change: () => R): R {
    this.#isChangingGraph = true;
    try {
      return change();
    } finally {
      this.#isChangingGraph = false;
      this.#tellGraph();
    }
  }

  /** Adds a source. Call it inside changeGraph(). Throws CommandRefused if a collection has its name. */
  addSource(spec: SourceSpec): void {
    if (this.collection(spec.collection) !== undefined)
      throw new CommandRefused({
        code: 'taken',
        message: `a collection "${spec.collection}" already exists`,
        hint: 'GET /api/v1/graph lists the collections',
      });
    this.#sources.add(spec);
  }

  /** Call it inside changeGraph(). Throws CommandRefused while other collections are computed from it. */
  dropSource(name: string): void {
    if (!this.#sources.has(name))
      throw new CommandRefused({
        code: 'unknown-collection',
        message: `there is no source "${name}"`,
        hint: 'GET /api/v1/graph lists the collections; those of kind "source" can be dropped',
      });
    const readers = this.readersOf(name);
    if (readers.length > 0)
      throw new CommandRefused({
        code: 'in-use',
        message: `${name} is read by ${readers.join(', ')}`,
        hint: 'delete those first',
        readers,
      });
    this.#sources.drop(name);
    this.journal.write('sources', [[name, undefined]]);
  }

  /** The names of collections that are computed from this one or have fetched from it. */
  readersOf(name: string): string[] {
    const reads = ({inputs}: CollectionInfo) => inputs.some(({collection}) => collection === name);
    return this.engine
      .collections()
      .filter(reads)
      .map(info => info.name)
      .sort();
  }

  /** The collection with this name, whatever made it. */
  collection(name: string): Collection<unknown> | undefined {
    return collectionByName(this.engine, name);
  }

  /** Restores krtscope's own journals. Call it before replaying objects. */
  replayJournal(rows: readonly ReplayRows[]): void {
    this.engine.batch(() => this.journal.restore(rows));
  }

  /** Replays one batch of objects of the previous process. Skips sources that were dropped since. */
  replay(objects: readonly [string, string, unknown][]): void {
    this.engine.batch(() => {
      for (const [collection, key, object] of objects)
        if (this.#sources.has(collection)) this.#sources.put(collection, key, object);
    });
  }

  /** Ends the replay: all objects are in, and these sources are synced. */
  replayReports(reports: readonly [string, SourceReport][]): void {
    this.engine.batch(() => {
      for (const [name, report] of reports) if (this.#sources.has(name)) this.#note(name, report);
    });
  }

  /** Makes one slice of first runs. Returns whether any are left. */
  runFirstSlice(): boolean {
    this.#facts = undefined;
    return proceed(this.engine);
  }

  collections(): readonly CollectionFacts[] {
    return [...this.#factsByName().values()];
  }

  fact(name: string): CollectionFacts | undefined {
    return this.#factsByName().get(name);
  }

  /** The engine's debug document, without krtscope's own collections. */
  dump(indent: number): Iterable<string> {
    return dumpPieces(this.engine, name => !isJournal(name), indent);
  }

  /** Shows objects that main holds back: they are in the cluster but not in the graph. */
  setWithheld(objects: readonly WithheldObject[]): void {
    const sequence = this.#options.firstSequence;
    this.#withheld = objects.map(({collection, key, reason}) => ({
      code: 'set-aside',
      collection,
      keys: [key],
      message: `${collection}/${key} is in the cluster but not shown: ${reason}`,
      sequence,
      count: 1,
    }));
    this.settle();
  }

  keysOf(collection: string, items: readonly unknown[]): string[] | undefined {
    const found = collectionByName(this.engine, collection);
    try {
      return found === undefined ? undefined : items.map(item => keyOf(item, found));
    } catch {
      // A collection that waits for another one does not know the keys of its earlier rows.
      return undefined;
    }
  }

  now(): number {
    return wallClockNow();
  }

  recorder(): {share: number; cost?: number; heap: number; frame?: number} {
    return this.#options.recorder();
  }

  #from(origin: BatchWriteOrigin, write: () => void): void {
    this.#origin = origin;
    try {
      this.engine.batch(write);
    } finally {
      this.#origin = {received: undefined, writers: new Map()};
    }
  }

  #tellGraph(): void {
    this.#facts = undefined;
    if (this.#names.settle()) this.#options.onGraph?.(this.collections());
  }

  #factsByName(): ReadonlyMap<string, CollectionFacts> {
    if (this.#facts === undefined) {
      // A formula may cause a violation on its own. Record it now and not only when a question asks for it.
      const changed = this.#names.settle();
      this.#facts = new Map(this.#factsReader.all().map(fact => [fact.name, fact]));
      if (changed) this.#options.onGraph?.([...this.#facts.values()]);
    }
    return this.#facts;
  }
}

function scheduleCall(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
}
