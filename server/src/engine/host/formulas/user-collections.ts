// Makes, replaces and drops the collections of users' formulas and graph modules in the running graph. A collection
// that cannot run still exists, empty and not synced, so that its readers wait for it by name.
import type {RowError} from '@krtscope/shared/formulas.ts';
import type {Progress} from '@krtscope/shared/graph.ts';
import type {CollectionNodeKind, FormulaTrouble} from '@krtscope/shared/vocabulary.ts';
import type {CollectionEnding} from '../../../explain/records.ts';
import type {FormulaRunner} from '../../../formula/sandbox/formula-runner.ts';
import {FormulaRowKeys} from '../../../formula/sandbox/row-keys.ts';
import type {ModuleCollectionPlan} from '../../../formula/sandbox/sandboxed-module.ts';
import {
  type Collection,
  clearView,
  type DerivedCollection,
  type HandlerContext,
  type Index,
  newStaticCollection,
  newSyncLatch,
  replaceInSlices,
} from '../../../krt/index.ts';
import type {InstallableFormula} from '../../link/commands.ts';
import type {FormulaCostReport} from '../../link/slow-lane-messages.ts';
import {CommandRefused} from '../failures.ts';
import type {LiveGraph} from '../live-graph/live-graph.ts';
import {type FormulaLane, type FormulaLaneFacts, MAX_SLOW_FORMULAS} from './formula-lanes.ts';
import {makeCollection} from './make-collection.ts';

export type UserRunFunction = (ctx: HandlerContext, item: unknown) => unknown;

export interface UserCollectionTrouble {
  state: FormulaTrouble;
  error: RowError;
}

/** The description of a collection. */
export interface UserCollectionSpec {
  readonly name: string;
  readonly kind: ModuleCollectionPlan['kind'];
  /** The collections that its rows are made from. */
  readonly inputs: readonly string[];
  /** All collections that the text names, including the inputs. */
  readonly reads: readonly string[];
  readonly hash: string;
  /** False if there is no code to run. */
  readonly canRun: boolean;
  readonly trouble: UserCollectionTrouble | undefined;
  /** The graph module that owns the collection. */
  readonly module?: string;
  /** The command of a formula that is not part of a module. Only such a formula can have a process of its own. */
  readonly order?: InstallableFormula;
  /** Undefined for a collection that only combines others. Throws if the text is wrong. */
  runner(): FormulaRunner | undefined;
  /** For a group: the index of its input. */
  readonly index?: ((input: Collection<unknown>) => Index<unknown, string>) | undefined;
  /** For a map or a merge. */
  readonly view?: ((given: unknown) => unknown) | undefined;
  readonly options?: Pick<ModuleCollectionPlan, 'labels' | 'namespace' | 'selector'>;
}

interface UserCollection {
  spec: UserCollectionSpec;
  trouble: UserCollectionTrouble | undefined;
  keys: FormulaRowKeys;
  /** Where its formula runs; undefined without a formula and in modules. */
  lane: FormulaLane | undefined;
  /** Undefined only while it is being made. */
  collection: Collection<unknown> | undefined;
  /** Only reserves the name. */
  isPlaceholder: boolean;
}

export interface UserCollectionFacts {
  formula: true;
  module?: string;
  kind: CollectionNodeKind;
  state?: FormulaTrouble;
  error?: RowError;
  lane?: 'slow' | 'engine';
  cost?: FormulaCostReport;
  /** While a slow formula recomputes rows. */
  current?: false;
  asOf?: number;
  progress?: Progress;
  reason?: string;
}

const userCollectionKinds = {
  one: 'derived',
  many: 'many',
  'from-nothing': 'many',
  singleton: 'singleton',
  join: 'join',
  merge: 'join',
  map: 'map',
  status: 'derived',
  'status-many': 'many',
  'status-rows': 'status',
  group: 'index',
} as const;
/** Kinds without a formula of their own. */
const viewKinds: readonly UserCollectionSpec['kind'][] = ['join', 'merge', 'map', 'status-rows', 'group'];
const nothing = () => undefined;

