// What a graph module imports from `krtscope/krt`: the engine's public names, over handles. Nothing of the engine itself
// can be reached from them. session/types/module-declarations.ts declares the same names for editors.
import {
  type Collection,
  dropIndex,
  EngineError,
  filterGeneric,
  filterIndex,
  filterKey,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterObjectName,
  filterSelects,
  filterSelectsNonEmpty,
  type Index,
  newIndex,
} from '../../krt/index.ts';
import type {FormulaRunner} from './formula-runner.ts';
import {CollectionHandle, FilterHandle} from './handles.ts';
import type {ModuleCollectionPlan} from './sandboxed-module.ts';

/** What the names need of the module that uses them. */
export interface ModuleApiHost {
  /** The formula that is under way. Throws when none is. */
  readonly running: FormulaRunner;
  /** What a function of the module's says, as data; undefined where it fails outside of a run. */
  callForData(call: () => unknown): unknown;
  add(
    kind: ModuleCollectionPlan['kind'],
    inputs: readonly CollectionHandle[],
    formula: ((ctx: unknown, item: unknown) => unknown) | undefined,
    options: unknown,
  ): CollectionHandle;
}

type ModuleFormula = (ctx: unknown, item: unknown) => unknown;
type ModuleLabels = Record<string, string>;

/**
 * Another module, or the build before, may have an index of this name over the same collection: then this is the second.
 */
function newIndexNamed(
  over: Collection<unknown>,
  name: string,
  extract: (item: unknown) => string[],
): Index<unknown, string> {
  for (let n = 1; ; n++) {
    try {
      return newIndex(over, n === 1 ? name : `${name}#${n}`, extract);
    } catch (error) {
      if (!(error instanceof EngineError && error.code === 'index-name')) throw error;
    }
  }
}

/** An index of a module: made when it is first asked, over the collection that there is then. */
class IndexHandle {
  readonly #module: ModuleApiHost;
  readonly #over: CollectionHandle;
  readonly #name: string;
  readonly #extract: (item: unknown) => unknown;
  #made: {index: Index<unknown, string>; over: Collection<unknown>} | undefined;

  constructor(
    module: ModuleApiHost,
    over: CollectionHandle,
    name: string,
    extract: (item: unknown) => unknown,
  ) {
    this.#module = module;
    this.#over = over;
    this.#name = name;
    this.#extract = extract;
    Object.freeze(this);
  }

