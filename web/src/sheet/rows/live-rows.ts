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
export function rowCounts(held: LiveRows): {total: number; of: number} {
  return {total: held.newest.total, of: held.newest.of};
}

export function openRows(sheet: Sheet): LiveRows {
  return {sheet, newest: sheet, added: 0, gone: new Set()};
}

/** Merges a newer answer to the same query. Rows keep their order; a removed row stays, marked. */
export function followRows(held: LiveRows, newest: Sheet): LiveRows {
  if (newest === held.newest) return held;
  // An empty list adopts the answer at once. Behind the pill, all rows would look filtered out.
  if (held.sheet.rows.length === 0) return openRows(newest);
  const news = new Map(newest.rows.map(row => [row.key, row]));
  const same =
    held.sheet.rows.length === newest.rows.length &&
    held.sheet.rows.every((row, i) => row.key === newest.rows[i]!.key) &&
    held.added === 0 &&
    held.gone.size === 0;
  if (same) return openRows(newest);
  const shown = new Set(held.sheet.rows.map(row => row.key));
  const gone = new Set(held.sheet.rows.filter(row => !news.has(row.key)).map(row => row.key));
  const rows = shiftRows(
    held.sheet.rows.map(row => news.get(row.key) ?? row),
    held.sheet.rows,
  );
  const inWindow = newest.rows.filter(row => !shown.has(row.key)).length;
  // Rows may leave or enter only because the window moved, so compare the totals.
  const added = Math.max(0, Math.min(inWindow, inWindow + newest.total - held.sheet.total + gone.size));
  if (added === 0 && gone.size === 0) return openRows(newest);
  const grown = rows.reduce((sum, row) => sum + row.lines, 0) - lineCount(held.sheet.rows);
  return {
    sheet: {...held.sheet, rows, lines: held.sheet.lines + grown, of: newest.of, reads: newest.reads},
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
export function dropGone(held: LiveRows): LiveRows {
  if (held.gone.size === 0) return held;
  let shift = 0;
  const rows: SheetRow[] = [];
  for (const row of held.sheet.rows) {
    if (held.gone.has(row.key)) shift += row.lines;
    else rows.push(shift === 0 ? row : {...row, line: row.line - shift});
  }
  const left = held.sheet.rows.length - rows.length;
  const sheet = {...held.sheet, rows, lines: held.sheet.lines - shift, total: held.sheet.total - left};
  return {...held, sheet, gone: new Set()};
}

/** Adopts the new order: the user pressed the pill or moved on. */
export function acceptRows(held: LiveRows): LiveRows {
  return openRows(held.newest);
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
