// Keeps rows in place while the server's order moves on. Changes land in place; new rows wait behind a pill. Pure.
import type {Sheet, SheetRow} from '@krtscope/shared/sheet.ts';

export interface LiveRows {
  /** The sheet on screen. */
  sheet: Sheet;
  /** The newest answer, if its order differs. */
  newest: Sheet;
  /** Rows added and removed since the sheet last adopted the server's order. */
  added: number;
  gone: ReadonlySet<string>;
}

/** Matching rows and all rows, both from one answer: counts of two answers once read "44 of 43 rows". */
export function rowCounts(current: LiveRows): {total: number; of: number} {
  return {total: current.newest.total, of: current.newest.of};
}

export function openRows(sheet: Sheet): LiveRows {
  return {sheet, newest: sheet, added: 0, gone: new Set()};
}

/** Merges a newer answer to the same query. Rows keep their order; a removed row stays, marked. */
export function followRows(current: LiveRows, newest: Sheet): LiveRows {
  if (newest === current.newest) return current;
  // An empty list adopts the answer at once. Behind the pill, all rows would look filtered out.
  if (current.sheet.rows.length === 0) return openRows(newest);
  const news = new Map(newest.rows.map(row => [row.key, row]));
  const same =
    current.sheet.rows.length === newest.rows.length &&
    current.sheet.rows.every((row, i) => row.key === newest.rows[i]!.key) &&
    current.added === 0 &&
    current.gone.size === 0;
  if (same) return openRows(newest);
  const shown = new Set(current.sheet.rows.map(row => row.key));
  const gone = new Set(current.sheet.rows.filter(row => !news.has(row.key)).map(row => row.key));
  const rows = shiftRows(
    current.sheet.rows.map(row => news.get(row.key) ?? row),
    current.sheet.rows,
  );
  const inWindow = newest.rows.filter(row => !shown.has(row.key)).length;
  // Rows may leave or enter only because the window moved, so compare the totals.
  const added = Math.max(0, Math.min(inWindow, inWindow + newest.total - current.sheet.total + gone.size));
  if (added === 0 && gone.size === 0) return openRows(newest);
  const grown = rows.reduce((sum, row) => sum + row.lines, 0) - lineCount(current.sheet.rows);
  return {
    sheet: {...current.sheet, rows, lines: current.sheet.lines + grown, of: newest.of, reads: newest.reads},
    newest,
    added,
    gone,
  };
}

function lineCount(rows: readonly SheetRow[]): number {
  return rows.reduce((sum, row) => sum + row.lines, 0);
}

/** Moves the rows below a row that grew; gaps for group headers stay. */
function shiftRows(rows: readonly SheetRow[], before: readonly SheetRow[]): SheetRow[] {
  let shift = 0;
  return rows.map((row, i) => {
    const old = before[i]!;
    const line = old.line + shift;
    shift += row.lines - old.lines;
    return row.line === line ? row : {...row, line};
  });
}

/** Drops removed rows after a moment. Rows below close up; waiting rows stay behind the pill. */
export function dropGone(current: LiveRows): LiveRows {
  if (current.gone.size === 0) return current;
  let shift = 0;
  const rows: SheetRow[] = [];
  for (const row of current.sheet.rows) {
    if (current.gone.has(row.key)) shift += row.lines;
    else rows.push(shift === 0 ? row : {...row, line: row.line - shift});
  }
  const left = current.sheet.rows.length - rows.length;
  const sheet = {
    ...current.sheet,
    rows,
    lines: current.sheet.lines - shift,
    total: current.sheet.total - left,
  };
  return {...current, sheet, gone: new Set()};
}

/** Adopts the new order: the user pressed the pill or moved on. */
export function acceptRows(current: LiveRows): LiveRows {
  return openRows(current.newest);
}

/** How far to scroll so that the top row stays in place when the order changes. */
export function anchorShift(
  before: readonly SheetRow[],
  after: readonly SheetRow[],
  topLine: number,
): number {
  const places = new Map(after.map(row => [row.key, row.line]));
  for (const row of before) {
    const next = places.get(row.key);
    if (row.line >= topLine && next !== undefined) return next - row.line;
  }
  return 0;
}
