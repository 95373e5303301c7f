// The answer to a query from the rows as their collection shows them, with nothing recorded: for reads outside a run.

import type {Core} from '../graph/core.ts';
import type {Row} from '../graph/row.ts';
import {Attributes} from './attributes.ts';
import {type Filter, type Spec, specFor} from './filter.ts';
import {QueryNode} from './query-node.ts';

// The engine's own indexes lag behind the writes of an open batch, so only keys and user indexes narrow it.
export function scan(core: Core, filters: readonly Filter[]): unknown[] {
  const spec = specFor(core, filters).keep();
  // A filter that wrote would never see the end of the rows.
  return core.engine.ask(() => matching(core, spec));
}

function matching(core: Core, spec: Spec): unknown[] {
  const query = new QueryNode(core, spec);
  const found: unknown[] = [];
  for (const row of narrowed(core, spec)) {
    const item = core.shown(row);
    if (item === undefined) continue;
    const attributes = row.dirty ? new Attributes(core, row.key, item) : core.attributesOf(row);
    if (query.test(row.key, attributes)) found.push(item);
  }
  return found;
}

function narrowed(core: Core, spec: Spec): Iterable<Row> {
  if (spec.index !== null) return spec.index.bucket(spec.indexKey);
  if (spec.keys === null) return core.rows.values();
  const keys = typeof spec.keys === 'string' ? [spec.keys] : spec.keys;
  return keys.flatMap(key => core.rows.get(key) ?? []);
}
