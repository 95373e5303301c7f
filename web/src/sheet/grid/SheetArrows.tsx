// Draws the selected cell's arrows over the grid; they follow its scroll. arrow-layout.ts computes their paths.
import type {SheetRow} from '@krtscope/shared/sheet.ts';
import {type RefObject, useEffect, useLayoutEffect, useState} from 'react';
import {type FieldColumn, groupWidths} from '../columns/columns.ts';
import {type ArrowBox, layoutArrows} from './arrow-layout.ts';
import {LINE_HEIGHT, type SheetLineFrame} from './SheetLine.tsx';
import type {CellMarks} from './use-line-marks.ts';
import './sheet-arrows.css';

interface GridViewport {
  left: number;
  top: number;
  width: number;
  height: number;
  lookup: number | undefined;
}

export function SheetArrows({
  scroller,
  lookup,
  label,
  columns,
  selection,
  line,
  row,
  marks,
  lines,
  head,
  frame,
}: {
  scroller: RefObject<HTMLDivElement | null>;
  lookup: RefObject<HTMLElement | null>;
  label: string | undefined;
  columns: readonly FieldColumn[];
  selection: {collection: string | null; key: string | null};
  line: number;
  row: SheetRow;
  marks: CellMarks;
  lines: number;
  /** The header's height; rows begin below it. */
  head: number;
  frame: SheetLineFrame;
}) {
  const view = useGridViewport(scroller, lookup, label);
  if (!view) return null;
  const groups = groupWidths(columns);
  const box = (collection: string, at: number): ArrowBox | undefined => {
    const group = groups.find(one => one.collection === collection);
    return (
      group && {
        x: group.x - view.left,
        y: head + at * LINE_HEIGHT - view.top,
        width: group.width,
        height: LINE_HEIGHT,
      }
    );
  };
  const self = box(selection.collection ?? '', line);
  if (!self || self.y < head - 4) return null;
  const near = (set: ReadonlySet<string>) =>
    frame.collections.flatMap(name => {
      const at = (row.cells[name] ?? []).findIndex(cell => set.has(`${name} ${cell.key}`));
      const found = at < 0 ? undefined : box(name, row.line + at);
      return found ? [found] : [];
    });
  // Only an arrow from the left neighbour crosses no text.
  const precedent = near(marks.causes).find(one => one.x < self.x);
  const dependents = near(marks.effects).filter(
    one => Math.abs(one.x - self.x - self.width) < 2 && one.y === self.y,
  );
  const drawn = layoutArrows({
    self,
    precedent,
    dependents,
    ...(view.lookup !== undefined && label !== undefined && {lookup: {x: view.lookup, label}}),
    floor: head + lines * LINE_HEIGHT - view.top,
    view: {width: view.width, height: view.height, left: columns[0]?.x ?? 0},
  });
  return (
    <svg className="arrows" width={view.width} height={view.height} aria-hidden="true">
      {drawn.map(arrow => (
        <g key={`${arrow.side} ${arrow.d}`} className={`arrow arrow-${arrow.side}`}>
          <path d={arrow.d} />
          <path
            className="arrow-head"
            d={
              arrow.head.turn === 0
                ? `M${arrow.head.x} ${arrow.head.y}l-8-4.5v9z`
                : `M${arrow.head.x} ${arrow.head.y}l-4.5 8h9z`
            }
          />
          {arrow.label ? <ArrowLabel {...arrow.label} limit={view.width} /> : null}
        </g>
      ))}
    </svg>
  );
}

function ArrowLabel({x, y, text, limit}: {x: number; y: number; text: string; limit: number}) {
  const short = text.length > 34 ? `${text.slice(0, 33)}…` : text;
  const width = short.length * 6.4 + 14;
  const left = Math.max(4, Math.min(x - width / 2, limit - width - 4));
  return (
    <g>
      <rect x={left} y={y - 9} width={width} height={18} rx={4} />
      <text x={left + width / 2} y={y + 3.5} textAnchor="middle">
        {short}
      </text>
    </g>
  );
}

/** The scroll position and the chip's position, measured when either may have moved. */
function useGridViewport(
  scroller: RefObject<HTMLDivElement | null>,
  lookup: RefObject<HTMLElement | null>,
  label: string | undefined,
): GridViewport | null {
  const [view, setView] = useState<GridViewport | null>(null);
  const measure = () => {
    const grid = scroller.current;
    if (!grid) return;
    const chip = lookup.current?.getBoundingClientRect();
    const at = grid.getBoundingClientRect();
    const next: GridViewport = {
      left: grid.scrollLeft,
      top: grid.scrollTop,
      width: grid.clientWidth,
      height: at.height,
      lookup: chip && label !== undefined ? Math.round(chip.left + chip.width / 2 - at.left) : undefined,
    };
    setView(old => (old && JSON.stringify(old) === JSON.stringify(next) ? old : next));
  };
  useLayoutEffect(measure);
  useEffect(() => {
    const grid = scroller.current;
    if (!grid) return;
    const on = () => measure();
    grid.addEventListener('scroll', on, {passive: true});
    const watch = new ResizeObserver(on);
    watch.observe(grid);
    return () => {
      grid.removeEventListener('scroll', on);
      watch.disconnect();
    };
  });
  return view;
}
