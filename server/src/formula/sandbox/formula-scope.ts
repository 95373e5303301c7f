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
import {CollectionHandle, FilterHandle} from './handles.ts';
import {helpers} from './helpers.ts';

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
  label: (own: unknown) => new FilterHandle(filterLabel(copyLabels(own, 'label'))),
  selects: (own: unknown) => new FilterHandle(filterSelects(copyLabels(own, 'selects'))),
  selectsNonEmpty: (own: unknown) =>
    new FilterHandle(filterSelectsNonEmpty(copyLabels(own, 'selectsNonEmpty'))),
};

/** `guard` wraps tests that the engine may call outside of a run. */
export function createScope(
  names: readonly string[],
  bare: readonly string[],
  environment: FormulaEnvironment,
  guard: (test: (item: unknown) => unknown) => (item: unknown) => boolean,
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
      const guarded = guard(test as (item: unknown) => unknown);
      Object.defineProperty(guarded, 'name', {value: String(test.name || 'function').slice(0, 60)});
      return new FilterHandle(filterGeneric(guarded));
    },
    index: (handle: unknown, path: string, value: unknown) => {
      const index = environment.index(CollectionHandle.open(handle), path);
      return new FilterHandle(filterIndex(index, String(value)));
    },
    collection: (name: string) => handles.get(name),
  };
  for (const word of Object.values(words)) Object.freeze(word);
  return {words: Object.freeze(words), collections: Object.freeze(collections)};
}
