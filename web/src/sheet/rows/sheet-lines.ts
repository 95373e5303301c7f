// The sheet's lines by position: group headers, rows and their further items. Pure.
import type {Cell, Sheet, SheetGroup, SheetRow} from '@krtscope/shared/sheet.ts';

export type SheetLineData =
  | {kind: 'group'; group: SheetGroup; folded: boolean}
  | {kind: 'row'; row: SheetRow /** 0 is the row's own line, more are spilled children. */; child: number};

/** Loaded lines by number. The grid draws a missing line as waiting. */
export function linesOf(
  rows: readonly SheetRow[],
  groups: readonly SheetGroup[] | undefined,
  folded: ReadonlySet<string>,
): Map<number, SheetLineData> {
  const lines = new Map<number, SheetLineData>();
  for (const group of groups ?? [])
    lines.set(group.offset, {kind: 'group', group, folded: folded.has(group.name)});
  for (const row of rows) {
    for (let child = 0; child < row.lines; child++) lines.set(row.line + child, {kind: 'row', row, child});
  }
  return lines;
}

/**
 * On a narrow sheet a row gets only the lines that the drawn collections need; further items become a count.
 * Only a fully loaded sheet can be folded this way.
 */
export function foldSpills(sheet: Sheet, drawn: readonly string[] = []): Sheet {
  if (sheet.groups !== undefined || sheet.rows.length !== sheet.total) return sheet;
  let line = 0;
  const rows = sheet.rows.map(row => {
    const lines = Math.max(1, ...drawn.map(name => row.cells[name]?.length ?? 0));
    line += lines;
    return {...row, line: line - lines, lines};
  });
  return {...sheet, rows, lines: line};
}

/** The window to query around the visible lines: three screens each way, in steps, within the limit. */
export function windowFor(
  first: number,
  count: number,
  total: number,
  limit: number,
): {offset: number; count: number} {
  const screen = Math.max(10, count);
  const step = Math.max(20, screen);
  const size = Math.min(limit, Math.ceil((screen * 8) / step) * step);
  const start = Math.max(0, Math.floor((first - screen * 3) / step) * step);
  return {offset: Math.min(start, Math.max(0, total - size)), count: size};
}

interface CellPosition {
  line: number;
  cell: Cell;
  row: SheetRow;
}

/** An item's position among the loaded rows. */
export function findCell(
  rows: readonly SheetRow[],
  collection: string,
  key: string,
): CellPosition | undefined {
  for (const row of rows) {
    const position = row.cells[collection]?.findIndex(cell => cell.key === key) ?? -1;
    const cell = row.cells[collection]?.[position];
    if (cell) return {line: row.line + Math.min(position, row.lines - 1), cell, row};
  }
  return undefined;
}

/** The item to ask about for an empty cell: the nearest one to its left, which was its input. */
export function inputKeyOf(row: SheetRow, collections: readonly string[], collection: string): string {
  const at = collections.indexOf(collection);
  for (let i = at - 1; i >= 0; i--) {
    const cell = row.cells[collections[i]!]?.[0];
    if (cell) return cell.key;
  }
  return row.key;
}

/** Whether this is the row's first empty cell. Cells to its right are empty because of it. */
export function isFirstEmpty(
  row: SheetRow,
  inputs: ReadonlyMap<string, string>,
  collection: string,
): boolean {
  if ((row.cells[collection] ?? []).length > 0) return false;
  const input = inputs.get(collection);
  return input === undefined || !(input in row.cells) || (row.cells[input] ?? []).length > 0;
}

/** A selection's position: its item, or the empty cell of an input without output. */
export function findSelection(
  rows: readonly SheetRow[],
  collections: readonly string[],
  collection: string,
  key: string,
): {line: number; row: SheetRow; cell?: Cell} | undefined {
  const found = findCell(rows, collection, key);
  if (found) return found;
  const row = rows.find(
    one => (one.cells[collection] ?? []).length === 0 && inputKeyOf(one, collections, collection) === key,
  );
  return row && collections.includes(collection) ? {line: row.line, row} : undefined;
}

/** One step along primary inputs within the row. Needs no answer from the server. */
export function rowNeighbours(
  row: SheetRow,
  inputs: ReadonlyMap<string, string>,
  collections: readonly string[],
  collection: string,
): {up?: {collection: string; key: string}; down?: {collection: string; key: string}} {
  const at = (name: string | undefined) => {
    const cell = name === undefined ? undefined : row.cells[name]?.[0];
    return cell && name !== undefined ? {collection: name, key: cell.key} : undefined;
  };
  const up = at(inputs.get(collection));
  const down = collections
    .map(name => (inputs.get(name) === collection ? at(name) : undefined))
    .find(Boolean);
  return {up, down};
}
