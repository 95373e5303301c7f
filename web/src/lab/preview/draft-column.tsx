// The draft as a column of the sheet: the first fetch and the result of each row.

import type {PreviewRow} from '@krtscope/shared/formulas.ts';
import type {SheetRow} from '@krtscope/shared/sheet.ts';
import type {ReactNode} from 'react';
import {select} from '../../store/navigation.ts';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {type Draft, draftState} from '../draft/drafts.ts';
import {errorLine, errorText} from '../formula-api.ts';
import {resultText} from './result-text.ts';
import type {PreviewState} from './use-preview.ts';
import './draft-column.css';
import {matchCount} from '../../ui/text/match-count.ts';

/** The input key of a line of the sheet. */
export function inputKeyOf(row: SheetRow, input: string, root: string, child: number): string | undefined {
  if (input === root) return child === 0 ? row.key : undefined;
  return row.cells[input]?.[child]?.key;
}

export function DraftColumnName({
  draft,
  preview,
  reads,
  onError,
}: {
  draft: Draft;
  preview: PreviewState;
  reads: readonly string[];
  onError: () => void;
}) {
  // Only when all rows are known: a partial count would be wrong.
  const resultCount =
    preview.whole && preview.rows.size >= preview.total
      ? [...preview.rows.values()].filter(row => row.items.length > 0).length
      : null;
  return (
    <>
      <KindShape kind={draft.kind === 'many' ? 'many' : 'derived'} />
      <span className="head-title">{draft.name}</span>
      <span className="lab-word">{draftState(draft)}</span>
      {resultCount === null ? null : (
        <span className="head-count">
          {resultCount.toLocaleString('en')} {resultCount === 1 ? 'row' : 'rows'}
        </span>
      )}
      {preview.failed > 0 ? (
        <button
          type="button"
          className="lab-errors"
          onClick={onError}
          title="Go to the first row that fails (F8)"
        >
          <StateGlyph tone="error" size={8} /> {preview.failed} {preview.failed === 1 ? 'error' : 'errors'}
        </button>
      ) : null}
      {reads.length > 0 ? (
        <span className="ghost-reads" title={`reads ${reads.join(', ')}`}>
          reads {reads.join(', ')}
        </span>
      ) : null}
    </>
  );
}

export function DraftColumnFields({fetched}: {fetched: string | undefined}) {
  return (
    <>
      {fetched === undefined ? null : <span className="ghost-fetch ellipsis">fetch {fetched}</span>}
      <span className="ghost-return row gap-6">return</span>
    </>
  );
}

export function DraftColumnCell({
  row,
  fetched,
  many,
  stale,
  chosen,
  input,
}: {
  row: PreviewRow | undefined;
  fetched: string | undefined;
  many: boolean;
  /** The row comes from older code. */
  stale: boolean;
  chosen: boolean;
  input: {collection: string; key: string} | undefined;
}): ReactNode {
  if (input === undefined) return null;
  if (row === undefined) return <span className="ghost-return row gap-6 ghost-waiting">…</span>;
  const fetch = row.fetches.find(one => one.collection === fetched);
  const error = row.error === undefined ? undefined : errorText(row.error);
  const line = errorLine(row.error);
  const text =
    error ??
    (row.waitingFor
      ? `waits for ${row.waitingFor}`
      : row.discarded
        ? 'discarded'
        : resultText(row.items, many));
  return (
    <>
      {fetched === undefined ? null : (
        <span className="ghost-fetch ellipsis">{fetch ? matchCount(fetch) : '—'}</span>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys; a click only moves its active cell */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <span
        className={`ghost-return row gap-6 ${error ? 'ghost-error' : row.items.length === 0 ? 'ghost-none' : ''} ${stale ? 'ghost-stale' : ''} ${chosen ? 'ghost-chosen' : ''}`}
        title={`${text}${row.ms >= 0 ? `\n${row.ms.toFixed(2)} ms` : ''}`}
        onClick={() => select(input)}
      >
        {error ? <StateGlyph tone="error" size={8} /> : null}
        <span className="ghost-text">{text}</span>
        {error && line !== undefined ? <span className="ghost-line">line {line}</span> : null}
      </span>
    </>
  );
}
