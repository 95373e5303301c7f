// Which row is looked at, and what of its run stands beside the code. Pure.

import type {PreviewRow} from '@krtscope/shared/formulas.ts';
import type {SheetRow} from '@krtscope/shared/sheet.ts';
import type {Draft} from '../draft/drafts.ts';
import type {LineNote} from '../editor/line-notes.ts';
import {errorLine, errorText, viaText} from '../formula-api.ts';
import type {PreviewState} from './use-preview.ts';

/** The input of the selected row: the selection itself, or what stands in its line; else the first row in view. */
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

/** How many each fetch matched for the chosen row; where rows fail, and how many. */
export function lineNotesOf(
  row: PreviewRow | undefined,
  preview: Pick<PreviewState, 'rows' | 'code'>,
  code: string | undefined,
): LineNote[] {
  // Lines of another text would point anywhere.
  if (preview.code !== code) return [];
  const notes: LineNote[] = [];
  for (const fetch of row?.fetches ?? []) {
    if (fetch.line === undefined || notes.some(note => note.line === fetch.line && note.count !== undefined))
      continue;
    const again = (row?.fetches ?? []).filter(one => one.line === fetch.line).length;
    const via = viaText(fetch.via);
    notes.push({
      line: fetch.line,
      count: `${fetch.matched} of ${fetch.scanned}${again > 1 ? ` ×${again}` : ''}`,
      words: via.words,
      tone: via.indexed ? 'plain' : 'warning',
    });
  }
  const failing = new Map<number, {count: number; text: string}>();
  for (const {error, code: own} of preview.rows.values()) {
    const line = errorLine(error);
    if (error === undefined || line === undefined || own !== code) continue;
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
