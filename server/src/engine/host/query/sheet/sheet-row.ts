// One row of the sheet: the root's item and the cells of every column, each on its own lines.
import type {Cell, SheetRow} from '@krtscope/shared/sheet.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import {changedPaths} from '../../../../explain/evidence/diff.ts';
import type {Records} from '../../../../explain/records.ts';
import {pickFields} from '../graph/column-fields.ts';
import {type PlannedColumn, type SheetPlan, stepKeys} from './sheet-plan.ts';

/** The number of lines of a row: that of its widest path downwards. */
export function countLines(records: Records, plan: SheetPlan, key: string, at?: number, place = 0): number {
  const column = plan.columns[place]!;
  let most = 1;
  for (const child of column.children) {
    const next = plan.columns[child]!;
    if (!next.spills) continue;
    let lines = 0;
    for (const inner of stepKeys(records, plan, next, key, at))
      lines += countLines(records, plan, inner, at, child);
    if (lines > most) most = lines;
  }
  return most;
}

/** All cells of a row, column by column, for filters. */
export function* cellsOf(
  records: Records,
  plan: SheetPlan,
  key: string,
  at?: number,
  place = 0,
): Generator<{column: PlannedColumn; key: string}> {
  yield {column: plan.columns[place]!, key};
  for (const child of plan.columns[place]!.children) {
    for (const inner of stepKeys(records, plan, plan.columns[child]!, key, at))
      yield* cellsOf(records, plan, inner, at, child);
  }
}

/** A cell of an index column shows only its own item, because the index row changes with every other item, too. */
function indexCell(
  records: Records,
  parent: {collection: string; key: string},
  column: PlannedColumn,
  key: string,
  at?: number,
): Cell {
  const facts = records.row(parent.collection, parent.key, at);
  return {
    key,
    outcome: facts?.outcome ?? 'added',
    sequence: facts?.sequence ?? 0,
    at: Math.round(facts?.at ?? 0),
    fields: pickFields({key}, column.fields),
    changed: [],
  };
}

function cellOf(records: Records, column: PlannedColumn, key: string, at?: number): Cell {
  const facts = records.row(column.collection, key, at);
  const change = records.lastChange(column.collection, key, at);
  const cell: Cell = {
    key,
    outcome: facts?.outcome ?? 'added',
    sequence: facts?.sequence ?? 0,
    at: Math.round(facts?.at ?? 0),
    fields: pickFields(records.value(column.collection, key, at), column.fields),
    changed: change?.event === 'update' ? changedPaths(change.old, change.new, 20).map(c => c.path) : [],
  };
  if (facts?.stale) cell.stale = true;
  if (facts?.conflict && facts.conflict.length > 0) cell.conflict = true;
  if (facts?.outcome === 'failed') {
    const input = records.inputsOf(column.collection, key, at)[0];
    const error = input === undefined ? undefined : records.lastRun(column.collection, input, at)?.error;
    if (error !== undefined) cell.error = error;
  }
  return cell;
}

/** The outcome of an input's last run that left no cell. */
function emptyOutcome(
  records: Records,
  collection: string,
  input: string,
  at?: number,
): RunOutcome | undefined {
  return records.row(collection, input, at)?.outcome ?? records.lastRun(collection, input, at)?.outcome;
}

export function sheetRowOf(records: Records, plan: SheetPlan, key: string, at?: number): SheetRow {
  const cells: Record<string, Cell[]> = {};
  const empty: Record<string, RunOutcome> = {};
  for (const place of plan.shown) cells[plan.columns[place]!.collection] = [];
  const shown = new Set(plan.shown);
  const lay = (place: number, inner: string, line: number, from: string): number => {
    const column = plan.columns[place]!;
    let most = 1;
    for (const child of column.children) {
      const next = plan.columns[child]!;
      const keys = stepKeys(records, plan, next, inner, at);
      let lines = 0;
      for (const one of keys) lines += lay(child, one, line + lines, inner);
      if (lines > most) most = lines;
      if (keys.length === 0 && next.way === 'down' && shown.has(child)) {
        const outcome = emptyOutcome(records, next.collection, inner, at);
        if (outcome) empty[next.collection] = outcome;
      }
    }
    if (shown.has(place)) {
      const parent = plan.columns[column.parent];
      const cell =
        column.kind === 'index' && parent
          ? indexCell(records, {collection: parent.collection, key: from}, column, inner, at)
          : cellOf(records, column, inner, at);
      cells[column.collection]!.push({...cell, line, lines: most});
    }
    return most;
  };
  const lines = lay(0, key, 0, key);
  // Children are placed before their parent's height is known. The page expects each column from the top.
  for (const list of Object.values(cells)) list.sort((a, b) => a.line! - b.line!);
  return {key, line: 0, lines, cells, ...(Object.keys(empty).length > 0 ? {empty} : {})};
}
