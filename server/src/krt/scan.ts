// A query answered once, from the rows as they stand, with nothing recorded: for reads outside a run.

import type {Core} from './core.ts';
import {type Filter, type Spec, specOf} from './filter.ts';
import {QueryNode} from './query.ts';

export function scan(core: Core, filters: readonly Filter[]): unknown[] {
  return scanSpec(core, specOf(filters));
}

export function scanSpec(core: Core, spec: Spec): unknown[] {
  const query = new QueryNode(core, spec, null);
  const found: unknown[] = [];
  for (const row of core.rows.values()) {
    if (row.value !== undefined && query.test(row.key, row.value)) found.push(row.value);
  }
  return found;
}
