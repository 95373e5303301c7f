// One position in the list: a row's line, a group header, or a line that is not loaded yet. Also the selection
// outline.

import type {FieldColumn} from '../columns/columns.ts';
import type {LiveRows} from '../rows/live-rows.ts';
import type {SheetLineData} from '../rows/sheet-lines.ts';
import {GroupLine, LINE_HEIGHT, SheetLine, type SheetLineFrame} from './SheetLine.tsx';
import type {useLineMarks} from './use-line-marks.ts';
import './grid-line.css';

/**
 * A row's number, from one, in the list or in its group. Lines and rows differ, so only loaded rows can be
 * counted.
 */
export function rowNumber(
  line: SheetLineData | undefined,
  {rows, offset, groups}: LiveRows['sheet'],
): number {
  if (line?.kind !== 'row') return 0;
  const {row} = line;
  if (groups === undefined) {
    const before = rows[0] === undefined || offset === 0 ? 0 : rows[0].line;
    return before + rows.indexOf(row) + 1;
  }
  const group = groups.find(one => one.name === (row.group ?? ''));
  const own = rows.filter(one => (one.group ?? '') === (row.group ?? ''));
  const at = own.indexOf(row);
  if (group === undefined || own[0]!.line === group.offset + 1) return at + 1;
  const next = groups.find(one => one.offset > group.offset)?.offset;
  const last = own.at(-1)!;
  // The group's start is not loaded but its end is, so count back from the end.
  if (next !== undefined && last.line + last.lines === next) return group.count - (own.length - 1 - at);
  return row.line - group.offset;
}

export function GridLine({
  index,
  top,
  line,
  frame,
  now,
  gone,
  marks,
  folded,
  grouped,
  toggleGroup,
  width,
  number,
}: {
  index: number;
  top: number;
  line: SheetLineData | undefined;
  frame: SheetLineFrame;
  now: number;
  gone: ReadonlySet<string>;
  marks: ReturnType<ReturnType<typeof useLineMarks>['of']>;
  folded: ReadonlySet<string>;
  grouped: string | null;
  toggleGroup: (name: string) => void;
  width: number;
  number: number;
}) {
  if (!line)
    return (
      <div role="presentation" className="line line-waiting" style={{top, height: LINE_HEIGHT, width}} />
    );
  if (line.kind === 'group')
    return (
      <GroupLine
        group={line.group}
        folded={folded.has(line.group.name)}
        top={top}
        line={index}
        by={grouped ?? ''}
        onToggle={toggleGroup}
      />
    );
  return (
    <SheetLine
      frame={frame}
      row={line.row}
      child={line.child}
      top={top}
      line={index}
      number={number}
      now={now}
      gone={gone.has(line.row.key)}
      marks={marks}
    />
  );
}

export function SelectionOutline({
  columns,
  collection,
  top,
  look = '',
}: {
  columns: readonly FieldColumn[];
  collection: string;
  top: number;
  look?: string;
}) {
  const own = columns.filter(column => column.collection === collection);
  const first = own[0];
  if (!first) return null;
  const width = own.reduce((sum, column) => sum + column.width, 0);
  return (
    <div
      className={`outline ${look}`}
      style={{left: first.x - 1, top, width: width + 1, height: LINE_HEIGHT}}
      aria-hidden="true"
    />
  );
}
