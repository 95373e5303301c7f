// The scope of a formula: filters, helpers, and the collections in its code.
import {
  type Collection,
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
} from '../../krt/index.ts';
import type {CompiledFormula} from '../compile/formula-compiler.ts';
import {CLOCK} from '../compile/scope-names.ts';
import {CollectionHandle, FilterHandle} from './handles.ts';
import {helpers, namespaceOf, ownerOf} from './helpers.ts';
import {selectorMatches} from './selector.ts';

const MAX_EXPRESSIONS = 50;

type ScopeLabels = Record<string, string>;

/** Resolves the names of a formula. */
export interface FormulaEnvironment {
  /** Undefined if the collection does not exist. */
  collection(name: string): Collection<unknown> | undefined;
  /** The shared index of this collection and path. */
  index(collection: Collection<unknown>, path: string): Index<unknown, string>;
}

export interface FormulaScope {
  readonly words: object;
  readonly collections: object;
  /** The clock, if the code asks for the minute. */
  readonly clock: CollectionHandle | undefined;
}

/** What the scope's functions need from the run of their formula. */
export interface ScopeRunner {
  /** Wraps a test that the engine may call outside of a run. */
  guard(test: (item: unknown) => unknown): (item: unknown) => boolean;
  fetchOne(from: CollectionHandle, filter: FilterHandle): unknown;
}

const requireText = (value: unknown, filter: string): string => {
  if (typeof value === 'string') return value;
  throw new TypeError(
    `${filter}(…) expects a string, got ${value === undefined ? 'undefined' : typeof value}`,
  );
};

// Copy: a filter in the engine must not hold the formula's own object.
const copyLabels = (value: unknown, filter: string): ScopeLabels | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object')
    throw new TypeError(`${filter}(…) expects labels such as {app: 'x'}, got ${typeof value}`);
  // Copy at once and check after: a loop over labels takes three times as long for every row of a cluster.
  const own = {...value} as ScopeLabels;
  for (const name in own) if (typeof own[name] !== 'string') own[name] = String(own[name]);
  return own;
};

/** Labels, or a selector with matchLabels and matchExpressions. */
function labelFilter(own: unknown): FilterHandle {
  const {matchLabels, matchExpressions} = (own ?? {}) as {matchLabels?: unknown; matchExpressions?: unknown};
  const isSelector = typeof matchLabels === 'object' || Array.isArray(matchExpressions);
  if (!isSelector) return new FilterHandle(filterLabel(copyLabels(own, 'label')));
  const labels = filterLabel(copyLabels(matchLabels, 'label'));
  if (!Array.isArray(matchExpressions) || matchExpressions.length === 0) return new FilterHandle(labels);
  if (matchExpressions.length > MAX_EXPRESSIONS)
    throw new TypeError(`label(…) takes at most ${MAX_EXPRESSIONS} matchExpressions`);
  // Copy: a filter in the engine must not hold the formula's own object.
  const expressions = {matchExpressions: JSON.parse(JSON.stringify(matchExpressions)) as unknown[]};
  // An unknown operator must fail the run, and not every later change.
  selectorMatches(expressions, {});
  const meetsExpressions = (item: unknown) => selectorMatches(expressions, labelsOfItem(item));
  Object.defineProperty(meetsExpressions, 'name', {value: 'matchExpressions'});
  return new FilterHandle(labels, filterGeneric(meetsExpressions));
}

const labelsOfItem = (item: unknown): unknown => {
  const {metadata, labels} = (item ?? {}) as {metadata?: {labels?: unknown}; labels?: unknown};
  return metadata?.labels ?? labels;
};

const filters = {
  key: (key: unknown) => new FilterHandle(filterKey(requireText(key, 'key'))),
  keys: (...keys: unknown[]) =>
    new FilterHandle(filterKeys(keys.flat(1).map(key => requireText(key, 'keys')))),
  name: (name: unknown, namespace?: unknown) =>
    new FilterHandle(
      filterObjectName({
        name: requireText(name, 'name'),
        namespace: namespace === undefined ? undefined : requireText(namespace, 'name'),
      }),
    ),
  namespace: (namespace: unknown) => new FilterHandle(filterNamespace(requireText(namespace, 'namespace'))),
  label: (own: unknown) => labelFilter(own),
  selects: (own: unknown) => new FilterHandle(filterSelects(copyLabels(own, 'selects'))),
  selectsNonEmpty: (own: unknown) =>
    new FilterHandle(filterSelectsNonEmpty(copyLabels(own, 'selectsNonEmpty'))),
};

export function createScope(
  {names, bare, params}: Pick<CompiledFormula, 'names' | 'bare' | 'params'>,
  environment: FormulaEnvironment,
  run: ScopeRunner,
): FormulaScope {
  const handles = new Map<string, CollectionHandle>();
  for (const name of names) {
    const collection = environment.collection(name);
    if (collection !== undefined) handles.set(name, new CollectionHandle(collection));
  }
  const collections: Record<string, unknown> = Object.create(null);
  for (const name of bare) collections[name] = handles.get(name);
  const words = {
    ...filters,
    ...helpers,
    generic: (test: unknown) => {
      if (typeof test !== 'function')
        throw new TypeError('generic(…) expects a function: generic(item => …)');
      const guarded = run.guard(test as (item: unknown) => unknown);
      Object.defineProperty(guarded, 'name', {value: String(test.name || 'function').slice(0, 60)});
      return new FilterHandle(filterGeneric(guarded));
    },
    index: (handle: unknown, path: string, value: unknown) => {
      const index = environment.index(CollectionHandle.open(handle), path);
      return new FilterHandle(filterIndex(index, String(value)));
    },
    collection: (name: string) => handles.get(name),
    param: (name: string) => params.find(one => one.name === name)?.value,
    rootOwner: (item: unknown) => rootOwner(item, handles, run),
  };
  for (const word of Object.values(words)) Object.freeze(word);
  return {
    words: Object.freeze(words),
    collections: Object.freeze(collections),
    clock: handles.get(CLOCK),
  };
}

/** Collections whose objects stand between a Pod and the object that a user wrote. */
const ownerCollections: Record<string, string> = {ReplicaSet: 'ReplicaSets', Job: 'Jobs'};

/** Follows owners up as far as the formula can read them. */
function rootOwner(
  item: unknown,
  handles: ReadonlyMap<string, CollectionHandle>,
  run: ScopeRunner,
): {kind: string; name: string} | undefined {
  const owner = ownerOf(item);
  const from = owner && handles.get(ownerCollections[owner.kind] ?? '');
  if (owner === undefined || from === undefined) return owner;
  const found = run.fetchOne(from, new FilterHandle(filterKey(`${namespaceOf(item)}/${owner.name}`)));
  return (found === undefined ? undefined : rootOwner(found, handles, run)) ?? owner;
}
