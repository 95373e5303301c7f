// The deletions, undone writes and formulas of a draft, each with a button that removes it.
import {IconButton} from '../ui/controls/Button.tsx';
import type {EditDraft} from './edit-draft.ts';

export function EditList({draft, onChange}: {draft: EditDraft; onChange: (draft: EditDraft) => void}) {
  const {deletes, undos, formulas} = draft;
  if (deletes.length + undos.length + formulas.length === 0) return null;
  const without = <T,>(list: readonly T[], gone: T) => list.filter(one => one !== gone);
  return (
    <ul className="what-if-edits plain-list" aria-label="Other edits">
      {deletes.map(one => (
        <li key={`${one.collection}/${one.key}`} className="row gap-6">
          <span>
            Delete <code>{`${one.collection} ${one.key}`}</code>
          </span>
          <IconButton
            icon="close"
            label={`Do not delete ${one.key}`}
            onClick={() => onChange({...draft, deletes: without(deletes, one)})}
          />
        </li>
      ))}
      {undos.map(one => (
        <li key={`${one.sequence}/${one.collection}/${one.key}`} className="row gap-6">
          <span>
            Take back write #{one.sequence} of <code>{`${one.collection} ${one.key}`}</code>
          </span>
          <IconButton
            icon="close"
            label={`Do not take back #${one.sequence}`}
            onClick={() => onChange({...draft, undos: without(undos, one)})}
          />
        </li>
      ))}
      {formulas.map(one => (
        <li key={one.name} className="row gap-6">
          <details className="what-if-formula">
            <summary>
              Formula <code>{one.name}</code> as drafted in the Lab
            </summary>
            <pre>{one.code}</pre>
          </details>
          <IconButton
            icon="close"
            label={`Without the formula ${one.name}`}
            onClick={() => onChange({...draft, formulas: without(formulas, one)})}
          />
        </li>
      ))}
    </ul>
  );
}
