// Everything on the bench: the open draft, its preview, what TypeScript says of it, and what the buttons do.

import type {FormulaKind, ModuleState, PreviewRow, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import type {SheetRow} from '@krtscope/shared/sheet.ts';
import {type RefObject, useCallback, useEffect, useMemo, useRef, useState} from 'react';
import {copyText, navigate, toast, useApp} from '../store/app.ts';
import {select, useSelection} from '../store/navigation.ts';
import {useGraph} from '../stream/use-subscription.ts';
import {useCanSaveFormulas, useDraftDataVersion} from './draft/draft-context.ts';
import {editDraft, useCurrentDraft, useDraftStore} from './draft/draft-store.ts';
import type {Draft} from './draft/drafts.ts';
import {type DraftActions, useDraftActions} from './draft/use-draft-actions.ts';
import type {CodeEditorHandle} from './editor/CodeEditor.tsx';
import type {LineNote} from './editor/line-notes.ts';
import {goSkeleton} from './export/go-skeleton.ts';
import {typescriptModule} from './export/typescript-module.ts';
import type {LabBarActions} from './LabBar.tsx';
import {checkPins, type PinResult, pinRow} from './preview/pins.ts';
import {lineNotesOf, selectedInput} from './preview/selected-row.ts';
import {type PreviewState, usePreview} from './preview/use-preview.ts';
import {useRunStepper} from './preview/use-run-stepper.ts';
import {type FormulaSaving, useFormulaSaving} from './saved/use-formula-saving.ts';
import {useSavedFormulas} from './saved/use-saved-formulas.ts';
import {encodeFormulaLink, type SharedFormula} from './share/formula-link.ts';
import {useSharedFormula} from './share/use-shared-formula.ts';
import type {FormulaAnalysis, FormulaShape} from './types/protocol.ts';
import type {TypeClient} from './types/type-client.ts';
import {useFormulaTypes} from './types/use-formula-types.ts';

export interface LabModel extends Pick<DraftActions, 'startRecipe' | 'changeShape' | 'onSourceAdded'> {
  graph: Graph | null;
  draft: Draft | undefined;
  drafts: readonly Draft[];
  formulas: readonly SavedFormula[];
  modules: readonly ModuleState[];
  /** The one whose texts are open. */
  module: ModuleState | undefined;
  closeModule: () => void;
  formula: SavedFormula | undefined;
  canKeep: boolean;
  preview: PreviewState;
  shape: FormulaShape;
  types: TypeClient;
  typesVersion: number;
  editor: RefObject<CodeEditorHandle | null>;
  notes: readonly LineNote[];
  slips: number;
  reads: readonly string[];
  fetched: readonly string[];
  chosen: string | undefined;
  chosenRow: PreviewRow | undefined;
  failedRow: PreviewRow | undefined;
  step: number | null;
  stepLine: number | null;
  setStep: (step: number | null) => void;
  stepBack: () => void;
  stepIn: () => void;
  stepOut: () => void;
  pins: PinResult[];
  unpin: (input: string) => void;
  acceptPin: (input: string, items: unknown[]) => void;
  shared: SharedFormula | null;
  runShared: () => void;
  dismissShared: () => void;
  dialog: 'recipes' | 'source' | null;
  closeDialog: () => void;
  keep: FormulaSaving;
  actions: LabBarActions;
  setInView: (keys: string[], rows: readonly SheetRow[]) => void;
  onReading: (reading: FormulaAnalysis, code: string) => void;
  goToLine: (line: number, column?: number) => void;
  run: () => void;
  leaveEditor: () => void;
}

export function useLabModel(): LabModel {
  const graph = useGraph();
  const draft = useCurrentDraft();
  const drafts = useDraftStore(state => state.drafts);
  const {formulas, modules, again} = useSavedFormulas(graph);
  const [moduleName, setModuleName] = useState<string | null>(null);
  const keep = useFormulaSaving(draft, again);
  const [dialog, setDialog] = useState<LabModel['dialog']>(null);
  const canKeep = useCanSaveFormulas();
  const [shared, setShared] = useState<SharedFormula | null>(null);
  // What a recording carries is shown first: its code is somebody else's.
  const onForeign = canKeep ? undefined : setShared;
  const begun = useRef<string | null>(null);
  const onBegun = (id: string) => {
    begun.current = id;
  };
  const openings = useDraftActions(graph, formulas, () => setDialog(null), onBegun, onForeign);
  const {runShared, dismissShared} = useSharedFormula(shared, setShared, openings.start);
  const {inView, rows, setInView} = useRowsInView();
  const [turn, setTurn] = useState(0);
  const [reading, setReading] = useState<{reading: FormulaAnalysis; code: string} | null>(null);
  const editor = useRef<CodeEditorHandle | null>(null);
  // The editor of another draft is another one: it is there once the draft is.
  useEffect(() => {
    if (draft?.id === undefined || begun.current !== draft.id) return;
    begun.current = null;
    editor.current?.focus();
  }, [draft?.id]);
  const version = useDraftDataVersion(graph, draft, reading?.reading);
  const wanted = useMemo(
    () => [...new Set([...(draft?.pins ?? []).map(pin => pin.input), ...inView])],
    [draft?.pins, inView],
  );
  const preview = usePreview(shared ? null : (draft ?? null), wanted, version, turn);
  const {types, version: typesVersion} = useFormulaTypes(graph, draft?.code ?? '', draft?.input);
  const chosen = selectedInput(useSelection(), draft, rows, inView);
  const chosenRow = chosen === undefined ? undefined : preview.rows.get(chosen);
  const failedRow = useMemo(
    () => [...preview.rows.values()].find(row => row.error !== undefined),
    [preview.rows],
  );
  const steps = useRunStepper(chosenRow, formulas, openings.openFormula);
  const own = reading?.code === draft?.code ? reading?.reading : undefined;
  const notes = useMemo(
    () => lineNotesOf(chosenRow, preview, draft?.code),
    [chosenRow, preview, draft?.code],
  );
  const goToLine = useCallback((line: number, column?: number) => editor.current?.goTo(line, column), []);
  const fetched = useMemo(
    () => [...new Set((reading?.reading.fetches ?? []).map(site => site.collection))].filter(Boolean),
    [reading],
  );

  const onError = useCallback(() => {
    if (!failedRow || draft?.input === undefined) return;
    select({collection: draft.input, key: failedRow.input});
  }, [failedRow, draft?.input]);
  const actions: LabBarActions = {
    onNew: openings.startNew,
    onChoose: openings.choose,
    onOpen: openings.openFormula,
    onModuleTexts: setModuleName,
    onRename: keep.rename,
    onHistory: code => draft && editDraft(draft.id, {code}),
    onThrowAway: () => draft && openings.throwAway(draft),
    onDelete: keep.remove,
    onRecipes: () => setDialog('recipes'),
    onSource: () => setDialog('source'),
    onStep: steps.next,
    onPin: () => {
      if (!draft || !chosenRow || chosenRow.error) toast('Choose a row that has a result first');
      else {
        editDraft(draft.id, {pins: pinRow(draft.pins, chosenRow)});
        toast(`${chosenRow.input} is a test now: it runs at every change`);
      }
    },
    onGo: () => {
      if (!draft) return;
      const sample = [...preview.rows.values()].find(row => row.items.length > 0)?.items[0];
      const text = goSkeleton({draft, graph, fetches: reading?.reading.fetches ?? [], sample});
      void copyText(text, 'Go krt skeleton copied');
    },
    onModule: () => {
      const names = (graph?.collections ?? []).map(node => node.name);
      if (draft) void copyText(typescriptModule(draft, names), 'TypeScript module copied');
    },
    onLink: () => draft && void copyLink(draft),
    onSave: () => {
      if (canKeep) keep.save();
      else toast('A recording is read-only: nothing can be kept in it');
    },
    onError,
    onClose: () => navigate({view: 'sheet'}),
  };
  return {
    ...openings,
    graph,
    draft,
    drafts,
    formulas,
    modules,
    module: modules.find(one => one.name === moduleName),
    closeModule: () => setModuleName(null),
    formula: formulas.find(one => one.name === draft?.of?.name),
    canKeep,
    preview,
    shape: shapeOf(draft),
    types,
    typesVersion,
    editor,
    notes,
    slips: own?.slips.filter(slip => slip.severity === 'error').length ?? 0,
    reads: chosenRow?.reads ?? own?.reads ?? [],
    fetched,
    chosen,
    chosenRow,
    failedRow,
    ...steps,
    pins: checkPins(draft?.pins ?? [], preview.rows, preview.whole),
    unpin: input => draft && editDraft(draft.id, {pins: draft.pins.filter(pin => pin.input !== input)}),
    acceptPin: (input, items) =>
      draft &&
      editDraft(draft.id, {pins: draft.pins.map(pin => (pin.input === input ? {input, items} : pin))}),
    shared,
    runShared,
    dismissShared,
    dialog,
    closeDialog: () => setDialog(null),
    keep,
    actions,
    setInView,
    onReading: useCallback((next: FormulaAnalysis, code: string) => setReading({reading: next, code}), []),
    goToLine,
    run: () => setTurn(n => n + 1),
    leaveEditor: () => document.querySelector<HTMLElement>('.lab-name')?.focus(),
  };
}

function shapeOf(draft: Draft | undefined): FormulaShape {
  const kind: FormulaKind = draft?.kind ?? 'one';
  return {kind, ...(draft?.input !== undefined && kind !== 'singleton' && {input: draft.input})};
}

function useRowsInView() {
  const [held, setHeld] = useState<{inView: string[]; rows: readonly SheetRow[]}>({inView: [], rows: []});
  const setInView = useCallback((inView: string[], rows: readonly SheetRow[]) => {
    setHeld(old => {
      const same = old.inView.length === inView.length && old.inView.every((key, at) => key === inView[at]);
      return same && old.rows === rows ? old : {inView: same ? old.inView : inView, rows};
    });
  }, []);
  return {...held, setInView};
}

async function copyLink({name, kind, input, code, shadow}: Draft): Promise<void> {
  const text = await encodeFormulaLink({
    name,
    kind,
    code,
    ...(input !== undefined && {input}),
    ...(shadow !== undefined && {shadow}),
  });
  const {session} = useApp.getState().route;
  await copyText(
    `${window.location.origin}/s/${encodeURIComponent(session ?? '')}/lab#z=${text}`,
    'Link copied: the code is in it',
  );
}
