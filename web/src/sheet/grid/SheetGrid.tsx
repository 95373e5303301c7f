// The grid: native scrolling over all lines, of which only the visible ones are drawn; selection outline; arrow
// keys.
// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be windowed, so the ARIA grid is spelled out
import type {ItemDetail} from '@krtscope/shared/items.ts';
import {useVirtualizer} from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import {select} from '../../store/navigation.ts';
import {useWavePlayback} from '../../why/wave-playback.ts';
import {type FieldColumn, GUTTER, sheetWidth} from '../columns/columns.ts';
import type {LiveRows} from '../rows/live-rows.ts';
import {findSelection, linesOf, type SheetLineData} from '../rows/sheet-lines.ts';
import {DraftColumnContext} from './draft-column.ts';
import {GridLine, rowNumber, SelectionOutline} from './GridLine.tsx';
import {SheetArrows} from './SheetArrows.tsx';
import {headHeight, SheetHead} from './SheetHead.tsx';
import {LINE_HEIGHT, type SheetLineFrame} from './SheetLine.tsx';
import {useGridKeys} from './use-grid-keys.ts';
import type {NewestChange} from './use-line-frame.ts';
import {useLineMarks} from './use-line-marks.ts';
import './sheet-grid.css';

interface SheetGridProps {
  live: LiveRows;
  columns: readonly FieldColumn[];
  frame: Omit<SheetLineFrame, 'gridId' | 'pick'>;
  nodes: Parameters<typeof SheetHead>[0]['nodes'];
  selection: {collection: string | null; key: string | null};
  detail: ItemDetail | undefined;
  /** Show all levels of precedents and dependents instead of one. */
  deep: boolean;
  folded: ReadonlySet<string>;
  grouped: string | null;
  now: number;
  newest: ReadonlyMap<string, NewestChange> | undefined;
  scroller: RefObject<HTMLDivElement | null>;
  /** The chip in the lookup bar where the arrow starts. */
  lookup: RefObject<HTMLElement | null>;
  lookupLabel: string | undefined;
  onWindow: (first: number, count: number) => void;
  onFailed: (collection: string) => void;
  toggleGroup: (name: string) => void;
  onSeek: (key: string) => void;
}