  static open(handle: unknown): Index<unknown, string> {
    if (typeof handle !== 'object' || handle === null || !(#made in handle))
      throw new TypeError('filterIndex(…) takes an index that newIndex made');
    const over = CollectionHandle.open(handle.#over);
    if (handle.#made?.over === over) return handle.#made.index;
    const index = newIndexNamed(over, handle.#name, item => handle.#keysOf(item));
    handle.#made = {index, over};
    return index;
  }

  /** Not needed any more; one that somebody still uses stays. */
  static close(handle: IndexHandle): void {
    try {
      if (handle.#made !== undefined) dropIndex(handle.#made.index);
    } catch {
      // Its last users are gone with the next change of what they read.
    }
  }

  #keysOf(item: unknown): string[] {
    const keys = this.#module.callForData(() => this.#extract(item));
    return Array.isArray(keys) ? keys.filter(key => typeof key === 'string') : [];
  }
}
Reflect.deleteProperty(IndexHandle.prototype, 'constructor');
Object.freeze(IndexHandle.prototype);

export const closeIndex = (handle: object): void => IndexHandle.close(handle as IndexHandle);

/** The names, hardened. `indexes` gets every index that is made, for who takes the module away. */
export function createModuleApi(module: ModuleApiHost & {indexes?: object[]}): Record<string, unknown> {
  const asCollection = (handle: unknown): CollectionHandle => {
    // Throws what is no collection, and does not look for it yet.
    if (handle instanceof CollectionHandle) return handle;
    throw new TypeError('expected a collection: one of this module, collection(name) or source(resource)');
  };
  const asFunction = (formula: unknown): ModuleFormula | undefined =>
    typeof formula === 'function' ? (formula as ModuleFormula) : undefined;
  const text = (value: unknown, filter: string): string => {
    if (typeof value === 'string') return value;
    throw new TypeError(`${filter}(…) takes a text, not ${typeof value}`);
  };
  const labels = (value: unknown): ModuleLabels | undefined => {
    if (value === undefined || value === null) return undefined;
    return Object.fromEntries(Object.entries(value as ModuleLabels).map(([key, one]) => [key, String(one)]));
  };
  const withStatus = (kind: 'status' | 'status-many', input: unknown, formula: unknown, options: unknown) => {
    const outputs = module.add(kind, [asCollection(input)], asFunction(formula), options);
    const statuses = module.add('status-rows', [outputs], undefined, {name: `${outputs.name}/status`});
    return [statuses, outputs];
  };
  const face = {
    newCollection: (input: unknown, formula: unknown, options?: unknown) =>
      module.add('one', [asCollection(input)], asFunction(formula), options),
    newManyCollection: (input: unknown, formula: unknown, options?: unknown) =>
      module.add('many', [asCollection(input)], asFunction(formula), options),
    newSingleton: (_engine: unknown, formula: unknown, options?: unknown) =>
      module.add('singleton', [], asFunction(formula), options),
    newManyFromNothing: (_engine: unknown, formula: unknown, options?: unknown) =>
      module.add('from-nothing', [], asFunction(formula), options),
    newStatusCollection: (input: unknown, formula: unknown, options?: unknown) =>
      withStatus('status', input, formula, options),
    newStatusManyCollection: (input: unknown, formula: unknown, options?: unknown) =>
      withStatus('status-many', input, formula, options),
    joinCollection: (collections: Iterable<unknown>, options?: unknown) =>
      module.add('join', [...collections].map(asCollection), undefined, options),
    joinWithMergeCollection: (collections: Iterable<unknown>, merge: unknown, options?: unknown) =>
      module.add('merge', [...collections].map(asCollection), asFunction(merge), options),
    mapCollection: (input: unknown, project: unknown, options?: unknown) =>
      module.add('map', [asCollection(input)], asFunction(project), options),
    newIndex: (over: unknown, name: unknown, extract: unknown) => {
      if (typeof extract !== 'function') throw new TypeError('newIndex takes a function: item => [key, …]');
      const handle = new IndexHandle(module, asCollection(over), text(name, 'newIndex'), extract as never);
      module.indexes?.push(handle);
      return handle;
    },
    fetch: (_ctx: unknown, from: unknown, ...filters: unknown[]) => module.running.fetch(from, filters),
    fetchOne: (_ctx: unknown, from: unknown, ...filters: unknown[]) => module.running.fetchOne(from, filters),
    filterKey: (key: unknown) => new FilterHandle(filterKey(text(key, 'filterKey'))),
    filterKeys: (keys: Iterable<unknown>) =>
      new FilterHandle(filterKeys([...keys].map(key => text(key, 'filterKeys')))),
    filterObjectName: (object: {name?: unknown; namespace?: unknown}) =>
      new FilterHandle(
        filterObjectName({
          name: text(object?.name, 'filterObjectName'),
          ...(object.namespace === undefined ? {} : {namespace: text(object.namespace, 'filterObjectName')}),
        }),
      ),
    filterNamespace: (namespace: unknown) =>
      new FilterHandle(filterNamespace(text(namespace, 'filterNamespace'))),
    filterLabel: (own: unknown) => new FilterHandle(filterLabel(labels(own))),
    filterSelects: (own: unknown) => new FilterHandle(filterSelects(labels(own))),
    filterSelectsNonEmpty: (own: unknown) => new FilterHandle(filterSelectsNonEmpty(labels(own))),
    filterIndex: (index: unknown, value: unknown) =>
      new FilterHandle(filterIndex(IndexHandle.open(index), String(value))),
    filterGeneric: (test: unknown) => {
      if (typeof test !== 'function') throw new TypeError('filterGeneric(…) takes a function: item => …');
      const guarded = module.running.guardTest(test as (item: unknown) => unknown);
      Object.defineProperty(guarded, 'name', {value: String(test.name || 'function').slice(0, 60)});
      return new FilterHandle(filterGeneric(guarded));
    },
  };
  return harden(face);
}
