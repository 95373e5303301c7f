// The open draft: its column beside live data above, the code with its fetches and checks below.
import type {Graph} from '@krtscope/shared/graph.ts';
import {type RefObject, useEffect, useMemo, useRef, useState} from 'react';
import {useNarrow} from '../app/use-narrow.ts';
import {DraftColumnContext} from '../sheet/grid/draft-column.ts';
import {SheetPane} from '../sheet/SheetView.tsx';
import {Tabs} from '../ui/controls/Tabs.tsx';
import {useWindowWidth} from '../ui/hooks/use-window-width.ts';
import {useDraftDataVersion} from './draft/draft-context.ts';
import {editDraft, useDraftStore} from './draft/draft-store.ts';
import type {Draft} from './draft/drafts.ts';
import type {DraftActions} from './draft/use-draft-actions.ts';
import {CodeEditor, type CodeEditorHandle} from './editor/CodeEditor.tsx';
import {ParamFields} from './editor/ParamFields.tsx';
import {ShapePicker} from './editor/ShapePicker.tsx';
import {StatusLine} from './editor/StatusLine.tsx';
import {LabBar} from './LabBar.tsx';
import {Checks} from './preview/Checks.tsx';
import {FetchTree} from './preview/FetchTree.tsx';
import {Pins} from './preview/Pins.tsx';
import {ShadowPanel} from './preview/ShadowPanel.tsx';
import {SingletonResult} from './preview/SingletonResult.tsx';
import {useDraftColumn} from './preview/use-draft-column.tsx';
import {usePins} from './preview/use-pins.ts';
import {usePreview} from './preview/use-preview.ts';
import {useRowsInView} from './preview/use-rows-in-view.ts';
import {useRunStepper} from './preview/use-run-stepper.ts';
import {useSelectedRun} from './preview/use-selected-run.ts';
import {SavingDialogs} from './saved/SavingDialogs.tsx';
import {useFormulaSaving} from './saved/use-formula-saving.ts';
import type {SavedFormulas} from './saved/use-saved-formulas.ts';
import type {FormulaShape} from './types/protocol.ts';
import {useCodeAnalysis} from './types/use-code-analysis.ts';
import {useFormulaTypes} from './types/use-formula-types.ts';
import type {LabDialogs} from './use-lab-dialogs.ts';
import {useLabKeys} from './use-lab-keys.ts';
import {useWorkspaceActions} from './use-workspace-actions.ts';

type LabTab = 'code' | 'tree' | 'checks';

