// What every line of the sheet shares: the clock, the columns with their widths, and how collections hang together.
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import {useMemo, useRef} from 'react';
import {navigate} from '../store/app.ts';
import {useMoment, useNamespace, useParam} from '../store/hooks.ts';
import {useNow} from '../ui/Age.tsx';
import {useWidth} from '../ui/use-width.ts';
import {besideWhy, type FieldColumn, gutterFor, oneEach, placeColumns} from './columns.ts';
import type {SheetState} from './use-sheet.ts';

/** At a past moment the clock stands at the newest change before it. */
export function useSheetNow(graph: Graph): number {
  const live = useNow();
  const {moment} = useMoment();
  return useMemo(() => {
    if (moment === null) return live;
    return Math.max(0, ...graph.collections.map(node => node.last?.at ?? 0)) || live;
  }, [live, moment, graph]);
}

/** Widths are taken from the first rows of a set of columns and kept while it stays. */
export function useColumns(state: SheetState, root: string, only?: string | null): readonly FieldColumn[] {
  const kept = useRef<{id: string; columns: readonly FieldColumn[]}>({id: '', columns: []});
  const [cols] = useParam('cols');
  const narrow = useWidth() < 1100 && cols === null;
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
    gutterFor(sheet?.total ?? 0),
  ]);
  if (sheet && kept.current.id !== id) {
    const chosen =
      only !== undefined
        ? besideWhy(sheet.columns, root, only)
        : narrow
          ? oneEach(sheet.columns, root)
          : sheet.columns;
    kept.current = {
      id,
      columns: placeColumns(chosen, root, sheet.rows, short, {
        keyMost: only === undefined ? 272 : 212,
        gutter: gutterFor(sheet.total),
      }),
    };
  }
  return kept.current.columns;
}

export function useFrame(
  graph: Graph,
  nodes: ReadonlyMap<string, CollectionNode>,
  columns: readonly FieldColumn[],
  root: string,
  compact: boolean,
) {
  const [namespace] = useNamespace();
  const [q] = useParam('q');
  const short = namespace !== null || /(^|\s)ns:[^\s|,]+(\s|$)/.test(q ?? '');
  const shape = graph.edges
    .filter(edge => edge.kind !== 'fetch')
    .map(edge => `${edge.from}>${edge.to}`)
    .join();
  const kinds = [...nodes.values()].map(node => `${node.name}:${node.kind}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: live numbers in the graph must not redraw every line
  return useMemo(
    () => ({
      columns,
      collections: [...new Set(columns.map(column => column.collection))],
      inputs: new Map(
        graph.edges
          .filter(edge => edge.kind === 'input' || edge.kind === 'join')
          .map(edge => [edge.to, edge.from]),
      ),
      kinds: new Map([...nodes.values()].map(node => [node.name, node.kind])),
      root,
      short,
      compact,
      whyEmpty: (collection: string, input: string) =>
        navigate({view: 'why-not', collection, key: input, run: null}),
    }),
    [columns, root, short, compact, shape, kinds],
  );
}
