// Below the editor: delete the object instead, and let controllers react.
import {Button} from '../ui/controls/Button.tsx';
import type {EditDraft, EditedOriginal} from './edit-draft.ts';

export function EditOptions({
  draft,
  original,
  onChange,
}: {
  draft: EditDraft;
  original: EditedOriginal | undefined;
  onChange: (draft: EditDraft) => void;
}) {
  return (
    <div className="what-if-more row gap-8">
      <label
        className="what-if-react row gap-6"
        title="krtscope's own Deployment, ReplicaSet and EndpointSlice controllers play on the copy until nothing changes, at most 100 rounds"
      >
        <input
          type="checkbox"
          checked={draft.react}
          onChange={event => onChange({...draft, react: event.target.checked})}
        />
        Let controllers react
      </label>
      {original === undefined ? null : <DeleteButton {...{draft, original, onChange}} />}
    </div>
  );
}

function DeleteButton({
  draft,
  original: {collection, key},
  onChange,
}: {
  draft: EditDraft;
  original: EditedOriginal;
  onChange: (draft: EditDraft) => void;
}) {
  const isDeleted = draft.deletes.some(one => one.collection === collection && one.key === key);
  if (isDeleted) return null;
  return (
    <Button
      size="small"
      look="ghost"
      onClick={() => onChange({...draft, manifest: '', deletes: [...draft.deletes, {collection, key}]})}
    >
      What if it were deleted
    </Button>
  );
}
