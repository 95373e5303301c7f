// The dialogs that ask before a formula is saved, renamed or deleted.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {Draft} from '../draft/drafts.ts';
import {DeleteDialog, readersOf} from './DeleteDialog.tsx';
import {SaveDialog} from './SaveDialog.tsx';
import type {FormulaSaving} from './use-formula-saving.ts';

export function SavingDialogs({
  draft,
  graph,
  saving,
}: {
  draft: Draft;
  graph: Graph | null;
  saving: FormulaSaving;
}) {
  return (
    <>
      {saving.asking ? (
        <SaveDialog
          draft={draft}
          taken={(graph?.collections ?? []).map(node => node.name)}
          failure={saving.failure}
          busy={saving.busy}
          onSave={name => void saving.saveAs(name)}
          onClose={saving.close}
        />
      ) : null}
      {saving.deleting === null ? null : (
        <DeleteDialog
          name={saving.deleting}
          readers={readersOf(graph, saving.deleting)}
          failure={saving.failure}
          onDelete={() => void saving.removeNow()}
          onClose={saving.close}
        />
      )}
    </>
  );
}
