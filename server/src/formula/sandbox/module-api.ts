// The names that a graph module imports from `krtscope/krt`, over handles. Modules cannot reach the engine through
// them. session/types/module-declarations.ts declares the same names for editors.
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

/** The module's side of these functions. */
export interface ModuleApiHost {
  /** The running formula. Throws if there is none. */
  readonly running: FormulaRunner;
  /** The result of a module's function as data; undefined if it fails outside of a run. */
  callForData(call: () => unknown): unknown;
  add(
    kind: ModuleCollectionPlan['kind'],
    inputs: readonly CollectionHandle[],
    formula: ((ctx: unknown, item: unknown) => unknown) | undefined,
    options: unknown,
    index?: () => Index<unknown, string>,
  ): CollectionHandle;
}

type ModuleFormula = (ctx: unknown, item: unknown) => unknown;
type ModuleLabels = Record<string, string>;

/** Creates an index. Another module or an earlier build may have one of this name, so the name gets a number. */
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

/** An index of a module, created at first use over the collection at that time. */
class IndexHandle {
  readonly #module: ModuleApiHost;
  readonly #over: CollectionHandle;
  readonly #name: string;
  readonly #extract: (item: unknown) => unknown;
  #created: {index: Index<unknown, string>; over: Collection<unknown>} | undefined;

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

  /** One row for each key of the index, with the items that have it: `{key, objects}`. */
  asCollection(options?: unknown): CollectionHandle {
    return this.#module.add('group', [this.#over], undefined, options, () => IndexHandle.open(this));
  }

  static open(handle: unknown): Index<unknown, string> {
    if (typeof handle !== 'object' || handle === null || !(#created in handle))
      throw new TypeError('filterIndex(…) expects an index of newIndex');
    const over = CollectionHandle.open(handle.#over);
    if (handle.#created?.over === over) return handle.#created.index;
    const index = newIndexNamed(over, handle.#name, item => handle.#keysOf(item));
    handle.#created = {index, over};
    return index;
  }

  /** Drops the index, unless it is still used. */
  static close(handle: IndexHandle): void {
    try {
      if (handle.#created !== undefined) dropIndex(handle.#created.index);
    } catch {
      // Its last users go with the next change of their data.
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

/** The frozen names. `indexes` collects every created index, so that they can be dropped with the module. */
export function createModuleApi(module: ModuleApiHost & {indexes?: object[]}): Record<string, unknown> {
  const asCollection = (handle: unknown): CollectionHandle => {
    // Check the class only. The collection is looked up later.
    if (handle instanceof CollectionHandle) return handle;
    throw new TypeError('expected a collection: one of this module, collection(name) or source(resource)');
  };
  const asFunction = (formula: unknown): ModuleFormula | undefined =>
    typeof formula === 'function' ? (formula as ModuleFormula) : undefined;
  const text = (value: unknown, filter: string): string => {
    if (typeof value === 'string') return value;
    throw new TypeError(`${filter}(…) expects a string, got ${typeof value}`);
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
  const api = {
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
      if (typeof extract !== 'function') throw new TypeError('newIndex expects a function: item => [key, …]');
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
          namespace: object.namespace === undefined ? undefined : text(object.namespace, 'filterObjectName'),
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
      if (typeof test !== 'function') throw new TypeError('filterGeneric(…) expects a function: item => …');
      const guarded = module.running.guardTest(test as (item: unknown) => unknown);
      Object.defineProperty(guarded, 'name', {value: String(test.name || 'function').slice(0, 60)});
      return new FilterHandle(filterGeneric(guarded));
    },
  };
  return harden(api);
}
