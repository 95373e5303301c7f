// The grid's keys: arrows, pages, ends. A target that is not loaded is scrolled to and selected once it loads.
import {type KeyboardEvent, useEffect, useRef} from 'react';
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

  return event => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const {line, column} = grid.active ?? {line: -1, column: 0};
    const ends = event.ctrlKey || event.metaKey;
    const here = Math.max(0, line);
    const move = (): boolean => {
      switch (event.key) {
        case 'ArrowDown':
          take(line + 1, column, 1);
          return true;
        case 'ArrowUp':
          take(here - 1, column, -1);
          return true;
        case 'ArrowRight':
          take(here, Math.min(grid.columns.length - 1, column + 1), 0);
          return true;
        case 'ArrowLeft':
          take(here, Math.max(0, column - 1), 0);
          return true;
        case 'PageDown':
          take(line + grid.page, column, 1);
          return true;
        case 'PageUp':
          take(line - grid.page, column, -1);
          return true;
        case 'Home':
          take(ends ? 0 : here, ends ? column : 0, -1);
          return true;
        case 'End':
          take(ends ? grid.total - 1 : here, ends ? column : grid.columns.length - 1, ends ? -1 : 0);
          return true;
        case 'Enter':
          return open(line);
        default:
          return false;
      }
    };
    if (move()) event.preventDefault();
  };
}
