// Computes all rows of given objects with a fresh engine. Does not use explain/, recordings or the running
// graph.

import {buildShippedGraph} from '../../src/graph/shipped-graph.ts';
import {
  type Collection,
  collectionByName,
  createEngine,
  keyOf,
  newStaticCollection,
  outline,
} from '../../src/krt/index.ts';
import {sourceNames} from './sources.ts';

export type Objects = ReadonlyMap<string, ReadonlyMap<string, object>>;
/** Rows by collection and key. */
export type Rows = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

export function rowsOf(objects: Objects): Rows {
  const engine = createEngine({checks: 'off'});
  const sources = new Map<string, Collection<unknown>>();
  engine.batch(() => {
    for (const name of sourceNames)
      sources.set(
        name,
        newStaticCollection<unknown>(engine, [...(objects.get(name)?.values() ?? [])], {name}),
      );
    buildShippedGraph(engine, name => sources.get(name) as Collection<unknown>);
  });
  const rows = new Map<string, Map<string, unknown>>();
  for (const {name} of outline(engine)) {
    if (sources.has(name)) continue;
    const collection = collectionByName(engine, name) as Collection<unknown>;
    rows.set(name, new Map(collection.list().map(item => [keyOf(item, collection), item])));
  }
  return rows;
}

/** Equal values have equal texts. */
export function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  );
}
