// Folds one update into the answer that is held: snapshots replace, deltas merge by key. Pure.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Run} from '@krtscope/shared/run.ts';
import type {Sheet, Window} from '@krtscope/shared/sheet.ts';
import type {Update} from '@krtscope/shared/stream.ts';

/** A trace that grows without end would take the tab's memory with it. */
export const keptRuns = 2000;

/** The next answer, or undefined when a delta has nothing to build on. */
export function reduce(held: unknown, update: Update): unknown {
  if ('snapshot' in update) return update.snapshot;
  if (held === undefined) return undefined;
  switch (update.topic) {
    case 'graph':
      return mergeGraph(held as Graph, update.delta.collections);
    case 'window':
      return mergeWindow(held as Window, update.delta);
    case 'sheet':
      return mergeSheet(held as Sheet, update.delta);
    case 'trace':
      return {runs: [...(held as {runs: Run[]}).runs, ...update.delta.runs].slice(-keptRuns)};
  }
}

function mergeGraph(held: Graph, changed: Graph['collections']): Graph {
  if (changed.length === 0) return held;
  const news = new Map(changed.map(one => [one.name, one]));
  const collections = held.collections.map(one => {
    const next = news.get(one.name);
    news.delete(one.name);
    return next ?? one;
  });
  const sequence = Math.max(held.sequence, ...changed.map(one => one.last?.sequence ?? 0));
  return {...held, sequence, collections: [...collections, ...news.values()]};
}

/** Rows by key in the order given; without an order the rows stay where they are and change in place. */
function mergeRows<R extends {key: string}>(held: R[], changed: R[], order: string[] | undefined): R[] {
  const byKey = new Map(held.map(row => [row.key, row]));
  for (const row of changed) byKey.set(row.key, row);
  if (order === undefined) return held.map(row => byKey.get(row.key) ?? row);
  return order.flatMap(key => byKey.get(key) ?? []);
}

function mergeWindow(
  held: Window,
  delta: {total: number; of: number; rows: Window['rows']; order?: string[]},
): Window {
  return {...held, total: delta.total, of: delta.of, rows: mergeRows(held.rows, delta.rows, delta.order)};
}

function mergeSheet(
  held: Sheet,
  delta: {total: number; of: number; lines: number; rows: Sheet['rows']; order?: string[]},
): Sheet {
  const {total, of, lines} = delta;
  return {...held, total, of, lines, rows: mergeRows(held.rows, delta.rows, delta.order)};
}
