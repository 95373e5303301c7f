// The deletions and undone writes of a draft, each with a button that removes it.
import type {ItemRef} from '@krtscope/shared/run.ts';
import {IconButton} from '../ui/controls/Button.tsx';
import type {EditDraft} from './edit-draft.ts';

export function EditList({draft, onChange}: {draft: EditDraft; onChange: (draft: EditDraft) => void}) {
  const {deletes, undos} = draft;
  if (deletes.length + undos.length === 0) return null;
  const without = <T extends ItemRef>(list: readonly T[], gone: T) => list.filter(one => one !== gone);
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
    </ul>
  );
}
