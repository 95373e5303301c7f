// Applies a subscription's updates to its answer, for the page and for late joiners on the server.
import type {Graph} from './graph.ts';
import type {Item} from './items.ts';
import type {RunRecord} from './run.ts';
import type {CollectionWindow, Sheet, SheetRow} from './sheet.ts';
import type {Update} from './stream.ts';

/** Most runs in the state of a trace subscription. */
export const TRACE_LIMIT = 500;

type TopicSnapshot = Extract<Update, {snapshot: unknown}>;

/**
 * The state after an update: a snapshot replaces it, a delta changes it. Never mutates its arguments.
 * Returns undefined for a delta without a snapshot: request a new snapshot then.
 */
export function foldUpdate(state: TopicSnapshot | undefined, update: Update): TopicSnapshot | undefined {
  if ('snapshot' in update) return update;
  if (state === undefined || state.topic !== update.topic) return undefined;
  if (update.topic === 'graph' && state.topic === 'graph') {
    return {...state, id: update.id, snapshot: foldGraph(state.snapshot, update.delta.collections)};
  }
  if (update.topic === 'window' && state.topic === 'window') {
    const {total, of, rows, order} = update.delta;
    const folded: CollectionWindow = {
      ...state.snapshot,
      total,
      of,
      rows: foldRows(state.snapshot.rows, rows, order),
    };
    return {...state, id: update.id, snapshot: folded};
  }
  if (update.topic === 'sheet' && state.topic === 'sheet') {
    const {total, of, lines, rows, order} = update.delta;
    const folded: Sheet = {
      ...state.snapshot,
      total,
      of,
      lines,
      rows: foldRows(state.snapshot.rows, rows, order),
    };
    return {...state, id: update.id, snapshot: folded};
  }
  if (update.topic === 'trace' && state.topic === 'trace') {
    // Sort first: a snapshot has the newest first, a delta the oldest. Otherwise the newest would be cut.
    const runs = [...state.snapshot.runs, ...update.delta.runs].sort(compareRunTimes).slice(-TRACE_LIMIT);
    return {...state, id: update.id, snapshot: {...state.snapshot, runs}};
  }
  return undefined;
}

function compareRunTimes(a: RunRecord, b: RunRecord): number {
  return a.sequence - b.sequence || runPositionOf(a) - runPositionOf(b);
}

/** The position of a run in its batch. */
function runPositionOf({id}: RunRecord): number {
  return Number(id.slice(id.indexOf('.') + 1));
}

function foldGraph(graph: Graph, changed: Graph['collections']): Graph {
  const byName = new Map(changed.map(collection => [collection.name, collection]));
  return {
    ...graph,
    collections: graph.collections.map(collection => byName.get(collection.name) ?? collection),
  };
}

function foldRows<R extends Item | SheetRow>(rows: R[], changed: R[], order: string[] | undefined): R[] {
  const byKey = new Map(changed.map(row => [row.key, row]));
  if (order === undefined) return rows.map(row => byKey.get(row.key) ?? row);
  for (const row of rows) if (!byKey.has(row.key)) byKey.set(row.key, row);
  return order.flatMap(key => byKey.get(key) ?? []);
}

/** Joins two updates of one subscription, for slow sockets. */
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
