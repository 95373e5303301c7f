// The value of a singleton, in place of the sheet.
import {Yaml} from '../../ui/code/Yaml.tsx';
import {type Draft, draftState} from '../draft/drafts.ts';
import {errorText} from '../formula-api.ts';
import type {PreviewState} from './use-preview.ts';
import './singleton-result.css';

export function SingletonResult({draft, preview}: {draft: Draft; preview: PreviewState}) {
  const [row] = preview.rows.values();
  return (
    <section className="lab-single column" aria-label={`${draft.name}, one value`}>
      <header className="lab-single-head row gap-8">
        <b>{draft.name}</b> <span className="lab-word">{draftState(draft)}</span>
        <span className="lab-pane-note">one value for the whole cluster</span>
      </header>
      {row === undefined ? (
        <p className="lab-hint">Not run yet.</p>
      ) : row.error ? (
        <p className="tree-error">{errorText(row.error)}</p>
      ) : row.items.length === 0 ? (
        <p className="lab-hint">null: the collection would be empty.</p>
      ) : (
        <div className="lab-single-value">
          <Yaml value={row.items[0]} label={`Value of ${draft.name}`} />
        </div>
      )}
    </section>
  );
}
