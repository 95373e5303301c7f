// Asks for the name of a formula: at the first save, or to rename it.

import type {ApiFailure} from '@krtscope/shared/session.ts';
import {type FormEvent, useState} from 'react';
import {failureText} from '../../stream/failure-text.ts';
import {Button} from '../../ui/controls/Button.tsx';
import type {Draft} from '../draft/drafts.ts';
import {LabDialog} from '../LabDialog.tsx';
import './save-dialog.css';

const namePattern = /^[A-Za-z_$][A-Za-z0-9_$]{0,62}$/;

/** Why a formula cannot have this name. Undefined if it can. */
export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return 'Enter a name.';
  if (!namePattern.test(name))
    return 'Use a letter, _ or $ first, then letters, digits, _ or $. At most 63 characters.';
  const clash = taken.find(one => one.toLowerCase() === name.toLowerCase());
  return clash === undefined ? undefined : `A collection named ${clash} exists already.`;
}

export function SaveDialog({
  draft,
  taken,
  failure,
  busy,
  onSave,
  onClose,
}: {
  draft: Draft;
  taken: readonly string[];
  failure: ApiFailure | null;
  busy: boolean;
  onSave: (name: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(draft.name);
  const others = taken.filter(one => one !== draft.of?.name);
  const refused = nameProblem(name.trim(), others);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (refused === undefined && !busy) onSave(name.trim());
  };
  return (
    <LabDialog label={draft.of ? `Rename ${draft.of.name}` : 'Save as a collection'} onClose={onClose}>
      <form className="save" onSubmit={submit}>
        <h2 className="save-title">{draft.of ? 'Rename the formula' : 'Save as a collection'}</h2>
        <p className="save-words">
          {draft.of
            ? 'A formula that other collections read cannot be renamed. In the recording the old name is removed and the new one added.'
            : 'The formula becomes a live collection of the graph. Other formulas can fetch from it by this name.'}
        </p>
        <label className="column gap-4">
          <span className="label">Name</span>
          <input
            // biome-ignore lint/a11y/noAutofocus: the dialog asks for this one thing
            autoFocus
            className="save-input mono"
            value={name}
            spellCheck={false}
            aria-invalid={refused !== undefined}
            aria-describedby="save-said"
            onFocus={event => event.target.select()}
            onChange={event => setName(event.target.value)}
          />
        </label>
        <p
          id="save-said"
          className={refused || failure ? 'save-said save-refused' : 'save-said'}
          role="status"
        >
          {refused ?? (failure ? failureText(failure) : describeFormulaShape(draft))}
        </p>
        <div className="save-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={refused !== undefined || busy}>
            {busy ? 'Saving…' : draft.of ? 'Rename' : 'Save'}
          </Button>
        </div>
      </form>
    </LabDialog>
  );
}

export function describeFormulaShape({kind, input}: Pick<Draft, 'kind' | 'input'>): string {
  if (kind === 'singleton' || input === undefined) return 'One value for the whole cluster.';
  return kind === 'many'
    ? `Any number of rows for each of ${input}.`
    : `One row, or none, for each of ${input}.`;
}
