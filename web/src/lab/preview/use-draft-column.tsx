// The draft's column for the sheet, redrawn when its rows or the chosen one change.
import type {SheetRow} from '@krtscope/shared/sheet.ts';
import {useCallback, useMemo} from 'react';
import {rootOf} from '../../sheet/columns/columns.ts';
import type {DraftColumn} from '../../sheet/grid/draft-column.ts';
import type {LabModel} from '../use-lab-model.ts';
import {DraftColumnCell, DraftColumnFields, DraftColumnName, inputKeyOf} from './draft-column.tsx';

export function useDraftColumn(bench: LabModel, width: number): DraftColumn | null {
  const {draft, graph, preview, chosen, setInView, actions, fetched} = bench;
  const input = draft?.input;
  const root = graph && input !== undefined ? rootOf(graph, input) : undefined;
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
    if (!draft || input === undefined || root === undefined) return null;
    const shown = width < 1100 ? undefined : fetched[0];
    return {
      root,
      width: width < 720 ? 168 : width < 1100 ? 280 : shown === undefined ? 320 : 416,
      name: (
        <DraftColumnName
          draft={draft}
          preview={preview}
          reads={width < 1100 ? [] : fetched}
          onError={actions.onError}
        />
      ),
      fields: <DraftColumnFields fetched={shown} />,
      cell: (row, child) => {
        const key = inputKeyOf(row, input, root, child);
        const held = key === undefined ? undefined : preview.rows.get(key);
        return (
          <DraftColumnCell
            row={held}
            fetched={shown}
            many={draft.kind === 'many'}
            stale={held !== undefined && held.code !== draft.code}
            chosen={key !== undefined && key === chosen}
            input={key === undefined ? undefined : {collection: input, key}}
          />
        );
      },
      onRows,
    };
  }, [draft, input, root, width, fetched, preview, chosen, actions.onError, onRows]);
}
