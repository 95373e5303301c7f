// Builds the draft's column for the sheet. It changes only when its rows or the selection change.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {SheetRow} from '@krtscope/shared/sheet.ts';
import {useCallback, useMemo} from 'react';
import {rootOf} from '../../sheet/columns/columns.ts';
import type {DraftColumn} from '../../sheet/grid/draft-column.ts';
import type {Draft} from '../draft/drafts.ts';
import {DraftColumnCell, DraftColumnFields, DraftColumnName, inputKeyOf} from './draft-column.tsx';
import type {PreviewState} from './use-preview.ts';
import type {RowsInView} from './use-rows-in-view.ts';

export function useDraftColumn({
  draft,
  graph,
  preview,
  selectedInput,
  fetched,
  setInView,
  onError,
  width,
}: {
  draft: Draft;
  graph: Graph | null;
  preview: PreviewState;
  selectedInput: string | undefined;
  fetched: readonly string[];
  setInView: RowsInView['set'];
  onError: () => void;
  width: number;
}): DraftColumn | null {
  const {input} = draft;
  const root = graph && input !== undefined ? draftRootOf(graph, input) : undefined;
  const onRows = useCallback(
    (rows: readonly SheetRow[], first: number, count: number) => {
      if (input === undefined || root === undefined) return;
      const near = rows.filter(row => row.line + row.lines > first - 4 && row.line < first + count + 4);
      const keys = near.flatMap(row =>
        input === root ? [row.key] : (row.cells[input] ?? []).map(cell => cell.key),
      );
      setInView([...new Set(keys)], rows);
    },
    [input, root, setInView],
  );
  return useMemo(() => {
    if (input === undefined || root === undefined) return null;
    const shown = width < 1100 ? undefined : fetched[0];
    return {
      root,
      width: width < 720 ? 168 : width < 1100 ? 280 : shown === undefined ? 320 : 416,
      name: (
        <DraftColumnName
          draft={draft}
          preview={preview}
          reads={width < 1100 ? [] : fetched}
          onError={onError}
        />
      ),
      fields: <DraftColumnFields fetched={shown} />,
      cell: (row, child) => {
        const key = inputKeyOf(row, input, root, child);
        const result = key === undefined ? undefined : preview.rows.get(key);
        return (
          <DraftColumnCell
            row={result}
            fetched={shown}
            many={draft.kind === 'many'}
            stale={result !== undefined && result.code !== draft.code}
            chosen={key !== undefined && key === selectedInput}
            input={key === undefined ? undefined : {collection: input, key}}
          />
        );
      },
      onRows,
    };
  }, [draft, input, root, width, fetched, preview, selectedInput, onError, onRows]);
}

/** The collection whose rows the Sheet draws: a draft over groups has one row for each group. */
function draftRootOf(graph: Graph, input: string): string {
  const isGroup = graph.collections.find(node => node.name === input)?.kind === 'index';
  return isGroup ? input : rootOf(graph, input);
}