export function DraftWorkspace({
  graph,
  draft,
  saved,
  canSave,
  drafts,
  dialogs,
}: {
  graph: Graph | null;
  draft: Draft;
  saved: SavedFormulas;
  canSave: boolean;
  drafts: DraftActions;
  dialogs: LabDialogs;
}) {
  const narrow = useNarrow();
  const width = useWindowWidth();
  const [tab, setTab] = useState<LabTab>('code');
  const editor = useRef<CodeEditorHandle | null>(null);
  useFocusNewDraft(draft.id, drafts.newDraft, editor);
  const openDrafts = useDraftStore(state => state.drafts);
  const {formulas, modules, reload} = saved;
  const saving = useFormulaSaving(draft, reload);
  const analysis = useCodeAnalysis(draft.code);
  const inView = useRowsInView();
  const {preview, runNow} = useDraftPreview(graph, draft, inView.keys, analysis.fetched);
  const failedRow = useMemo(
    () => [...preview.rows.values()].find(row => row.error !== undefined),
    [preview.rows],
  );
  const selected = useSelectedRun(draft, preview, inView);
  const stepper = useRunStepper(selected.row, formulas, drafts.openFormula);
  const pins = usePins(draft, preview);
  const actions = useWorkspaceActions({
    graph,
    draft,
    canSave,
    drafts,
    dialogs,
    saving,
    preview,
    failedRow,
    analysis,
    selected,
    stepper,
    pins,
  });
  const column = useDraftColumn({
    draft,
    graph,
    preview,
    selectedInput: selected.input,
    fetched: analysis.fetched,
    setInView: inView.set,
    onError: actions.onError,
    width,
  });
  useLabKeys(actions, stepper, editor, runNow);
  const {types, version: typesVersion} = useFormulaTypes(
    graph,
    draft.code,
    draft.input,
    modules.find(one => one.name === 'helpers.ts')?.files?.[0]?.code,
  );
  const code = (
    <section className="lab-editor column" aria-label="Editor">
      <ShapePicker
        graph={graph}
        draft={draft}
        onChange={drafts.changeShape}
        onSource={dialogs.showAddSource}
      />
      <CodeEditor
        id={draft.id}
        code={draft.code}
        shape={shapeOf(draft)}
        types={types}
        typesVersion={typesVersion}
        refusals={preview.refusal}
        notes={selected.notes}
        step={stepper.stepLine}
        readOnly={false}
        handle={editor}
        onChange={text => editDraft(draft.id, {code: text})}
        onAnalysis={analysis.onAnalysis}
        onRun={runNow}
        onSave={actions.onSave}
        onLeave={() => document.querySelector<HTMLElement>('.lab-name')?.focus()}
      />
      <ParamFields
        key={draft.id}
        params={preview.params}
        values={draft.params}
        onChange={params => editDraft(draft.id, {params})}
      />
      <StatusLine
        preview={preview}
        typeErrors={analysis.errorCount}
        formula={formulas.find(one => one.name === draft.of?.name)}
        failedRow={failedRow}
        onLine={(line, at) => editor.current?.goTo(line, at)}
        onRow={actions.onError}
      />
    </section>
  );
  const tree = (
    <FetchTree
      chosen={selected.input}
      row={selected.row}
      reads={selected.row?.reads ?? analysis.reads}
      step={stepper.step}
      onStep={stepper.setStep}
      onLine={(line, at) => {
        setTab('code');
        editor.current?.goTo(line, at);
      }}
    />
  );
  const checks = (
    <div className="lab-side">
      <Checks
        checks={preview.checks}
        total={preview.total}
        failed={preview.failed}
        earlier={preview.refusal !== null || preview.failure !== null}
      />
      <Pins results={pins.results} onDrop={pins.unpin} onAccept={pins.accept} />
      <ShadowPanel
        graph={graph}
        chosen={draft.shadow}
        shadow={preview.shadow}
        failed={preview.failed}
        onChoose={shadow => editDraft(draft.id, {shadow})}
      />
    </div>
  );
  return (
    <>
      <div className="lab-top column">
        {draft.kind === 'singleton' ? (
          <SingletonResult draft={draft} preview={preview} />
        ) : column ? (
          <DraftColumnContext value={column}>
            <SheetPane compact={narrow} />
          </DraftColumnContext>
        ) : null}
      </div>
      <LabBar
        draft={draft}
        drafts={openDrafts}
        formulas={formulas}
        modules={modules}
        preview={preview}
        canSave={canSave}
        narrow={width < 1360}
        actions={actions}
      />
      {narrow ? (
        <div className="lab-bottom lab-tabs column">
          <Tabs<LabTab>
            label="Lab"
            tabs={[
              {id: 'code', label: 'Editor'},
              {id: 'tree', label: 'Fetch tree'},
              {id: 'checks', label: 'Checks and shadow'},
            ]}
            active={tab}
            onPick={setTab}
          >
            {tab === 'code' ? code : tab === 'tree' ? tree : checks}
          </Tabs>
        </div>
      ) : (
        <div className="lab-bottom lab-columns">
          {code}
          {tree}
          {checks}
        </div>
      )}
      <SavingDialogs draft={draft} graph={graph} saving={saving} />
    </>
  );
}

function shapeOf({kind, input}: Draft): FormulaShape {
  return {kind, input: kind === 'singleton' ? undefined : input};
}

/** Pinned rows run first, then the rows in view. */
function useDraftPreview(
  graph: Graph | null,
  draft: Draft,
  inView: readonly string[],
  fetched: readonly string[],
) {
  const [turn, setTurn] = useState(0);
  const version = useDraftDataVersion(graph, draft, fetched);
  const keys = useMemo(
    () => [...new Set([...draft.pins.map(pin => pin.input), ...inView])],
    [draft.pins, inView],
  );
  const preview = usePreview(draft, keys, version, turn);
  return {preview, runNow: () => setTurn(n => n + 1)};
}

/** A new draft takes the focus, because the reader types its text next. */
function useFocusNewDraft(
  id: string,
  newDraft: RefObject<string | null>,
  editor: RefObject<CodeEditorHandle | null>,
): void {
  useEffect(() => {
    if (newDraft.current !== id) return;
    newDraft.current = null;
    editor.current?.focus();
  }, [id, newDraft, editor]);
}
