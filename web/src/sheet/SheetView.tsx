// The Sheet: collections as columns, aligned by input key. Connects the filter bar, the grid and the lookup bar.
import './sheet-view.css';
import type {Graph} from '@krtscope/shared/graph.ts';
import {useCallback, useContext, useMemo, useRef, useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {useInspectorOpen} from '../app/shell/Shell.tsx';
import {AddedRowsBar} from '../compare/AddedRowsBar.tsx';
import {CompareBar} from '../compare/CompareBar.tsx';
import {ComparePanel} from '../compare/ComparePanel.tsx';
import {ComparisonContext, compareWithNow, toggleCompare, useCompare} from '../compare/use-compare.ts';
import {FreshnessPanel} from '../freshness/FreshnessPanel.tsx';
import {staleSources} from '../freshness/freshness.ts';
import {navigate, setParams} from '../store/app.ts';
import {select, useParam, useSelectedItem, useSelection} from '../store/navigation.ts';
import {useGraph, useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import {Button} from '../ui/controls/Button.tsx';
import {useWindowWidth} from '../ui/hooks/use-window-width.ts';
import {Icon} from '../ui/indicators/Icon.tsx';
import {NoCollections} from '../ui/layout/NoCollections.tsx';
import {Toolbar} from '../ui/layout/Toolbar.tsx';
import {SupposedRowsBar} from '../what-if/SupposedRowsBar.tsx';
import {ColumnsMenu} from './columns/ColumnsMenu.tsx';
import {FilterBar} from './filter/FilterBar.tsx';
import {cellText} from './grid/cell-text.ts';
import {DraftColumnContext} from './grid/draft-column.ts';
import {SheetGrid} from './grid/SheetGrid.tsx';
import {LINE_HEIGHT} from './grid/SheetLine.tsx';
import {useLineFrame, usePlacedColumns, useSheetNow} from './grid/use-line-frame.ts';
import {chooseLookup, LookupBar} from './LookupBar.tsx';
import {rowCounts} from './rows/live-rows.ts';
import {useRowProblems} from './rows/row-problems.ts';
import {findSelection, rowNeighbours, windowFor} from './rows/sheet-lines.ts';
import {useLineSearch} from './rows/use-line-search.ts';
import {SetAsideBar} from './SetAsideBar.tsx';
import {GroupMenu, RootMenu} from './SheetMenus.tsx';
import {SheetStates} from './SheetStates.tsx';
import {MAX_WINDOW_ROWS, type SheetState, useRoot, useSheet} from './use-sheet.ts';

export default function SheetView() {
  return <SheetPane />;
}

/** The sheet, whole or narrow. Beside Why it is narrow: filter and grid only. */
export function SheetPane({compact = false}: {compact?: boolean}) {
  const graph = useGraph();
  const root = useRoot(graph);
  const scroller = useRef<HTMLDivElement | null>(null);
  const [window, setWindow] = useState({offset: 0, count: 200});
  const onShift = useCallback((lines: number) => {
    if (scroller.current) scroller.current.scrollTop += lines * LINE_HEIGHT;
  }, []);
  const state = useSheet(root, window, compact, onShift);
  const total = state.live?.sheet.lines ?? 0;
  const windowTimer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const onWindow = useCallback(
    (first: number, count: number) => {
      clearTimeout(windowTimer.current);
      windowTimer.current = setTimeout(() => {
        const next = windowFor(first, count, Math.max(total, first + count), MAX_WINDOW_ROWS);
        setWindow(old => {
          const covered =
            old.offset <= Math.max(0, first - count) &&
            old.offset + old.count >= Math.min(total, first + count * 2);
          return covered ? old : next;
        });
      }, 40);
    },
    [total],
  );
  if (graph?.collections.length === 0)
    return (
      <div className="sheet">
        <NoCollections title="No rows to show" />
      </div>
    );
  if (graph === null || root === undefined) return <div className="sheet" aria-busy="true" />;
  return (
    <SheetBody
      compact={compact}
      graph={graph}
      root={root}
      state={state}
      scroller={scroller}
      onWindow={onWindow}
    />
  );
}

function SheetBody({
  compact,
  graph,
  root,
  state,
  scroller,
  onWindow,
}: {
  compact: boolean;
  graph: Graph;
  root: string;
  state: SheetState;
  scroller: React.RefObject<HTMLDivElement | null>;
  onWindow: (first: number, count: number) => void;
}) {
  const {collection, key} = useSelection();
  const selected = useSelectedItem();
  const ghost = useContext(DraftColumnContext);
  const wired = useRef<HTMLSpanElement | null>(null);
  const [deep, setDeep] = useState(false);
  const detailHeld = useSubscription(selected && !compact ? {ask: 'item', ...selected} : null);
  const last = useLastAnswer(detailHeld);
  const detail =
    last && selected && last.collection === selected.collection && last.key === selected.key
      ? last
      : undefined;
  const sheet = state.live?.sheet;
  const {now, newest} = useSheetNow(sheet?.rows);
  const columns = usePlacedColumns(state, root, compact ? collection : undefined);
  const nodes = useMemo(() => new Map(graph.collections.map(node => [node.name, node])), [graph]);
  const frame = useLineFrame(graph, nodes, columns, root, compact, useRowProblems());
  const seek = useLineSearch(state.question, state.live, line =>
    scroller.current?.scrollTo({top: line * LINE_HEIGHT - 200}),
  );
  const comparison = useCompare();
  const compared = compact || ghost ? null : comparison;
  const [, setQ] = useParam('q');
  const spot = selected
    ? findSelection(sheet?.rows ?? [], frame.collections, selected.collection, selected.key)
    : undefined;
  const near =
    spot && selected ? rowNeighbours(spot.row, frame.inputs, frame.collections, selected.collection) : {};
  useSheetKeys(
    detail?.precedents[0] ?? near.up,
    detail?.dependents[0] ?? near.down,
    () => setDeep(was => !was),
    compact,
  );
  const fields = useMemo(
    () => [...new Set((sheet?.columns ?? []).flatMap(column => column.available))],
    [sheet?.columns],
  );
  const values = useCallback(
    (field: string) =>
      [
        ...new Set(
          (sheet?.rows ?? []).flatMap(row =>
            Object.values(row.cells)
              .flat()
              .map(cell => cellText(cell.fields[field])),
          ),
        ),
      ]
        .filter(Boolean)
        .sort(),
    [sheet?.rows],
  );
  const problem = state.failure?.code === 'bad-query' ? state.failure.message : undefined;
  const filter = (
    <FilterBar root={root} fields={fields} values={values} compact={compact} problem={problem} />
  );
  return (
    <div
      className={`sheet ${compact ? 'sheet-compact' : ''}`}
      data-moment={sheet === undefined ? undefined : (state.moment ?? 'live')}
    >
      <Toolbar
        label="Sheet"
        left={
          <>
            {compact || ghost ? null : <RootMenu graph={graph} root={root} />}
            {filter}
            <RowCount count={state.live && rowCounts(state.live)} compact={compact} />
            <NewRows state={state} />
          </>
        }
        {...(!compact && {
          right: (
            <>
              {compared ? null : (
                <Button
                  icon="swap"
                  keys="x"
                  title="What differs between this moment and now"
                  onClick={compareWithNow}
                >
                  Compare
                </Button>
              )}
              <GroupMenu columns={sheet?.columns ?? []} root={root} grouped={state.grouped} />
              <ColumnsMenu offered={state.offered} shown={columns} root={root} />
              <Button icon="plus" keys="+" onClick={() => navigate({view: 'lab', params: {new: '1'}})}>
                Draft column
              </Button>
            </>
          ),
        })}
      />
      {compared ? <CompareBar compared={compared} /> : null}
      {compact || ghost ? null : <SetAsideBar root={root} />}
      {compact || ghost ? null : <SupposedRowsBar root={root} />}
      <SheetStates
        sheet={sheet}
        root={nodes.get(root)}
        selected={collection === null ? undefined : nodes.get(collection)}
        failure={problem === undefined ? state.failure : undefined}
        graph={graph}
        compact={compact}
      />
      <div className="sheet-middle">
        {state.live && sheet && (sheet.total > 0 || sheet.of > 0) ? (
          <ComparisonContext value={compared}>
            <SheetGrid
              live={state.live}
              columns={columns}
              frame={frame}
              nodes={nodes}
              selection={{collection, key}}
              detail={detail}
              deep={deep}
              folded={state.folded}
              grouped={state.grouped}
              now={now}
              newest={newest}
              scroller={scroller}
              lookup={wired}
              lookupLabel={chooseLookup(detail)?.filter}
              onWindow={onWindow}
              onFailed={() => setQ('state:failed')}
              toggleGroup={state.toggleGroup}
              onSeek={seek}
            />
          </ComparisonContext>
        ) : (
          <div className="stage" />
        )}
        {compared ? (
          <ComparePanel compared={compared} />
        ) : compact || ghost ? null : (
          <FreshnessSummary graph={graph} />
        )}
      </div>
      {compared ? <AddedRowsBar compared={compared} root={root} /> : null}
      {compact || ghost || !sheet ? null : <LookupBar detail={detail} reads={sheet.reads} wired={wired} />}
    </div>
  );
}

/** Opens by itself when a source is behind. Once closed, it stays closed until all sources were current again. */
function FreshnessSummary({graph}: {graph: Graph}) {
  const wide = useWindowWidth() >= 1100;
  const inspector = useInspectorOpen();
  const stale = staleSources(graph).length > 0;
  const [closed, setClosed] = useState(false);
  if (!stale && closed) setClosed(false);
  if (!stale || closed || !wide || inspector) return null;
  return <FreshnessPanel graph={graph} onClose={() => setClosed(true)} />;
}

function RowCount({count, compact}: {count: {total: number; of: number} | undefined; compact: boolean}) {
  if (!count) return <span className="row-count">…</span>;
  return (
    <span className="row-count" role="status">
      <b>{count.total.toLocaleString('en')}</b> of {count.of.toLocaleString('en')}
      {compact ? '' : ' rows'}
    </span>
  );
}

function NewRows({state}: {state: SheetState}) {
  const added = state.live?.added ?? 0;
  const gone = state.live?.gone.size ?? 0;
  if (added + gone === 0) return null;
  const words = [added > 0 ? `${added} new` : '', gone > 0 ? `${gone} removed` : '']
    .filter(Boolean)
    .join(', ');
  return (
    <button
      type="button"
      className="new-rows inline-row gap-4"
      onClick={state.accept}
      title="Show the new rows in order"
    >
      {words} <Icon name="right" size={12} />
    </button>
  );
}

function useSheetKeys(
  up: {collection: string; key: string} | undefined,
  down: {collection: string; key: string} | undefined,
  turnDeep: () => void,
  compact: boolean,
): void {
  useKeys({
    '[': {says: 'precedent', group: 'Understand', run: () => (up ? select(up) : false)},
    ']': {says: 'dependent', group: 'Understand', run: () => (down ? select(down) : false)},
    'Shift+[': {says: 'all levels', group: 'Understand', run: turnDeep},
    'Shift+]': {says: 'all levels', group: 'Understand', run: turnDeep},
    // Beside Why, `x` belongs to Why. Without this rule the view drawn last would win.
    ...(compact ? {} : {x: {says: 'start or end comparing with now', group: 'Time', run: toggleCompare}}),
    F8: {says: 'rows that failed', group: 'Here', run: () => setParams({q: 'state:failed'})},
  });
}
