// Chooses the default fields: those that add information, as many as fit. Pure.
import type {Cell, SheetColumn, SheetRow} from '@krtscope/shared/sheet.ts';
import {cellText} from '../grid/cell-text.ts';
import {placeColumns, sheetWidth, shownFields} from './columns.ts';

const SAMPLE = 60;

/**
 * Every collection keeps one field. The others return while there is room: first fields that tell the items of
 * one row apart, then fields that just changed, then the rest. Fields that repeat another column stay out; the
 * column menu offers them.
 */
export function fitColumns(
  columns: readonly SheetColumn[],
  root: string,
  rows: readonly SheetRow[],
  short: boolean,
  room: number,
  /** Collections whose fields the user chose: all of those stay. */
  chosen: ReadonlySet<string> = new Set(),
): SheetColumn[] {
  const sample = rows.slice(0, SAMPLE);
  const fieldsOf = new Map<string, string[]>();
  const repeats = (collection: string, field: string) =>
    [...fieldsOf].some(([other, fields]) =>
      fields.some(one => haveSameValues(sample, [other, one], [collection, field])),
    );
  for (const column of columns) {
    const fields = shownFields(column, root);
    if (chosen.has(column.collection)) fieldsOf.set(column.collection, fields);
    else
      fieldsOf.set(column.collection, [
        fields.find(field => !repeats(column.collection, field)) ?? fields[0]!,
      ]);
  }
  const shown = () =>
    columns.map(column => {
      const own = new Set(fieldsOf.get(column.collection));
      return {...column, fields: shownFields(column, root).filter(field => own.has(field))};
    });
  const width = () => sheetWidth(placeColumns(shown(), root, rows, short));
  const tried = (collection: string, field: string): number => {
    const own = fieldsOf.get(collection)!;
    fieldsOf.set(collection, [...own, field]);
    const found = width();
    fieldsOf.set(collection, own);
    return found;
  };
  const rank = (collection: string, field: string) => {
    if (distinguishesChildren(sample, collection, field)) return 0;
    return isOftenChanged(sample, collection, field) ? 1 : 2;
  };
  // Add one field at a time and start over: a second field may fit for free under a wide header.
  for (;;) {
    const now = width();
    const left = columns.flatMap(({collection, ...column}) =>
      shownFields({collection, ...column}, root)
        .filter(field => !fieldsOf.get(collection)!.includes(field) && !repeats(collection, field))
        .map((field, turn) => {
          const wide = tried(collection, field);
          return {collection, field, wide, order: wide <= now ? -1 : rank(collection, field) * 100 + turn};
        }),
    );
    const [next] = left.filter(one => one.wide <= room).sort((one, other) => one.order - other.order);
    if (!next) break;
    fieldsOf.set(next.collection, [...fieldsOf.get(next.collection)!, next.field]);
  }
  return shown();
}

/** Whether the last change of several rows touched this field. */
function isOftenChanged(rows: readonly SheetRow[], collection: string, field: string): boolean {
  const touched = rows.filter(row =>
    (row.cells[collection] ?? []).some(cell => cell.outcome === 'changed' && cell.changed.includes(field)),
  );
  return touched.length > 1;
}

/** Whether the field differs between the items of one row. */
function distinguishesChildren(rows: readonly SheetRow[], collection: string, field: string): boolean {
  return rows.some(row => {
    const cells = row.cells[collection] ?? [];
    return cells.length > 1 && new Set(cells.map(cell => fieldText(cell, field))).size === cells.length;
  });
}

type CollectionField = readonly [collection: string, field: string];

/** Whether two columns have the same value in every row that has both. */
function haveSameValues(rows: readonly SheetRow[], a: CollectionField, b: CollectionField): boolean {
  let compared = 0;
  for (const row of rows) {
    const [one, other] = [row.cells[a[0]]?.[0], row.cells[b[0]]?.[0]];
    if (!one || !other) continue;
    if (fieldText(one, a[1]) !== fieldText(other, b[1])) return false;
    compared++;
  }
  return compared > 1;
}

function fieldText(cell: Cell, field: string): string {
  return field === 'key' ? cell.key : cellText(cell.fields[field]);
}
