// State that all lines share: the clock, the columns with their widths, and how collections relate.
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import type {SheetRow} from '@krtscope/shared/sheet.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import {useContext, useMemo, useState} from 'react';
import {useInspectorOpen} from '../../app/shell/Shell.tsx';
import {useApp} from '../../store/app.ts';
import {openOrigin, useNamespace, useParam} from '../../store/navigation.ts';
import {useRequestedMoment} from '../../stream/requested-moment.ts';
import {useStableValue} from '../../ui/hooks/use-stable-value.ts';
import {useWindowWidth} from '../../ui/hooks/use-window-width.ts';
import {useNow} from '../../ui/text/Age.tsx';
import {
  compactColumns,
  type FieldColumn,
  gutterFor,
  parseColumns,
  placeColumns,
  sheetWidth,
} from '../columns/columns.ts';
import {fitColumns} from '../columns/fit-columns.ts';
import type {RowProblem} from '../rows/row-problems.ts';
import type {SheetState} from '../use-sheet.ts';
import {DraftColumnContext} from './draft-column.ts';

export interface NewestChange {
  at: number;
  outcome: RunOutcome;
  key: string;
}

/** The newest change of each collection among these rows. At a past moment the graph cannot tell it. */
function newestOf(rows: readonly SheetRow[]): Map<string, NewestChange> {
  const newest = new Map<string, NewestChange>();
  for (const row of rows) {
    for (const [collection, cells] of Object.entries(row.cells)) {
      for (const cell of cells) {
        if (cell.at > (newest.get(collection)?.at ?? 0)) newest.set(collection, cell);
      }
    }
  }
  return newest;
}

/** The clock for ages and, at a past moment, the newest change of each column. */
export function useSheetNow(rows: readonly SheetRow[] | undefined): {
  now: number;
  newest: ReadonlyMap<string, NewestChange> | undefined;
} {
  const now = useNow();
  const moment = useRequestedMoment(state => state.moment);
  const newest = useMemo(() => (moment === null ? undefined : newestOf(rows ?? [])), [moment, rows]);
  return {now, newest};
}

const RAIL_WIDTH = 64;
const INSPECTOR_WIDTH = 344;
const NARROW_RAIL_WIDTH = 48;

/** Computes widths from the first rows of a set of columns and keeps them while the set stays. */
export function usePlacedColumns(
  state: SheetState,
  root: string,
  only?: string | null,
): readonly FieldColumn[] {
  const [kept, setKept] = useState<{id: string; columns: readonly FieldColumn[]}>({id: '', columns: []});
  const [cols] = useParam('cols');
  const selected = useApp(state => state.route.collection);
  const inspector = useInspectorOpen();
  const width = useWindowWidth();
  const narrow = width < 1100;
  const ghost = useContext(DraftColumnContext);
  const room = width - (narrow ? NARROW_RAIL_WIDTH : RAIL_WIDTH) - (ghost?.width ?? 0);
  const [namespace] = useNamespace();
  const [q] = useParam('q');
  const short = namespace !== null || /(^|\s)ns:[^\s|,]+(\s|$)/.test(q ?? '');
  const sheet = state.live?.sheet;
  const id = JSON.stringify([
    root,
    short,
    sheet?.root,
    sheet?.columns.map(column => [column.collection, column.fields]),
    (sheet?.rows.length ?? 0) > 0,
    only,
    narrow,
    room,
    cols,
    gutterFor(sheet?.total ?? 0),
  ]);
  if (sheet && kept.id !== id) {
    // Columns leave room for the Inspector. If it opens later, the sheet scrolls, so columns do not move under the
    // pointer.
    const free = room - (inspector && !narrow && ghost === null ? INSPECTOR_WIDTH : 0);
    const own = new Set(Object.keys(parseColumns(cols, selected).fields));
    const chosen =
      only !== undefined
        ? compactColumns(sheet.columns, root, only)
        : fitColumns(sheet.columns, root, sheet.rows, short, free, own);
    const place = (share: number) =>
      placeColumns(chosen, root, sheet.rows, short, {
        keyMost: only === undefined ? 272 : 212,
        gutter: gutterFor(sheet.total),
        share,
      });
    const whole = place(1);
    const columns = sheetWidth(whole) <= free ? whole : place(0.88);
    setKept({id, columns});
    return columns;
  }
  return kept.columns;
}

export function useLineFrame(
  graph: Graph,
  nodes: ReadonlyMap<string, CollectionNode>,
  columns: readonly FieldColumn[],
  root: string,
  compact: boolean,
  problems: ReadonlyMap<string, RowProblem>,
) {
  const [namespace] = useNamespace();
  const [q] = useParam('q');
  const short = namespace !== null || /(^|\s)ns:[^\s|,]+(\s|$)/.test(q ?? '');
  const shape = graph.edges
    .filter(edge => edge.kind !== 'fetch')
    .map(edge => `${edge.from}>${edge.to}`)
    .join();
  const kinds = [...nodes.values()].map(node => `${node.name}:${node.kind}`).join();
  // Live counts in the graph must not redraw every line.
  const {edges, collections} = useStableValue({edges: graph.edges, collections: nodes}, `${shape}|${kinds}`);
  return useMemo(
    () => ({
      columns,
      collections: [...new Set(columns.map(column => column.collection))],
      inputs: new Map(
        edges.filter(edge => edge.kind === 'input' || edge.kind === 'join').map(edge => [edge.to, edge.from]),
      ),
      kinds: new Map([...collections.values()].map(node => [node.name, node.kind])),
      root,
      short,
      compact,
      problems,
      whyEmpty: (collection: string, input: string) => openOrigin({collection, key: input, input: true}),
    }),
    [columns, root, short, compact, problems, edges, collections],
  );
}
