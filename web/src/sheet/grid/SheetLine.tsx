// One line: a row's first line, a further item, or a group header. Memoised, so a change redraws only its own
// lines.
// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be windowed, so the ARIA grid is spelled out
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell
import type {SheetGroup, SheetRow} from '@krtscope/shared/sheet.ts';
import type {CollectionNodeKind} from '@krtscope/shared/vocabulary.ts';
import {memo, useContext} from 'react';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {OutcomeWord, outcomeTone} from '../../ui/indicators/outcome-state.tsx';
import type {FieldColumn} from '../columns/columns.ts';
import type {RowProblem} from '../rows/row-problems.ts';
import {inputKeyOf, isFirstEmpty} from '../rows/sheet-lines.ts';
import {DraftColumnContext} from './draft-column.ts';
import {ageStep, CellBody, cellTone, EmptyBody} from './SheetCell.tsx';
import './sheet-line.css';

/** A finger needs 40 px. */
export const LINE_HEIGHT = globalThis.matchMedia?.('(pointer: coarse)').matches ? 40 : 28;

export interface SheetLineFrame {
  columns: readonly FieldColumn[];
  collections: readonly string[];
  inputs: ReadonlyMap<string, string>;
  kinds: ReadonlyMap<string, CollectionNodeKind>;
  root: string;
  short: boolean;
  compact: boolean;
  gridId: string;
  pick: (collection: string, key: string, line: number, column: number) => void;
  whyEmpty: (collection: string, input: string) => void;
  /** Problems by `collection key`, to mark rows. */
  problems: ReadonlyMap<string, RowProblem>;
}

/** How the selection relates to this line: its own row, or items one or more levels away. */
export interface SheetLineMarks {
  row: boolean;
  /** The field column that has the keyboard cursor. */
  active: number;
  selfCollection: string | null;
  selfKey: string | null;
  causes: ReadonlySet<string>;
  effects: ReadonlySet<string>;
}

interface SheetLineProps {
  frame: SheetLineFrame;
  row: SheetRow;
  child: number;
  top: number;
  line: number;
  number: number;
  now: number;
  gone: boolean;
  marks: SheetLineMarks | null;
}

export const SheetLine = memo(PlainSheetLine, isSameLine);

function PlainSheetLine({frame, row, child, top, line, number, now, gone, marks}: SheetLineProps) {
  const ghost = useContext(DraftColumnContext);
  return (
    <div
      role="row"
      className={`line ${marks?.row ? 'line-selected' : ''} ${gone ? 'line-gone' : ''} ${child > 0 ? 'line-child' : ''} ${child < row.lines - 1 ? 'line-open' : ''}`}
      style={{top, height: LINE_HEIGHT}}
      aria-rowindex={line + 3}
      data-key={child === 0 ? row.key : undefined}
    >
      <div
        role="rowheader"
        className="gutter"
        aria-label={child === 0 ? `row ${number}` : 'more of the row above'}
      >
        {child === 0 ? number : ''}
      </div>
      {frame.columns.map((column, position) => (
        <LineCell
          key={`${column.collection} ${column.field}`}
          frame={frame}
          column={column}
          position={position}
          row={row}
          child={child}
          line={line}
          now={now}
          gone={gone}
          marks={marks}
        />
      ))}
      {ghost ? (
        <div role="gridcell" className="ghost" style={{width: ghost.width}}>
          {ghost.cell(row, child)}
        </div>
      ) : null}
    </div>
  );
}

/** A newer clock or moment redraws a row only if one of its cells looks older. */
function isSameLine(before: SheetLineProps, after: SheetLineProps): boolean {
  for (const name of Object.keys(after) as (keyof SheetLineProps)[])
    if (name !== 'now' && before[name] !== after[name]) return false;
  if (before.now === after.now) return true;
  // The selected row shows its age.
  if (after.marks !== null) return false;
  return Object.values(after.row.cells).every(cells =>
    cells.every(cell => ageStep(cell, before.now) === ageStep(cell, after.now)),
  );
}

