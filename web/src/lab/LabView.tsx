// The Lab: write a formula beside live data. Without a draft it shows examples and saved formulas.
import {AddSource} from '../app/sources/AddSource.tsx';
import {useGraph} from '../stream/use-subscription.ts';
import {DraftWorkspace} from './DraftWorkspace.tsx';
import {useCanSaveFormulas} from './draft/draft-context.ts';
import {useCurrentDraft} from './draft/draft-store.ts';
import {LabEmpty, RecipesDialog} from './draft/Recipes.tsx';
import {useDraftActions} from './draft/use-draft-actions.ts';
import {ModuleDialog} from './saved/ModuleDialog.tsx';
import {useSavedFormulas} from './saved/use-saved-formulas.ts';
import {helperFileIn, withOwnHelpers} from './share/formula-link.ts';
import {SharedBanner} from './share/SharedBanner.tsx';
import {useSharedFormula} from './share/use-shared-formula.ts';
import {useLabDialogs} from './use-lab-dialogs.ts';
import './lab-view.css';

export default function LabView() {
  const graph = useGraph();
  const draft = useCurrentDraft();
  const saved = useSavedFormulas(graph);
  const canSave = useCanSaveFormulas();
  const dialogs = useLabDialogs(saved.modules);
  const shared = useSharedFormula();
  // A recording's formulas were written by other people: show them before they run.
  const drafts = useDraftActions({
    graph,
    formulas: saved.formulas,
    onOpened: dialogs.close,
    showInstead: canSave ? undefined : shared.show,
  });
  return (
    <div className="lab">
      {shared.formula ? (
        <SharedBanner
          shared={shared.formula}
          onRun={() => {
            drafts.start(withOwnHelpers(shared.formula!, helperFileIn(saved.modules)));
            shared.dismiss();
          }}
          onDismiss={shared.dismiss}
        />
      ) : draft === undefined ? (
        <LabEmpty
          graph={graph}
          formulas={saved.formulas}
          modules={saved.modules}
          onModule={dialogs.showModule}
          canAdd={canSave}
          onOpen={drafts.openFormula}
          onPick={recipe => void drafts.startRecipe(recipe)}
          onAll={dialogs.showRecipes}
          onNew={drafts.startNew}
          onSource={dialogs.showAddSource}
        />
      ) : (
        <DraftWorkspace
          graph={graph}
          draft={draft}
          saved={saved}
          canSave={canSave}
          drafts={drafts}
          dialogs={dialogs}
        />
      )}
      {dialogs.open === 'recipes' ? (
        <RecipesDialog
          graph={graph}
          onPick={recipe => void drafts.startRecipe(recipe)}
          onClose={dialogs.close}
        />
      ) : null}
      {dialogs.open === 'source' ? (
        <AddSource onClose={dialogs.close} onAdded={drafts.onSourceAdded} />
      ) : null}
      {dialogs.module && graph ? (
        <ModuleDialog module={dialogs.module} at={graph.sequence} canSave={canSave} onClose={dialogs.close} />
      ) : null}
    </div>
  );
}
