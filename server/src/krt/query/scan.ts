// A query answered once, from the rows as they stand, with nothing recorded: for reads outside a run.

import type {Core} from '../graph/core.ts';
import type {Row} from '../graph/row.ts';
import {type Filter, type Spec, specOf} from './filter.ts';
import {QueryNode} from './query-node.ts';

export function scan(core: Core, filters: readonly Filter[]): unknown[] {
  return scanRows(core, specOf(filters)).map(row => row.value);
}

// The engine's own indexes lag behind the writes of an open batch, so only keys and user indexes narrow it.
export function scanRows(core: Core, spec: Spec): Row[] {
  const query = new QueryNode(core, spec, null);
  const found: Row[] = [];
  for (const row of narrowed(core, spec)) {
    if (row.value !== undefined && query.test(row.key, row.value)) found.push(row);
  }
  return found;
}

function narrowed(core: Core, spec: Spec): Iterable<Row> {
  if (spec.index !== null) return spec.index.bucket(spec.indexKey);
  if (spec.keys === null) return core.rows.values();
  const keys = typeof spec.keys === 'string' ? [spec.keys] : spec.keys;
  return keys.flatMap(key => core.rows.get(key) ?? []);
}
