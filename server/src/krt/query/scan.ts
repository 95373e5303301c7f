// Answers a query outside a run from the visible rows, and records nothing.

import type {Row} from '../containers/row.ts';
import type {QueriedCollection} from './collection-queries.ts';
import {type Filter, type QuerySpec, querySpecFor} from './filter.ts';
import {ItemAttributes} from './item-attributes.ts';
import {QueryNode} from './query-node.ts';

/** A collection as far as a scan needs it. */
interface ScannedCollection extends QueriedCollection {
  readonly engine: QueriedCollection['engine'] & {callUserFunction<R>(f: () => R): R};
  visibleItem(row: Row): unknown;
}

// Only keys and user indexes narrow the scan: the other indexes lag behind the writes of an open batch.
export function scanRows(core: ScannedCollection, filters: readonly Filter[]): unknown[] {
  const spec = querySpecFor(core, filters).copyValues();
  // Writes are refused: a filter that adds rows would never end the scan.
  return core.engine.callUserFunction(() => matchingItems(core, spec));
}

function matchingItems(core: ScannedCollection, spec: QuerySpec): unknown[] {
  const query = new QueryNode(core, spec);
  const found: unknown[] = [];
  for (const row of narrowedRows(core, spec)) {
    const item = core.visibleItem(row);
    if (item === undefined) continue;
    const attributes = row.dirty ? new ItemAttributes(core, row.key, item) : core.attributesOf(row);
    if (query.test(row.key, attributes)) found.push(item);
  }
  return found;
}

function narrowedRows(core: ScannedCollection, spec: QuerySpec): Iterable<Row> {
  if (spec.index !== null) return spec.index.bucket(spec.indexKey);
  if (spec.keys === null) return core.rows.values();
  const keys = typeof spec.keys === 'string' ? [spec.keys] : spec.keys;
  return keys.flatMap(key => core.rows.get(key) ?? []);
}
