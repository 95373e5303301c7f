// The last runs of an item, one glyph each. The selected run has a frame.

import type {RunMark} from '@krtscope/shared/run.ts';
import {Term} from '../app/keys/Term.tsx';
import {Kbd} from '../ui/controls/Kbd.tsx';
import {useRovingFocus} from '../ui/hooks/use-roving-focus.ts';
import {RunGlyph} from '../ui/indicators/outcome-state.tsx';
import {Age, clockText} from '../ui/text/Age.tsx';
import './run-strip.css';

const MAX_RUNS_SHOWN = 12;

export function RunStrip({
  marks,
  before,
  at,
  onPick,
}: {
  marks: RunMark[];
  /** How many recorded runs are older than these. */
  before: number;
  at: number;
  onPick: (at: number) => void;
}) {
  const rove = useRovingFocus('.run-cell');
  if (marks.length === 0) return null;
  // Show the selected run, and as many earlier runs as fit.
  const end = Math.min(marks.length, Math.max(at + 1, Math.min(MAX_RUNS_SHOWN, marks.length)));
  const start = Math.max(0, end - MAX_RUNS_SHOWN);
  const cells = marks.slice(start, end);
  return (
    <section className="run-strip" aria-label="Runs of this item">
      <div className="run-strip-head row">
        <span className="label">
          <Term word="run">Runs of this item</Term>
        </span>
        <span className="run-strip-keys inline-row gap-4">
          <Kbd keys="," /> <Kbd keys="." /> step
        </span>
      </div>
      <ol className="run-cells" onKeyDown={rove.onKeyDown} ref={rove.list}>
        {cells.map((mark, position) => {
          const here = start + position;
          return (
            <li key={mark.id}>
              <button
                type="button"
                className="run-cell"
                tabIndex={here === at ? 0 : -1}
                aria-current={here === at ? 'true' : undefined}
                aria-label={`${mark.outcome}, #${mark.sequence}, ${clockText(mark.at)}`}
                title={`${mark.outcome} #${mark.sequence}`}
                onClick={() => onPick(here)}
              >
                <RunGlyph outcome={mark.outcome} />
              </button>
            </li>
          );
        })}
      </ol>
      <div className="run-strip-foot row">
        <span>
          {before + start > 0 ? `${before + start} before ` : ''}
          {clockText(cells[0]!.at).slice(0, 5)}
        </span>
        <Age at={cells.at(-1)!.at} ago />
      </div>
    </section>
  );
}
