// The line under the code: the first error with its line, or the state of the run.

import type {PreviewRow, SavedFormula} from '@krtscope/shared/formulas.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {errorLine, errorText} from '../formula-api.ts';
import type {PreviewState} from '../preview/use-preview.ts';
import './status-line.css';

export function StatusLine({
  preview,
  typeErrors,
  formula,
  failedRow,
  onLine,
  onRow,
}: {
  preview: PreviewState;
  typeErrors: number;
  formula: SavedFormula | undefined;
  failedRow: PreviewRow | undefined;
  onLine: (line: number, column?: number) => void;
  onRow: () => void;
}) {
  return (
    <footer className="lab-foot bar gap-8" role="status">
      <StatusText {...{preview, typeErrors, formula, failedRow, onLine, onRow}} />
      <span
        className="lab-walls inline-row gap-5"
        title="Formulas run in a separate process without network, files or clock"
      >
        <Icon name="lock" size={13} /> sandboxed: no network, no files
      </span>
    </footer>
  );
}

function StatusText({
  preview,
  typeErrors,
  formula,
  failedRow,
  onLine,
  onRow,
}: Parameters<typeof StatusLine>[0]) {
  const {refusal, failure, failed, total} = preview;
  if (refusal) {
    const [first] = refusal.errors;
    return (
      <>
        <StateGlyph tone="error" />
        {first ? (
          <button type="button" className="lab-link" onClick={() => onLine(first.line, first.column)}>
            line {first.line}
          </button>
        ) : null}
        <span className="foot-words ellipsis" title={first?.message ?? refusal.message}>
          {first?.message ?? refusal.message}
        </span>
        {preview.rows.size > 0 ? (
          <span className="foot-note">rows are from the last version that ran</span>
        ) : null}
      </>
    );
  }
  if (failure) {
    const waits = failure.code === 'engine-restarting' || failure.code === 'no-answer';
    return (
      <>
        {waits ? <Icon name="clock" size={14} /> : <StateGlyph tone="error" />}
        <span className="foot-words ellipsis" title={failure.message}>
          {failure.message}
        </span>
        <span className="foot-note">{waits ? 'runs again automatically' : failure.hint}</span>
      </>
    );
  }
  if (formula?.state === 'quarantined') {
    return (
      <>
        <StateGlyph tone="error" />
        <span className="foot-words ellipsis">
          {formula.name} is quarantined{formula.error ? `: ${formula.error.message}` : ''}
        </span>
        <span className="foot-note">change the formula and save it to run it again</span>
      </>
    );
  }
  if (failed > 0 && failedRow?.error) {
    const line = errorLine(failedRow.error);
    return (
      <>
        <StateGlyph tone="error" />
        {line === undefined ? null : (
          <button type="button" className="lab-link" onClick={() => onLine(line, failedRow.error?.column)}>
            line {line}
          </button>
        )}
        <span className="foot-words ellipsis">
          {errorText(failedRow.error)} for {failed.toLocaleString('en')} of {total.toLocaleString('en')} rows
        </span>
        <Button size="small" look="ghost" keys="F8" onClick={onRow}>
          Go to row
        </Button>
      </>
    );
  }
  if (typeErrors > 0) {
    return (
      <>
        <StateGlyph tone="error" />
        <span className="foot-words ellipsis">
          {typeErrors} {typeErrors === 1 ? 'type error' : 'type errors'}; the formula still runs
        </span>
      </>
    );
  }
  return <span className="foot-note">{runWords(preview.code, preview.busy)}</span>;
}

/** `code` is that of the rows on screen. */
function runWords(code: string | null, busy: boolean): string {
  if (code !== null) return 'runs on every change of the code or the cluster';
  return busy ? 'Running…' : 'Press Ctrl Enter to run';
}