export class UserCollections {
  readonly #live: LiveGraph;
  readonly #byName = new Map<string, UserCollection>();
  #endings = new Map<number, CollectionEnding>();

  constructor(live: LiveGraph) {
    this.#live = live;
  }

  /**
   * Adds or replaces `specs` and removes `gone`, in one batch where no collection changes its kind. Throws
   * CommandRefused without having changed anything.
   */
  put(specs: readonly UserCollectionSpec[], gone: readonly string[] = []): void {
    for (const spec of specs) this.#refuseTaken(spec);
    const changed = specs.filter(spec => this.#byName.has(spec.name));
    const staying = changed.filter(spec => this.#stays(spec));
    const others = changed.filter(spec => !staying.includes(spec)).map(({name}) => name);
    const affected = this.#withReaders([...others, ...gone]);
    const remade = new Set(affected.map(({spec}) => spec.name));
    for (const entry of [...affected].reverse()) {
      this.#noteEnding(entry, gone, [...others, ...gone]);
      this.#clear(entry);
    }
    const byName = new Map(specs.map(spec => [spec.name, spec]));
    this.#live.engine.batch(() => {
      for (const {collection, lane} of affected) {
        lane?.stop();
        collection?.stop();
      }
      for (const {spec} of affected) this.#byName.delete(spec.name);
      for (const spec of specs) if (staying.includes(spec) && !remade.has(spec.name)) this.#replace(spec);
      const making = [
        ...specs.filter(spec => !this.#byName.has(spec.name)),
        ...affected.map(({spec}) => spec).filter(({name}) => !byName.has(name) && !gone.includes(name)),
      ];
      for (const spec of sortByReads(making)) this.#make(spec);
    });
  }

  /** Why collections ended since the last call, by their uids. */
  takeEndings(): ReadonlyMap<number, CollectionEnding> {
    const endings = this.#endings;
    this.#endings = new Map();
    return endings;
  }

  #noteEnding({collection, spec}: UserCollection, gone: readonly string[], changed: readonly string[]): void {
    if (collection === undefined) return;
    const isRemoved = gone.includes(spec.name);
    this.#endings.set(collection.uid, {
      kind: isRemoved ? 'removed' : 'rebuilt',
      ...(isRemoved && spec.module !== undefined ? {module: spec.module} : {}),
      because: isRemoved ? [] : spec.reads.filter(name => changed.includes(name)),
    });
  }

  /** Throws CommandRefused if a user's code names the collection, even if it has not fetched from it yet. */
  refuseIfNamed(name: string): void {
    const named = [...this.#byName.values()]
      .filter(({spec}) => spec.name !== name && spec.reads.includes(name))
      .map(({spec}) => spec.name);
    if (named.length > 0) throw inUseRefusal(name, named.sort());
  }

  refuseIfRead(name: string): void {
    this.refuseIfNamed(name);
    const readers = this.#live.readersOf(name).filter(reader => reader !== name);
    if (readers.length > 0) throw inUseRefusal(name, readers);
  }

  /** Makes the collections that waited for one that exists now. */
  settle(): void {
    const ready = [...this.#byName.values()].filter(
      ({isPlaceholder, spec}) => isPlaceholder && spec.canRun && this.#missing(spec) === undefined,
    );
    if (ready.length > 0) this.put(ready.map(({spec}) => spec));
  }

  /** Collections that do not exist and that texts name. */
  missingNames(): string[] {
    const reads = [...this.#byName.values()].flatMap(({spec}) => spec.reads);
    return [...new Set(reads)].filter(name => this.#live.collection(name) === undefined);
  }

  /** Sets the reported trouble of a collection without touching its rows. */
  setTrouble(name: string, trouble: UserCollectionTrouble | undefined): void {
    const entry = this.#byName.get(name);
    if (entry !== undefined) entry.trouble = trouble;
  }

  get(name: string): UserCollectionSpec | undefined {
    return this.#byName.get(name)?.spec;
  }

  /** A restored row without a key in itself has the key of its run. */
  adoptRow(name: string, input: string, row: unknown): void {
    this.#byName.get(name)?.keys.adopt(row, input);
  }

  /** Whether the formula has a process of its own. Then no run of it may be repeated here. */
  isSlow(name: string): boolean {
    return this.#byName.get(name)?.lane?.isSlow === true;
  }

  /** Whether the collection with this uid runs a user's text. */
  has(uid: number): boolean {
    for (const {collection, spec} of this.#byName.values())
      if (collection?.uid === uid) return spec.kind !== 'group';
    return false;
  }

  facts(name: string): UserCollectionFacts | undefined {
    const entry = this.#byName.get(name);
    if (entry === undefined) return undefined;
    const {spec, trouble} = entry;
    const module = spec.module === undefined ? {} : {module: spec.module};
    const lane = entry.lane === undefined ? {} : laneFactsOf(entry.lane.facts);
    return {formula: true, ...module, kind: userCollectionKinds[spec.kind], ...lane, ...trouble};
  }

  /**
   * Runs `work` as if the collection had this runner's keys. Returns undefined if the collection is of another kind
   * now.
   */
  runWithKeysOf<R>(earlier: UserCollectionSpec, runner: FormulaRunner, work: () => R): R | undefined {
    const entry = this.#byName.get(earlier.name);
    if (entry === undefined || entry.isPlaceholder || shapeOf(entry.spec) !== shapeOf(earlier))
      return undefined;
    const {keys} = entry;
    entry.keys = runner.keys;
    try {
      return work();
    } finally {
      entry.keys = keys;
    }
  }

  #refuseTaken({name, module}: UserCollectionSpec): void {
    const entry = this.#byName.get(name);
    if (entry === undefined ? this.#live.collection(name) === undefined : entry.spec.module === module)
      return;
    throw new CommandRefused({
      code: 'taken',
      message: `a collection "${name}" already exists`,
      hint: 'choose another name',
    });
  }

  /** Whether a new text can replace the old one in the same collection. */
  #stays(spec: UserCollectionSpec): boolean {
    const entry = this.#byName.get(spec.name) as UserCollection;
    return (
      !entry.isPlaceholder &&
      spec.canRun &&
      shapeOf(entry.spec) === shapeOf(spec) &&
      // Views keep the function that they were made with.
      ((spec.view === undefined && spec.index === undefined) || entry.spec.hash === spec.hash) &&
      this.#missing(spec) === undefined
    );
  }

  #replace(spec: UserCollectionSpec): void {
    const entry = this.#byName.get(spec.name) as UserCollection;
    const same = entry.spec.hash === spec.hash;
    const runner = same ? undefined : spec.runner();
    entry.spec = spec;
    entry.trouble = spec.trouble;
    if (runner === undefined) return;
    entry.keys = runner.keys;
    entry.lane?.stop();
    replaceInSlices(entry.collection as Collection<unknown>, this.#runOf(entry, runner));
  }

  /** The named collections and all their readers, each after the collections that it reads. */
  #withReaders(names: readonly string[]): UserCollection[] {
    const affected = new Set(names);
    for (let before = -1; before !== affected.size; ) {
      before = affected.size;
      for (const {spec} of this.#byName.values())
        if (spec.reads.some(one => affected.has(one))) affected.add(spec.name);
    }
    const specs = [...affected].flatMap(name => this.#byName.get(name)?.spec ?? []);
    return sortByReads(specs).map(({name}) => this.#byName.get(name) as UserCollection);
  }

  /** Deletes the rows in a batch of their own, so that the recording names the formula as the cause. */
  #clear({collection, isPlaceholder, spec}: UserCollection): void {
    if (isPlaceholder || collection === undefined) return;
    if (viewKinds.includes(spec.kind)) clearView(collection);
    else (collection as DerivedCollection<unknown, unknown>).replaceFormula(nothing);
  }

  #make(spec: UserCollectionSpec): void {
    const entry: UserCollection = {
      spec,
      trouble: spec.trouble,
      keys: new FormulaRowKeys('one'),
      lane: undefined,
      collection: undefined,
      isPlaceholder: false,
    };
    // The first batch of the collection already asks for this entry.
    this.#byName.set(spec.name, entry);
    const missing = this.#missing(spec);
    try {
      if (spec.canRun && missing === undefined) {
        entry.collection = this.#collectionOf(entry);
        return;
      }
      if (spec.canRun) entry.trouble = {state: 'failing', error: {message: `waits for ${missing}`}};
    } catch (error) {
      entry.trouble = {state: 'failing', error: {message: (error as Error).message}};
    }
    entry.isPlaceholder = true;
    const synced = newSyncLatch(this.#live.engine);
    entry.collection = newStaticCollection<unknown>(this.#live.engine, [], {name: spec.name, synced});
  }

  #collectionOf(entry: UserCollection): Collection<unknown> {
    const {spec} = entry;
    const runner = spec.runner();
    if (runner !== undefined) entry.keys = runner.keys;
    return makeCollection(this.#live.engine, spec, {
      inputs: spec.inputs.map(name => this.#live.collection(name) as Collection<unknown>),
      run: runner && this.#runOf(entry, runner),
      key: row => entry.keys.of(row),
    });
  }

  #runOf(entry: UserCollection, runner: FormulaRunner): UserRunFunction {
    const {spec} = entry;
    const run = toRunFunction(runner, spec);
    entry.lane = spec.order && this.#live.lanes?.add(spec.order, runner, run);
    return entry.lane?.run ?? run;
  }

  #missing({reads}: UserCollectionSpec): string | undefined {
    return reads.find(name => this.#live.collection(name) === undefined);
  }
}

export function toRunFunction(
  runner: FormulaRunner,
  {inputs}: Pick<UserCollectionSpec, 'inputs'>,
): UserRunFunction {
  return inputs.length === 0 ? ctx => runner.run(ctx, undefined) : (ctx, item) => runner.run(ctx, item);
}

/** A slow formula's collection is not current until all its rows are recomputed. */
function laneFactsOf({lane, cost, progress, hasNoProcess}: FormulaLaneFacts): Partial<UserCollectionFacts> {
  if (hasNoProcess)
    return {
      lane,
      cost,
      state: 'failing',
      error: {
        message: `its runs are slow, and ${MAX_SLOW_FORMULAS} slow formulas already have a process of their own; delete or change one of them, then save this one again`,
      },
    };
  if (progress === undefined) return {lane, cost};
  const {done, total, since} = progress;
  return {
    lane,
    cost,
    current: false,
    asOf: Math.round(since),
    progress: {done, total},
    reason: `recomputing, ${done} of ${total}`,
  };
}

const shapeOf = ({kind, inputs}: UserCollectionSpec) => JSON.stringify([kind, inputs]);

/** Sorts each spec after the specs that it reads. */
function sortByReads(specs: readonly UserCollectionSpec[]): UserCollectionSpec[] {
  const byName = new Map(specs.map(spec => [spec.name, spec]));
  const sorted = new Set<UserCollectionSpec>();
  const visit = (spec: UserCollectionSpec, above: readonly string[]): void => {
    if (sorted.has(spec) || above.includes(spec.name)) return;
    for (const name of spec.reads) {
      const read = byName.get(name);
      if (read !== undefined) visit(read, [...above, spec.name]);
    }
    sorted.add(spec);
  };
  for (const spec of specs) visit(spec, []);
  return [...sorted];
}

function inUseRefusal(name: string, readers: string[]): CommandRefused {
  return new CommandRefused({
    code: 'in-use',
    message: `${name} is read by ${readers.join(', ')}`,
    hint: 'change or delete those first',
    readers,
  });
}
