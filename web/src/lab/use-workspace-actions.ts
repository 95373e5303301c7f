// What the buttons, menus and keys of the workspace do.
import type {PreviewRow} from '@krtscope/shared/formulas.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import {useCallback} from 'react';
import {navigate, toast} from '../store/app.ts';
import {select} from '../store/navigation.ts';
import {openWhatIfFormula} from '../what-if/open-what-if.ts';
import {editDraft} from './draft/draft-store.ts';
import type {Draft} from './draft/drafts.ts';
import type {DraftActions} from './draft/use-draft-actions.ts';
import {copyAsGo, copyAsModule, copyLink} from './export/copy-formula.ts';
import type {LabBarActions} from './LabBar.tsx';
import type {PinActions} from './preview/use-pins.ts';
import type {PreviewState} from './preview/use-preview.ts';
import type {RunStepper} from './preview/use-run-stepper.ts';
import type {SelectedRun} from './preview/use-selected-run.ts';
import type {FormulaSaving} from './saved/use-formula-saving.ts';
import type {CodeAnalysis} from './types/use-code-analysis.ts';
import type {LabDialogs} from './use-lab-dialogs.ts';

interface WorkspaceParts {
  graph: Graph | null;
  draft: Draft;
  canSave: boolean;
  drafts: DraftActions;
  dialogs: LabDialogs;
  saving: FormulaSaving;
  preview: PreviewState;
  failedRow: PreviewRow | undefined;
  analysis: CodeAnalysis;
  selected: SelectedRun;
  stepper: RunStepper;
  pins: PinActions;
}

export function useWorkspaceActions(parts: WorkspaceParts): LabBarActions {
  const {graph, draft, drafts, dialogs, saving, preview} = parts;
  return {
    onNew: drafts.startNew,
    onChoose: drafts.choose,
    onOpen: drafts.openFormula,
    onModuleTexts: dialogs.showModule,
    onRename: saving.rename,
    onHistory: code => editDraft(draft.id, {code}),
    onDiscard: () => drafts.discard(draft),
    onDelete: saving.remove,
    onRecipes: dialogs.showRecipes,
    onSource: dialogs.showAddSource,
    onStep: parts.stepper.next,
    onPin: () => parts.pins.pin(parts.selected.row),
    onGo: () => copyAsGo(draft, graph, parts.analysis.fetches, preview),
    onModule: () => void copyAsModule(draft, graph),
    onWhatIf: () => {
      const {of, name, code, kind, input, params} = draft;
      openWhatIfFormula({
        name: of?.name ?? name,
        code,
        kind,
        ...(input === undefined ? {} : {input}),
        ...(params === undefined ? {} : {params}),
      });
    },
    onLink: () => void copyLink(draft),
    onSave: () => {
      if (parts.canSave) saving.save();
      else toast('A recording is read-only. Copy the link, or save the formula in a live session.');
    },
    onError: useSelectFailedRow(draft.input, parts.failedRow),
    onClose: () => navigate({view: 'sheet'}),
  };
}

/** Stable, because the sheet draws the draft's column again when this function changes. */
function useSelectFailedRow(input: string | undefined, row: PreviewRow | undefined): () => void {
  const key = row?.input;
  return useCallback(() => {
    if (key !== undefined && input !== undefined) select({collection: input, key});
  }, [key, input]);
}
