// Marks precedents and dependents of the selected cell: one level, or all levels in the row.
import type {ItemDetail} from '@krtscope/shared/items.ts';
import type {Cell, SheetRow} from '@krtscope/shared/sheet.ts';
import {useMemo} from 'react';
import type {SheetLineData} from '../rows/sheet-lines.ts';
import type {SheetLineFrame, SheetLineMarks} from './SheetLine.tsx';

export interface CellMarks {
  of: (line: SheetLineData | undefined) => SheetLineMarks | null;
  causes: ReadonlySet<string>;
  effects: ReadonlySet<string>;
}

export function useLineMarks(
  spot: {row: SheetRow; cell?: Cell} | undefined,
  selection: {collection: string | null; key: string | null},
  column: number,
  detail: ItemDetail | undefined,
  frame: SheetLineFrame,
  deep: boolean,
): CellMarks {
  return useMemo(() => {
    const causes = new Set<string>();
    const effects = new Set<string>();
    const mine = detail?.collection === selection.collection && detail?.key === selection.key;
    if (detail && mine) {
      for (const ref of detail.precedents) causes.add(`${ref.collection} ${ref.key}`);
      for (const ref of detail.dependents) effects.add(`${ref.collection} ${ref.key}`);
    }
    if (spot && deep && selection.collection)
      addTransitiveMarks(spot.row, selection.collection, frame, causes, effects);
    const plain: SheetLineMarks = {
      row: false,
      active: -1,
      selfCollection: selection.collection,
      selfKey: selection.key,
      causes,
      effects,
    };
    const own: SheetLineMarks = {...plain, row: true, active: column};
    const of = (line: SheetLineData | undefined) => {
      if (line?.kind !== 'row' || !spot) return null;
      if (line.row.key === spot.row.key) return own;
      return hasMarkedCell(line.row, causes, effects) ? plain : null;
    };
    return {of, causes, effects};
  }, [spot, selection.collection, selection.key, column, detail, frame, deep]);
}

function hasMarkedCell(row: SheetRow, causes: ReadonlySet<string>, effects: ReadonlySet<string>): boolean {
  for (const [collection, cells] of Object.entries(row.cells)) {
    for (const cell of cells) {
      const ref = `${collection} ${cell.key}`;
      if (causes.has(ref) || effects.has(ref)) return true;
    }
  }
  return false;
}

function addTransitiveMarks(
  row: SheetRow,
  collection: string,
  frame: SheetLineFrame,
  causes: Set<string>,
  effects: Set<string>,
): void {
  const add = (name: string, to: Set<string>) => {
    for (const cell of row.cells[name] ?? []) to.add(`${name} ${cell.key}`);
  };
  for (let up = frame.inputs.get(collection); up !== undefined; up = frame.inputs.get(up)) add(up, causes);
  const below = new Set([collection]);
  for (const name of frame.collections) {
    const input = frame.inputs.get(name);
    if (input === undefined || !below.has(input)) continue;
    below.add(name);
    add(name, effects);
  }
}
