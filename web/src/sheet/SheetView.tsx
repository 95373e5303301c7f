// The Sheet: collections as columns aligned by input key. Wires the filter bar, the grid and the bar below together.
import './sheet-view.css';
import type {Graph} from '@krtscope/shared/graph.ts';
import {useCallback, useContext, useMemo, useRef, useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {useInspectorOpen} from '../app/shell/Shell.tsx';
import {CameBar} from '../compare/CameBar.tsx';
import {CompareBar} from '../compare/CompareBar.tsx';
import {ComparePanel} from '../compare/ComparePanel.tsx';
import {Comparison, compareWithNow, turnCompare, useCompare} from '../compare/use-compare.ts';
import {FreshnessPanel} from '../freshness/FreshnessPanel.tsx';
import {staleSources} from '../freshness/freshness.ts';
import {navigate, setParams} from '../store/app.ts';
import {select, useParam, useSelectedItem, useSelection} from '../store/hooks.ts';
import {useGraph, useLastAnswer, useSubscription} from '../stream/hooks.ts';
import {Button} from '../ui/Button.tsx';
import {Icon} from '../ui/Icon.tsx';
import {Toolbar} from '../ui/Toolbar.tsx';
import {useWidth} from '../ui/use-width.ts';
import {AlsoReads, wiredLookup} from './AlsoReads.tsx';
import {ColumnsMenu} from './ColumnsMenu.tsx';
import {cellText} from './cell-text.ts';
import {FilterBar} from './FilterBar.tsx';
import {Ghost} from './ghost.ts';
import {findSpot, rowNeighbours, windowFor} from './lines.ts';
import {counted} from './live-rows.ts';
import {useRowProblems} from './row-problems.ts';
import {SheetGrid} from './SheetGrid.tsx';
import {LINE} from './SheetLine.tsx';
import {GroupMenu, RootMenu} from './SheetMenus.tsx';
import {SheetStates} from './SheetStates.tsx';
import {useColumns, useFrame, useSheetNow} from './use-frame.ts';
import {useSeek} from './use-seek.ts';
import {LIMIT, type SheetState, useRoot, useSheet} from './use-sheet.ts';

export default function SheetView() {
  return <SheetPane />;
}

/** The sheet, whole or (beside Why) narrow: tokens and grid only. */
export function SheetPane({compact = false}: {compact?: boolean}) {
  const graph = useGraph();
  const root = useRoot(graph);
  const scroller = useRef<HTMLDivElement | null>(null);
  const [window, setWindow] = useState({offset: 0, count: 200});
  const onShift = useCallback((lines: number) => {
    if (scroller.current) scroller.current.scrollTop += lines * LINE;
  }, []);
  const state = useSheet(root, window, compact, onShift);
  const total = state.live?.sheet.lines ?? 0;
  const asked = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const onWindow = useCallback(
    (first: number, count: number) => {
      clearTimeout(asked.current);
      asked.current = setTimeout(() => {
        const next = windowFor(first, count, Math.max(total, first + count), LIMIT);
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
  const ghost = useContext(Ghost);
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
  const columns = useColumns(state, root, compact ? collection : undefined);
  const nodes = useMemo(() => new Map(graph.collections.map(node => [node.name, node])), [graph]);
  const frame = useFrame(graph, nodes, columns, root, compact, useRowProblems());
  const seek = useSeek(state.question, state.live, line =>
    scroller.current?.scrollTo({top: line * LINE - 200}),
  );
  const comparison = useCompare();
  const compared = compact || ghost ? null : comparison;
  const [, setQ] = useParam('q');
  const spot = selected
    ? findSpot(sheet?.rows ?? [], frame.collections, selected.collection, selected.key)
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
    <FilterBar fields={fields} values={values} compact={compact} {...(problem !== undefined && {problem})} />
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
            {filter}
            <RowCount count={state.live && counted(state.live)} compact={compact} />
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
          <Comparison value={compared}>
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
              rootMenu={ghost ? null : <RootMenu graph={graph} root={root} />}
              scroller={scroller}
              lookup={wired}
              lookupLabel={wiredLookup(detail)?.filter}
              onWindow={onWindow}
              onFailed={() => setQ('state:failed')}
              toggleGroup={state.toggleGroup}
              onSeek={seek}
            />
          </Comparison>
        ) : (
          <div className="stage" />
        )}
        {compared ? (
          <ComparePanel compared={compared} />
        ) : compact || ghost ? null : (
          <Freshness graph={graph} />
        )}
      </div>
      {compared ? <CameBar compared={compared} root={root} /> : null}
      {compact || ghost || !sheet ? null : <AlsoReads detail={detail} reads={sheet.reads} wired={wired} />}
    </div>
  );
}

/** Opens by itself when something is behind; closed, it stays so until everything has been current again. */
function Freshness({graph}: {graph: Graph}) {
  const wide = useWidth() >= 1100;
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
  const words = [added > 0 ? `${added} new` : '', gone > 0 ? `${gone} gone` : ''].filter(Boolean).join(', ');
  return (
    <button type="button" className="new-rows" onClick={state.accept} title="Take over the new order">
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
    'Shift+]': {run: turnDeep},
    // Beside Why, x is Why's: which of two meanings won hung on who was drawn last.
    ...(compact ? {} : {x: {says: 'compare with now, or end it', group: 'Time', run: turnCompare}}),
    F8: {says: 'rows that failed', group: 'Here', run: () => setParams({q: 'state:failed'})},
  });
}