export function SheetGrid(props: SheetGridProps) {
  const {live, columns, selection, scroller, folded, grouped} = props;
  const {sheet} = live;
  const gridId = useId();
  const [active, setActive] = useState<{line: number; column: number} | null>(null);
  const own = useRef<string | null>(null);
  const head = headHeight(columns, props.nodes);
  const virtual = useVirtualizer({
    count: sheet.lines,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 6,
    paddingStart: head,
    paddingEnd: 40,
    scrollPaddingStart: head,
  });
  const lines = useMemo(() => linesOf(sheet.rows, sheet.groups, folded), [sheet.rows, sheet.groups, folded]);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const count = items.length;
  const {onWindow} = props;
  useEffect(() => onWindow(first, count), [first, count, onWindow]);

  const pick = useCallback((collection: string, key: string, line: number, column: number) => {
    own.current = `${collection} ${key}`;
    setActive({line, column});
    select({collection, key});
  }, []);
  const frame: SheetLineFrame = useMemo(() => ({...props.frame, gridId, pick}), [props.frame, gridId, pick]);
  const spot = useMemo(
    () =>
      selection.collection === null || selection.key === null
        ? undefined
        : findSelection(sheet.rows, frame.collections, selection.collection, selection.key),
    [selection.collection, selection.key, sheet.rows, frame.collections],
  );
  useCentre(spot?.line, selection, own, line => virtual.scrollToIndex(line, {align: 'center'}), props.onSeek);
  const column = activeColumn(columns, selection.collection, active, spot?.line);
  const marks = useLineMarks(spot, selection, column, props.detail, frame, props.deep);
  const onKeyDown = useGridKeys({
    lines,
    total: sheet.lines,
    columns,
    frame,
    active: spot ? {line: spot.line, column} : active,
    page: Math.max(1, count - 12),
    setActive,
    scrollTo: line => virtual.scrollToIndex(line),
    toggleGroup: props.toggleGroup,
  });
  const ghost = useContext(DraftColumnContext);
  const width = sheetWidth(columns) + (ghost?.width ?? 0);
  const onRows = ghost?.onRows;
  useEffect(() => onRows?.(sheet.rows, first, count), [onRows, sheet.rows, first, count]);
  const playing = useWavePlayback(state => state.step);
  const played = playing
    ? findSelection(sheet.rows, frame.collections, playing.collection, playing.key)
    : undefined;

  return (
    <div className="stage">
      <div
        ref={scroller}
        className="sheet-scroll"
        role="grid"
        id={gridId}
        tabIndex={0}
        aria-label={`${sheet.root} and what is computed from it`}
        aria-rowcount={sheet.lines + 2}
        aria-colcount={columns.length + 1}
        aria-activedescendant={activeId(gridId, lines, spot?.line ?? active?.line, column)}
        onKeyDown={onKeyDown}
      >
        <div
          className="sheet-canvas"
          style={
            {
              height: virtual.getTotalSize(),
              minWidth: width,
              '--gutter': `${columns[0]?.x ?? GUTTER}px`,
            } as CSSProperties
          }
        >
          <SheetHead
            columns={columns}
            nodes={props.nodes}
            root={sheet.root}
            now={props.now}
            newest={props.newest}
            width={width}
            onFailed={props.onFailed}
          />
          <div role="rowgroup" className="lines">
            {items.map(item => (
              <GridLine
                key={item.index}
                index={item.index}
                top={item.start}
                line={lines.get(item.index)}
                frame={frame}
                now={props.now}
                gone={live.gone}
                marks={marks.of(lines.get(item.index))}
                folded={folded}
                grouped={grouped}
                toggleGroup={props.toggleGroup}
                width={width}
                number={rowNumber(lines.get(item.index), sheet)}
              />
            ))}
          </div>
          {spot ? (
            <SelectionOutline
              columns={columns}
              collection={selection.collection!}
              top={head + spot.line * LINE_HEIGHT}
            />
          ) : null}
          {playing && played ? (
            <SelectionOutline
              columns={columns}
              collection={playing.collection}
              top={head + played.line * LINE_HEIGHT}
              look="outline-play"
            />
          ) : null}
        </div>
      </div>
      {spot && !frame.compact ? (
        <SheetArrows
          scroller={scroller}
          lookup={props.lookup}
          label={props.lookupLabel}
          columns={columns}
          selection={selection}
          line={spot.line}
          row={spot.row}
          marks={marks}
          lines={sheet.lines}
          head={head}
          frame={frame}
        />
      ) : null}
    </div>
  );
}

function activeColumn(
  columns: readonly FieldColumn[],
  collection: string | null,
  active: {line: number; column: number} | null,
  line: number | undefined,
): number {
  if (active && active.line === line && columns[active.column]?.collection === collection)
    return active.column;
  return Math.max(
    0,
    columns.findIndex(column => column.collection === collection),
  );
}

function activeId(
  gridId: string,
  lines: ReadonlyMap<number, SheetLineData>,
  line: number | undefined,
  column: number,
): string | undefined {
  if (line === undefined) return undefined;
  return lines.get(line)?.kind === 'row' ? `${gridId}-${line}-${column}` : undefined;
}

/** Scrolls to a selection made elsewhere once; a selection made in the grid does not scroll. */
function useCentre(
  line: number | undefined,
  selection: {collection: string | null; key: string | null},
  own: RefObject<string | null>,
  centre: (line: number) => void,
  seek: (key: string) => void,
): void {
  const done = useRef<string | null>(null);
  const name = selection.key === null ? null : `${selection.collection} ${selection.key}`;
  useEffect(() => {
    if (name === null || done.current === name) return;
    if (own.current === name) done.current = name;
    else if (line !== undefined) {
      done.current = name;
      centre(line);
    } else if (selection.key !== null) seek(selection.key);
  });
}