function LineCell({
  frame,
  column,
  position,
  row,
  child,
  line,
  now,
  gone,
  marks,
}: Omit<SheetLineProps, 'top' | 'number'> & {column: FieldColumn; position: number}) {
  const {collection} = column;
  const cells = row.cells[collection] ?? [];
  const cell = cells[child];
  const ref = cell ? `${collection} ${cell.key}` : '';
  const self =
    marks?.selfCollection === collection && (cell ? marks.selfKey === cell.key : marks.row && child === 0);
  const cause = cell !== undefined && (marks?.causes.has(ref) ?? false);
  const effect = cell !== undefined && (marks?.effects.has(ref) ?? false);
  const spills = cells.length > 1 && row.lines > 1 && column.first && collection !== frame.root;
  const bracket = column.spills && column.first ? 'cell-bracket' : '';
  const tone = cell ? cellTone(cell, column.field, now) : '';
  const empty = !cell && child === 0 && column.first;
  const asks = empty && isFirstEmpty(row, frame.inputs, collection);
  const input = asks ? inputKeyOf(row, frame.collections, collection) : row.key;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys; a click only moves its active cell
    <div
      role="gridcell"
      id={`${frame.gridId}-${line}-${position}`}
      className={`cell ${column.last ? 'cell-last' : ''} ${position === 0 ? 'cell-key' : ''} ${tone} ${
        cause ? `cell-cause ${column.first ? 'cell-side' : ''}` : ''
      } ${effect ? `cell-effect ${column.last ? 'cell-side' : ''}` : ''} ${bracket} ${spills ? spillClass(child, cells.length) : ''} ${asks ? 'cell-asks' : ''}`}
      style={{width: column.width}}
      aria-colindex={position + 2}
      aria-selected={self}
      data-active={marks?.active === position && self ? '' : undefined}
      onClick={() =>
        frame.pick(
          collection,
          cell?.key ?? (child === 0 ? inputKeyOf(row, frame.collections, collection) : row.key),
          line,
          position,
        )
      }
    >
      {cell ? (
        <CellBody
          cell={cell}
          column={column}
          look={{
            now,
            selected: self,
            short: frame.short,
            source: frame.kinds.get(collection) === 'source',
            gone,
            problem: frame.problems.get(ref),
            more: row.lines === 1 && column.last ? cells.length - 1 : 0,
          }}
        />
      ) : asks ? (
        <EmptyBody
          outcome={row.empty?.[collection]}
          compact={frame.compact || collection === frame.collections.at(-1)}
          onWhy={() => frame.whyEmpty(collection, input)}
        />
      ) : empty ? (
        <>
          <span className="cell-state" />
          <span className="cell-dash">—</span>
        </>
      ) : null}
      {cause && column.first ? (
        <span className="side-mark" aria-hidden="true">
          ◂
        </span>
      ) : null}
      {effect && column.last ? (
        <span className="side-mark" aria-hidden="true">
          ▸
        </span>
      ) : null}
      {cause || effect ? <span className="visually-hidden">{cause ? 'precedent' : 'dependent'}</span> : null}
    </div>
  );
}

function spillClass(child: number, count: number): string {
  if (child === 0) return 'spill spill-first';
  return child === count - 1 ? 'spill spill-last' : 'spill spill-middle';
}

export const GroupLine = memo(function GroupLine({
  group,
  folded,
  top,
  line,
  by,
  onToggle,
}: {
  group: SheetGroup;
  folded: boolean;
  top: number;
  line: number;
  by: string;
  onToggle: (name: string) => void;
}) {
  const worst =
    group.worst && outcomeTone[group.worst] !== 'plain' && outcomeTone[group.worst] !== 'noop'
      ? group.worst
      : undefined;
  return (
    <div role="row" className="line line-group" style={{top, height: LINE_HEIGHT}} aria-rowindex={line + 3}>
      <div role="gridcell" className="group-cell">
        <button
          type="button"
          className="group-button inline-row bare-button gap-8"
          aria-expanded={!folded}
          onClick={() => onToggle(group.name)}
        >
          <Icon name={folded ? 'right' : 'down'} size={12} />
          <span className="group-by">{by}</span>
          <span className="group-name">{group.name === '' ? '(none)' : group.name}</span>
          <span className="group-count">{group.count.toLocaleString('en')}</span>
          {worst ? <OutcomeWord outcome={worst} /> : null}
        </button>
      </div>
    </div>
  );
});
