// Keeps rows where they are while the server's order moves on: changes land in place, new rows wait behind a pill. Pure.
import type {Sheet, SheetRow} from '@krtscope/shared/sheet.ts';

export interface LiveRows {
  /** What is drawn. */
  sheet: Sheet;
  /** The newest answer, where it differs in order. */
  newest: Sheet;
  /** Rows that came and that went since the order was last taken over. */
  added: number;
  gone: ReadonlySet<string>;
}

/** What the filter finds now and out of how many, both of one answer: "44 of 43 rows" stood there when they were of two. */
export function rowCounts(held: LiveRows): {total: number; of: number} {
  return {total: held.newest.total, of: held.newest.of};
}

export function openRows(sheet: Sheet): LiveRows {
  return {sheet, newest: sheet, added: 0, gone: new Set()};
}

/** Takes a newer answer of the same question. Rows keep their order; one that is gone stays, marked. */
export function followRows(held: LiveRows, newest: Sheet): LiveRows {
  if (newest === held.newest) return held;
  // Nothing stands anywhere yet, as before the first list: behind the pill all rows would look as if a filter hid them.
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
  // Rows pushed over the window's end are not gone, and those that slid in are not new: the totals decide.
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

/** Rows below one that grew move down by as much; gaps for group headers stay. */
function shiftRows(rows: readonly SheetRow[], before: readonly SheetRow[]): SheetRow[] {
  let shift = 0;
  return rows.map((row, i) => {
    const old = before[i]!;
    const line = old.line + shift;
    shift += row.lines - old.lines;
    return row.line === line ? row : {...row, line};
  });
}

/** Rows that went leave the list after a moment; the rows below close up, those that wait stay behind the pill. */
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

/** The pill was pressed, or the reader moved on. */
export function acceptRows(held: LiveRows): LiveRows {
  return openRows(held.newest);
}

/** How far to scroll so that the row at the top stays where it is when the order is taken over. */
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
