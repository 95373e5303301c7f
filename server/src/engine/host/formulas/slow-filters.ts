// Makes the filters of a fetch again that another process has made, from their descriptions.
import {
  type Clause,
  type Collection,
  type Filter,
  filterGeneric,
  filterIndex,
  filterKeys,
  filterLabel,
  filterNamespace,
  filterSelects,
  filterSelectsNonEmpty,
  type Index,
  keyOf,
} from '../../../krt/index.ts';

export interface SlowFetchEnvironment {
  collection(name: string): Collection<unknown> | undefined;
  index(collection: Collection<unknown>, path: string): Index<unknown, string>;
}

/**
 * Undefined for a clause that matches everything. A user's test stays in its process, so it matches the keys that it
 * matched there. The other process notices the rows that begin to match.
 */
export function slowFilterOf(
  clause: Clause,
  collection: Collection<unknown>,
  matched: readonly string[],
  environment: SlowFetchEnvironment,
): Filter | undefined {
  switch (clause.kind) {
    case 'all':
      return undefined;
    case 'keys':
      return filterKeys(clause.keys);
    case 'namespace':
      return filterNamespace(clause.namespace);
    case 'labels':
      return filterLabel(clause.labels);
    case 'selects':
      return (clause.nonEmpty ? filterSelectsNonEmpty : filterSelects)(clause.labels);
    case 'index':
      return filterIndex(environment.index(collection, clause.index), clause.value);
    case 'generic': {
      const keys = new Set(matched);
      const test = (item: unknown) => keys.has(keyOf(item, collection));
      Object.defineProperty(test, 'name', {value: clause.name});
      return filterGeneric(test);
    }
  }
}
