// The grid's keys: arrows, pages, ends. A target that is not loaded is scrolled to and selected once it loads.
import {type KeyboardEvent, useEffect, useRef} from 'react';
import {useKeys} from '../../app/keys/keys.ts';
import {navigate} from '../../store/app.ts';
import type {FieldColumn} from '../columns/columns.ts';
import {inputKeyOf, type SheetLineData} from '../rows/sheet-lines.ts';
import type {SheetLineFrame} from './SheetLine.tsx';

interface GridKeysContext {
  lines: ReadonlyMap<number, SheetLineData>;
  total: number;
  columns: readonly FieldColumn[];
  frame: SheetLineFrame;
  active: {line: number; column: number} | null;
  page: number;
  setActive: (active: {line: number; column: number}) => void;
  scrollTo: (line: number) => void;
  toggleGroup: (name: string) => void;
}

export function useGridKeys(grid: GridKeysContext): (event: KeyboardEvent) => void {
  const wanted = useRef<{line: number; column: number; step: number} | null>(null);

  const take = (line: number, column: number, step: number): void => {
    const at = Math.max(0, Math.min(grid.total - 1, line));
    const found = grid.lines.get(at);
    grid.scrollTo(at);
    if (!found) {
      wanted.current = {line: at, column, step};
      return;
    }
    wanted.current = null;
    if (found.kind === 'group') {
      grid.setActive({line: at, column});
      return;
    }
    const {collection} = grid.columns[column]!;
    const cell = found.row.cells[collection]?.[found.child];
    // Skip lines that have no cell of this collection.
    if (!cell && found.child > 0) {
      const on = step < 0 ? found.row.line : found.row.line + found.row.lines;
      if (on < grid.total) take(on, column, step);
      return;
    }
    grid.frame.pick(
      collection,
      cell?.key ?? inputKeyOf(found.row, grid.frame.collections, collection),
      at,
      column,
    );
  };

  useEffect(() => {
    const want = wanted.current;
    if (want && grid.lines.has(want.line)) take(want.line, want.column, want.step);
  });

  const open = (line: number): boolean => {
    const found = grid.lines.get(line);
    if (found?.kind === 'group') grid.toggleGroup(found.group.name);
    else if (found) navigate({inspector: true});
    return found !== undefined;
  };

  const {line, column} = grid.active ?? {line: -1, column: 0};
  const here = Math.max(0, line);
  const last = grid.columns.length - 1;
  const keys: Record<string, {says: string; group: 'Move'; run: () => unknown}> = {
    ArrowDown: {says: 'next row', group: 'Move', run: () => take(line + 1, column, 1)},
    ArrowUp: {says: 'previous row', group: 'Move', run: () => take(here - 1, column, -1)},
    ArrowRight: {says: 'next column', group: 'Move', run: () => take(here, Math.min(last, column + 1), 0)},
    ArrowLeft: {says: 'previous column', group: 'Move', run: () => take(here, Math.max(0, column - 1), 0)},
    PageDown: {says: 'next page', group: 'Move', run: () => take(line + grid.page, column, 1)},
    PageUp: {says: 'previous page', group: 'Move', run: () => take(line - grid.page, column, -1)},
    Home: {says: 'first column', group: 'Move', run: () => take(here, 0, -1)},
    End: {says: 'last column', group: 'Move', run: () => take(here, last, 0)},
    'Mod+Home': {says: 'first row', group: 'Move', run: () => take(0, column, -1)},
    'Mod+End': {says: 'last row', group: 'Move', run: () => take(grid.total - 1, column, -1)},
    Enter: {says: 'open', group: 'Move', run: () => open(line)},
  };
  useKeys(keys, true, 'focus');
  return event => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const ends = event.ctrlKey || event.metaKey;
    const action = (ends ? keys[`Mod+${event.key}`] : undefined) ?? keys[event.key];
    if (action !== undefined && action.run() !== false) event.preventDefault();
  };
}
