// Finds the selected input, and writes the notes beside the code of its run. Pure.

import type {PreviewRow} from '@krtscope/shared/formulas.ts';
import type {SheetRow} from '@krtscope/shared/sheet.ts';
import {matchCount} from '../../ui/text/match-count.ts';
import type {Draft} from '../draft/drafts.ts';
import type {LineNote} from '../editor/line-notes.ts';
import {errorLine, errorText, viaText} from '../formula-api.ts';
import type {PreviewState} from './use-preview.ts';

/** The selection itself, the input in the selected line, or the first row in view. */
export function selectedInput(
  selection: {collection: string | null; key: string | null},
  draft: Draft | undefined,
  rows: readonly SheetRow[],
  inView: readonly string[],
): string | undefined {
  if (draft === undefined) return undefined;
  if (draft.kind === 'singleton' || draft.input === undefined) return 'static';
  const {collection, key} = selection;
  if (collection === null || key === null) return inView[0];
  if (collection === draft.input) return key;
  const row = rows.find(one => (one.cells[collection] ?? []).some(cell => cell.key === key));
  return row?.cells[draft.input]?.[0]?.key ?? inView[0];
}

/** How many items each fetch matched, and how many rows fail at each line. */
export function lineNotesOf(
  row: PreviewRow | undefined,
  preview: Pick<PreviewState, 'rows' | 'code'>,
  code: string | undefined,
): LineNote[] {
  // The line numbers belong to another text.
  if (preview.code !== code) return [];
  const notes: LineNote[] = [];
  for (const fetch of row?.fetches ?? []) {
    if (fetch.line === undefined || notes.some(note => note.line === fetch.line && note.count !== undefined))
      continue;
    const again = (row?.fetches ?? []).filter(one => one.line === fetch.line).length;
    const via = viaText(fetch.via);
    notes.push({
      line: fetch.line,
      count: `${matchCount(fetch)}${again > 1 ? ` ×${again}` : ''}`,
      words: via.words,
      tone: via.indexed ? 'plain' : 'warning',
    });
  }
  const failing = new Map<number, {count: number; text: string}>();
  for (const {error, code: rowCode} of preview.rows.values()) {
    const line = errorLine(error);
    if (error === undefined || line === undefined || rowCode !== code) continue;
    failing.set(line, {count: (failing.get(line)?.count ?? 0) + 1, text: errorText(error)});
  }
  for (const [line, {count, text}] of failing) {
    notes.push({
      line,
      words: `${count} ${count === 1 ? 'row' : 'rows'}: ${text.slice(0, 60)}`,
      tone: 'error',
    });
  }
  return notes;
}
