// The state of a collection and of its edges in numbers, as the graph of the debugger shows them.

import type {CollectionKind} from './collection.ts';

export interface EdgeInfo {
  /** The upstream collection. */
  collection: string;
  uid: number;
  kind: 'input' | 'fetch' | 'index' | 'join';
  /** Distinct filter texts of a fetch edge, at most FILTERS_SHOWN. */
  filters: string[];
  /** How many fetches hold a fetch edge; 1 for the others. */
  fetches: number;
}

export interface CollectionInfo {
  name: string;
  uid: number;
  kind: CollectionKind;
  size: number;
  synced: boolean;
  waitingFor?: string;
  inputs: EdgeInfo[];
  /** Runs of its formula or merge so far. */
  runs: number;
  /** Inputs whose last run failed; of a map, a merge or an index, rows that could not be made. */
  failed: number;
}
