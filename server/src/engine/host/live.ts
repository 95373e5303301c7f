// The running graph: krt's engine, the sources that main writes to, and the collections over them.
import type {WireWriter} from '@krtscope/shared/run.ts';
import {shippedSources} from '@krtscope/shared/sources.ts';
import type {CollectionFacts, RerunFormulas, ViolationFacts} from '../../explain/records.ts';
import {buildShippedGraph} from '../../graph/shipped-graph.ts';
import {isJournal} from '../../history/journal.ts';
import {
  type BatchTrace,
  type Collection,
  type CollectionInfo,
  collectionByName,
  createEngine,
  dumpPieces,
  type Engine,
  keyOf,
  newStaticCollection,
  newSyncLatch,
  onTurn,
  proceed,
  type StaticCollection,
  type SyncLatch,
} from '../../krt/index.ts';
import {hidden} from '../link/hidden.ts';
import type {SourceChange, SourceFresh, SourceReport, SourceSpec} from '../link/link.ts';
import type {AsideObject, KeptRows} from '../link/messages.ts';
import {Announcer} from './announcer.ts';
import {FactFinder, type SourceFacts} from './facts.ts';
import {CommandRefused} from './failures.ts';
import {SLICE_RUNS} from './first-runs.ts';
import {formulasOf} from './formulas.ts';
import {deepFreeze, isSameVersion, share} from './intake.ts';
import {Journal} from './journal.ts';
import {KeptCollections} from './kept-collections.ts';
import {KeptFormulas} from './kept-formulas.ts';
import {type Earlier, KeptModules} from './kept-modules.ts';
import {Names} from './names.ts';
import type {FedWorld} from './world.ts';

/** A module that builds collections over sources. The shipped one is graph/shipped-graph.ts. */
export interface GraphModule {
  /** Names of the sources it needs. */
  readonly sources: readonly string[];
  build(engine: Engine, source: (name: string) => Collection<unknown>): void;
}

export const shippedGraph: GraphModule = {sources: Object.keys(shippedSources), build: buildShippedGraph};

interface LiveSource {
  readonly collection: StaticCollection<unknown>;
  readonly latch: SyncLatch;
  readonly spec: SourceSpec;
  report: SourceReport | undefined;
  fresh: SourceFresh | undefined;
}

/** What main told with the writes of the batch that is being applied. */
export interface Origin {
  received: number | undefined;
  readonly writers: Map<string, WireWriter>;
}

export interface LiveOptions extends Earlier {
  firstSequence: number;
  sources: readonly SourceSpec[];
  graph: GraphModule;
  /** Told of every formula that somebody keeps, before it runs. */
  announcer?: Announcer;
  /** Collections came or went: all that there are now. Called before the batch is recorded that shows it first. */
  onGraph?(facts: readonly CollectionFacts[]): void;
  /** Without it nothing is recorded: what benchmarks compare with. */
  onTrace?(trace: BatchTrace, origin: Origin): void;
  recorder(): {share: number; cost?: number; heap: number; frame?: number};
}

