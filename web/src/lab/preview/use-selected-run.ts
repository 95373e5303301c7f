// The run of the selected row, and what the editor shows of it beside the code.
import type {PreviewRow} from '@krtscope/shared/formulas.ts';
import {useMemo} from 'react';
import {useSelection} from '../../store/navigation.ts';
import type {Draft} from '../draft/drafts.ts';
import type {LineNote} from '../editor/line-notes.ts';
import {lineNotesOf, selectedInput} from './selected-row.ts';
import type {PreviewState} from './use-preview.ts';
import type {RowsInView} from './use-rows-in-view.ts';

export interface SelectedRun {
  input: string | undefined;
  row: PreviewRow | undefined;
  notes: readonly LineNote[];
}

export function useSelectedRun(draft: Draft, preview: PreviewState, inView: RowsInView): SelectedRun {
  const input = selectedInput(useSelection(), draft, inView.rows, inView.keys);
  const row = input === undefined ? undefined : preview.rows.get(input);
  const notes = useMemo(() => lineNotesOf(row, preview, draft.code), [row, preview, draft.code]);
  return {input, row, notes};
}
