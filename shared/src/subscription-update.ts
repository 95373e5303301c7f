// Folds a subscription's updates into the answer they describe: the page and the server's late joiners both need it.
import type {Graph} from './graph.ts';
import type {Item} from './items.ts';
import type {RunRecord} from './run.ts';
import type {CollectionWindow, Sheet, SheetRow} from './sheet.ts';
import type {Update} from './stream.ts';

/** How many runs a trace subscription keeps on the receiving side. */
export const TRACE_LIMIT = 500;

type TopicSnapshot = Extract<Update, {snapshot: unknown}>;

/**
 * The update that stands for everything seen so far: a snapshot replaces it, a delta changes it. Never mutates
 * its arguments. A delta without a snapshot before it cannot be folded and gives undefined: ask for a new snapshot.
 */
export function foldUpdate(before: TopicSnapshot | undefined, update: Update): TopicSnapshot | undefined {
  if ('snapshot' in update) return update;
  if (before === undefined || before.topic !== update.topic) return undefined;
  if (update.topic === 'graph' && before.topic === 'graph') {
    return {...before, id: update.id, snapshot: foldGraph(before.snapshot, update.delta.collections)};
  }
  if (update.topic === 'window' && before.topic === 'window') {
    const {total, of, rows, order} = update.delta;
    const folded: CollectionWindow = {
      ...before.snapshot,
      total,
      of,
      rows: foldRows(before.snapshot.rows, rows, order),
    };
    return {...before, id: update.id, snapshot: folded};
  }
  if (update.topic === 'sheet' && before.topic === 'sheet') {
    const {total, of, lines, rows, order} = update.delta;
    const folded: Sheet = {
      ...before.snapshot,
      total,
      of,
      lines,
      rows: foldRows(before.snapshot.rows, rows, order),
    };
    return {...before, id: update.id, snapshot: folded};
  }
  if (update.topic === 'trace' && before.topic === 'trace') {
    // A snapshot tells the newest first, a delta the oldest: cut as they come, the newest of the snapshot would go.
    const runs = [...before.snapshot.runs, ...update.delta.runs].sort(compareRunTimes).slice(-TRACE_LIMIT);
    return {...before, id: update.id, snapshot: {...before.snapshot, runs}};
  }
  return undefined;
}

function compareRunTimes(a: RunRecord, b: RunRecord): number {
  return a.sequence - b.sequence || runPlaceOf(a) - runPlaceOf(b);
}

/** Of a run in its batch. */
function runPlaceOf({id}: RunRecord): number {
  return Number(id.slice(id.indexOf('.') + 1));
}

function foldGraph(graph: Graph, changed: Graph['collections']): Graph {
  const news = new Map(changed.map(collection => [collection.name, collection]));
  return {
    ...graph,
    collections: graph.collections.map(collection => news.get(collection.name) ?? collection),
  };
}

function foldRows<R extends Item | SheetRow>(rows: R[], changed: R[], order: string[] | undefined): R[] {
  const byKey = new Map(changed.map(row => [row.key, row]));
  if (order === undefined) return rows.map(row => byKey.get(row.key) ?? row);
  for (const row of rows) if (!byKey.has(row.key)) byKey.set(row.key, row);
  return order.flatMap(key => byKey.get(key) ?? []);
}

/** Two updates of one subscription as one: what a slow frame sends instead of both. */
export function joinUpdates(first: Update, second: Update): Update {
  if ('snapshot' in second || first.topic !== second.topic) return second;
  if ('snapshot' in first) return foldUpdate(first, second) ?? second;
  if (first.topic === 'graph' && second.topic === 'graph') {
    const byName = new Map([...first.delta.collections, ...second.delta.collections].map(c => [c.name, c]));
    return {
      ...second,
      delta: {
        collections: [...byName.values()],
        pulses: [...first.delta.pulses, ...second.delta.pulses],
        skipped: first.delta.skipped + second.delta.skipped,
      },
    };
  }
  if (first.topic === 'window' && second.topic === 'window') {
    const byKey = new Map([...first.delta.rows, ...second.delta.rows].map(row => [row.key, row]));
    return {
      ...second,
      delta: {...second.delta, rows: [...byKey.values()], order: second.delta.order ?? first.delta.order},
    };
  }
  if (first.topic === 'sheet' && second.topic === 'sheet') {
    const byKey = new Map([...first.delta.rows, ...second.delta.rows].map(row => [row.key, row]));
    return {
      ...second,
      delta: {...second.delta, rows: [...byKey.values()], order: second.delta.order ?? first.delta.order},
    };
  }
  if (first.topic === 'trace' && second.topic === 'trace') {
    return {
      ...second,
      delta: {
        runs: [...first.delta.runs, ...second.delta.runs].slice(-TRACE_LIMIT),
        skipped: first.delta.skipped + second.delta.skipped,
      },
    };
  }
  return second;
}