export class LiveGraph implements FedWorld {
  readonly engine: Engine;
  readonly formulas: RerunFormulas;
  readonly journal: Journal;
  readonly kept: KeptCollections;
  readonly keptFormulas: KeptFormulas;
  readonly modules: KeptModules;
  readonly #sources = new Map<string, LiveSource>();
  readonly #options: LiveOptions;
  #origin: Origin = {received: undefined, writers: new Map()};
  #facts: ReadonlyMap<string, CollectionFacts> | undefined;
  readonly #finder: FactFinder;
  readonly #names: Names;
  #aside: readonly ViolationFacts[] = [];
  #regraphing = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.engine = createEngine({
      clock: {now: wallClock, after: later},
      firstSequence: options.firstSequence,
      firstRuns: SLICE_RUNS,
    });
    const announcer = options.announcer ?? new Announcer(() => {});
    this.kept = new KeptCollections(this);
    this.keptFormulas = new KeptFormulas(this, this.kept, announcer);
    this.modules = new KeptModules(this.kept, this.keptFormulas, announcer);
    this.formulas = formulasOf(this.engine, {
      ...this.modules.repeatable(options),
      over: () => announcer.rest(),
    });
    this.#names = new Names(this.engine);
    this.#finder = new FactFinder(this.engine, {
      source: name => this.#sourceFacts(name),
      formula: name => this.kept.facts(name),
    });
    onTurn(this.engine, uid => {
      if (announcer.isBusy && !this.kept.has(uid)) announcer.rest();
    });
    // Before the graph exists: building it may already be a batch.
    if (options.onTrace !== undefined) {
      this.engine.onTrace(trace => {
        announcer.rest();
        this.#facts = undefined;
        if (this.#regraphing) this.#tellGraph();
        options.onTrace?.(trace, this.#origin);
      });
    }
    const specs = new Map(options.sources.map(spec => [spec.collection, spec]));
    let journal: Journal | undefined;
    for (const name of [...options.graph.sources, ...Object.values(hidden)])
      if (!specs.has(name)) specs.set(name, {collection: name});
    this.engine.batch(() => {
      for (const spec of specs.values()) this.#makeSource(spec);
      options.graph.build(this.engine, name => this.#source(name).collection);
      journal = new Journal(this.engine);
      this.#names.settle();
      options.onGraph?.(this.collections());
    });
    this.journal = journal as unknown as Journal;
    this.#facts = undefined;
  }

  /** One batch. */
  apply(changes: readonly SourceChange[]): void {
    const writers = new Map<string, WireWriter>();
    let received: number | undefined;
    for (const change of changes) {
      if (received === undefined || change.received < received) received = change.received;
      if (change.writer !== undefined) writers.set(`${change.collection} ${change.key}`, change.writer);
    }
    this.#from({received, writers}, () => {
      for (const {collection, key, event, new: object} of changes) {
        if (event === 'delete') this.#source(collection).collection.deleteObject(key);
        else this.#put(collection, key, object);
      }
    });
  }

  report(name: string, report: SourceReport): void {
    this.engine.batch(() => {
      this.#note(name, report);
      this.journal.write('sources', [[name, this.#stateOf(name)]]);
    });
  }

  /** Violations that came or went since the last call are a batch. */
  settle(): void {
    this.journal.violations([...this.#aside, ...this.engine.violations()]);
  }

  #note(name: string, report: SourceReport): void {
    const source = this.#source(name);
    source.report = report;
    this.#facts = undefined;
    if (report.synced || report.state === 'not installed') source.latch.markSynced();
  }

  /** What is recorded of a source: how far a list has come changes by the second and is not. */
  #stateOf(name: string): SourceFacts | undefined {
    const facts = this.#sourceFacts(name);
    if (facts === undefined) return undefined;
    const {listed: _listed, total: _total, asOf, ...state} = facts;
    return {...state, ...(state.current === false && asOf !== undefined ? {asOf} : {})};
  }

  /** Up to when sources are known to be right. */
  freshen(sources: readonly SourceFresh[]): void {
    for (const fresh of sources) {
      const source = this.#sources.get(fresh.collection);
      if (source !== undefined) source.fresh = fresh;
    }
    this.#facts = undefined;
    this.journal.write(
      'sources',
      [...this.#sources.keys()].map(name => [name, this.#stateOf(name)] as const),
    );
  }

  /** Makes or stops collections: who records and who draws is told before the first batch that shows it. */
  regraph<R>(change: () => R): R {
    this.#regraphing = true;
    try {
      return change();
    } finally {
      this.#regraphing = false;
      this.#tellGraph();
    }
  }

  /** One more source, inside regraph(). Throws CommandRefused if a collection has its name. */
  addSource(spec: SourceSpec): void {
    if (this.collection(spec.collection) !== undefined)
      throw new CommandRefused({
        code: 'taken',
        message: `there is a collection "${spec.collection}" already`,
        hint: 'GET /api/v1/graph lists the collections',
      });
    this.#makeSource(spec);
  }

  /** Inside regraph(). Throws CommandRefused while others are computed from it. */
  dropSource(name: string): void {
    const source = this.#sources.get(name);
    if (source === undefined)
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
    source.collection.reset([]);
    source.collection.stop();
    this.#sources.delete(name);
    this.journal.write('sources', [[name, undefined]]);
  }

  /** Collections that are computed from this one or have looked into it, by name. */
  readersOf(name: string): string[] {
    const reads = ({inputs}: CollectionInfo) => inputs.some(({collection}) => collection === name);
    return this.engine
      .collections()
      .filter(reads)
      .map(info => info.name)
      .sort();
  }

  /** The collection of a name, whatever made it. */
  collection(name: string): Collection<unknown> | undefined {
    return collectionByName(this.engine, name);
  }

  /** What krtscope itself had noted: before the objects, and as it was. */
  replayJournal(kept: readonly KeptRows[]): void {
    this.engine.batch(() => this.journal.adopt(kept));
  }

  /** One batch of objects that a process before this one had. What is not there any more has been dropped since. */
  replay(objects: readonly [string, string, unknown][]): void {
    this.engine.batch(() => {
      for (const [collection, key, object] of objects)
        if (this.#sources.has(collection)) this.#put(collection, key, object);
    });
  }

  /** All objects are in again: which sources have synced. */
  replayReports(reports: readonly [string, SourceReport][]): void {
    this.engine.batch(() => {
      for (const [name, report] of reports) if (this.#sources.has(name)) this.#note(name, report);
    });
  }

  /** One slice of the runs that collections owe before they are synced; whether any are left. */
  proceed(): boolean {
    this.#facts = undefined;
    return proceed(this.engine);
  }

  collections(): readonly CollectionFacts[] {
    return [...this.#known().values()];
  }

  fact(name: string): CollectionFacts | undefined {
    return this.#known().get(name);
  }

  /** As the engine writes it, without what is krtscope's own. */
  dump(indent: number): Iterable<string> {
    return dumpPieces(this.engine, name => !isJournal(name), indent);
  }

  /** Objects that main holds back: they are in the cluster and not in the graph, which must be said. */
  setAside(objects: readonly AsideObject[]): void {
    const sequence = this.#options.firstSequence;
    this.#aside = objects.map(({collection, key, reason}) => ({
      code: 'set-aside',
      collection,
      keys: [key],
      message: `${collection}/${key} is in the cluster and not shown: the engine process died of it twice (${reason})`,
      sequence,
      count: 1,
    }));
    this.settle();
  }

  keysOf(collection: string, items: readonly unknown[]): string[] | undefined {
    const found = collectionByName(this.engine, collection);
    return found === undefined ? undefined : items.map(item => keyOf(item, found));
  }

  now(): number {
    return wallClock();
  }

  recorder(): {share: number; cost?: number; heap: number; frame?: number} {
    return this.#options.recorder();
  }

  #from(origin: Origin, write: () => void): void {
    this.#origin = origin;
    try {
      this.engine.batch(write);
    } finally {
      this.#origin = {received: undefined, writers: new Map()};
    }
  }

  #put(name: string, key: string, object: unknown): void {
    const {collection} = this.#source(name);
    const old = collection.getKey(key);
    if (old !== undefined && isSameVersion(old, object)) return;
    const shared = old === undefined ? object : share(old, object);
    if (shared !== old) collection.updateObject(deepFreeze(shared));
  }

  #tellGraph(): void {
    this.#facts = undefined;
    if (this.#names.settle()) this.#options.onGraph?.(this.collections());
  }

  #makeSource(spec: SourceSpec): void {
    const latch = newSyncLatch(this.engine);
    const collection = newStaticCollection<unknown>(this.engine, [], {name: spec.collection, synced: latch});
    this.#sources.set(spec.collection, {collection, latch, spec, report: undefined, fresh: undefined});
  }

  #source(name: string): LiveSource {
    const source = this.#sources.get(name);
    if (source === undefined)
      throw new Error(`there is no source "${name}"; name it when the engine is started`);
    return source;
  }

  #known(): ReadonlyMap<string, CollectionFacts> {
    if (this.#facts === undefined) {
      // One that a formula made on its own: whoever asks first must not be the only one to learn of it.
      const changed = this.#names.settle();
      this.#facts = new Map(this.#finder.all().map(fact => [fact.name, fact]));
      if (changed) this.#options.onGraph?.([...this.#facts.values()]);
    }
    return this.#facts;
  }

  #sourceFacts(name: string): SourceFacts | undefined {
    const source = this.#sources.get(name);
    if (source === undefined) return undefined;
    const {report, spec, fresh} = source;
    const resource = report?.resource ?? spec.resource;
    return {
      state: report?.state ?? 'waiting',
      ...(report?.reason === undefined ? {} : {reason: report.reason}),
      ...(report?.hint === undefined ? {} : {hint: report.hint}),
      ...(report?.listed === undefined ? {} : {listed: report.listed}),
      ...(report?.total === undefined ? {} : {total: report.total}),
      ...(fresh === undefined ? {} : {asOf: fresh.asOf, current: fresh.current}),
      ...(resource === undefined ? {} : {resource}),
      ...(report?.columns === undefined ? {} : {columns: report.columns}),
    };
  }
}

/** Milliseconds since 1970 with their fraction: durations of runs are microseconds. */
export function wallClock(): number {
  return started + performance.now();
}

const started = performance.timeOrigin;

function later(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
}
