// The Lab: a draft beside live data. The sheet with the draft's column above, the code with its fetches and checks below.
import {useState} from 'react';
import {useKeys} from '../app/keys/keys.ts';
import {AddSource} from '../app/sources/AddSource.tsx';
import {useNarrow} from '../app/use-narrow.ts';
import {DraftColumnContext} from '../sheet/grid/draft-column.ts';
import {SheetPane} from '../sheet/SheetView.tsx';
import {navigate} from '../store/app.ts';
import {Tabs} from '../ui/controls/Tabs.tsx';
import {useWindowWidth} from '../ui/hooks/use-window-width.ts';
import {editDraft} from './draft/draft-store.ts';
import {LabEmpty, RecipesDialog} from './draft/Recipes.tsx';
import {CodeEditor} from './editor/CodeEditor.tsx';
import {ShapePicker} from './editor/ShapePicker.tsx';
import {StatusLine} from './editor/StatusLine.tsx';
import {LabBar} from './LabBar.tsx';
import {Checks} from './preview/Checks.tsx';
import {FetchTree} from './preview/FetchTree.tsx';
import {Pins} from './preview/Pins.tsx';
import {ShadowPanel} from './preview/ShadowPanel.tsx';
import {SingletonResult} from './preview/SingletonResult.tsx';
import {useDraftColumn} from './preview/use-draft-column.tsx';
import {DeleteDialog, readersOf} from './saved/DeleteDialog.tsx';
import {ModuleDialog} from './saved/ModuleDialog.tsx';
import {SaveDialog} from './saved/SaveDialog.tsx';
import {SharedBanner} from './share/SharedBanner.tsx';
import {type LabModel, useLabModel} from './use-lab-model.ts';
import './lab-view.css';

export default function LabView() {
  const bench = useLabModel();
  const {graph, draft, shared, dialog, keep, actions} = bench;
  return (
    <div className="lab">
      {shared ? (
        <SharedBanner shared={shared} onRun={bench.runShared} onDismiss={bench.dismissShared} />
      ) : draft === undefined ? (
        <LabEmpty
          graph={graph}
          formulas={bench.formulas}
          modules={bench.modules}
          onModule={actions.onModuleTexts}
          canAdd={bench.canKeep}
          onOpen={actions.onOpen}
          onPick={recipe => void bench.startRecipe(recipe)}
          onAll={actions.onRecipes}
          onNew={actions.onNew}
          onSource={actions.onSource}
        />
      ) : (
        <DraftWorkspace bench={bench} />
      )}
      {dialog === 'recipes' ? (
        <RecipesDialog
          graph={graph}
          onPick={recipe => void bench.startRecipe(recipe)}
          onClose={bench.closeDialog}
        />
      ) : null}
      {dialog === 'source' ? <AddSource onClose={bench.closeDialog} onAdded={bench.onSourceAdded} /> : null}
      {bench.module && graph ? (
        <ModuleDialog
          module={bench.module}
          at={graph.sequence}
          canKeep={bench.canKeep}
          onClose={bench.closeModule}
        />
      ) : null}
      {keep.asking && draft ? (
        <SaveDialog
          draft={draft}
          taken={(graph?.collections ?? []).map(node => node.name)}
          failure={keep.failure}
          busy={keep.busy}
          onSave={name => void keep.saveAs(name)}
          onClose={keep.close}
        />
      ) : null}
      {keep.deleting === null ? null : (
        <DeleteDialog
          name={keep.deleting}
          readers={readersOf(graph, keep.deleting)}
          failure={keep.failure}
          onDelete={() => void keep.removeNow()}
          onClose={keep.close}
        />
      )}
    </div>
  );
}

type LabTab = 'code' | 'tree' | 'checks';

function DraftWorkspace({bench}: {bench: LabModel}) {
  const draft = bench.draft!;
  const narrow = useNarrow();
  const width = useWindowWidth();
  const [tab, setTab] = useState<LabTab>('code');
  const ghost = useDraftColumn(bench, width);
  useLabKeys(bench);
  const code = <CodePane bench={bench} />;
  const tree = (
    <FetchTree
      chosen={bench.chosen}
      row={bench.chosenRow}
      reads={bench.reads}
      step={bench.step}
      onStep={bench.setStep}
      onLine={(line, column) => {
        setTab('code');
        bench.goToLine(line, column);
      }}
    />
  );
  const checks = (
    <div className="lab-side">
      <Checks
        checks={bench.preview.checks}
        total={bench.preview.total}
        failed={bench.preview.failed}
        earlier={bench.preview.refusal !== null || bench.preview.failure !== null}
      />
      <Pins results={bench.pins} onDrop={bench.unpin} onAccept={bench.acceptPin} />
      <ShadowPanel
        graph={bench.graph}
        chosen={draft.shadow}
        shadow={bench.preview.shadow}
        failed={bench.preview.failed}
        onChoose={name => editDraft(draft.id, {shadow: name as string})}
      />
    </div>
  );
  return (
    <>
      <div className="lab-top column">
        {draft.kind === 'singleton' ? (
          <SingletonResult draft={draft} preview={bench.preview} />
        ) : ghost ? (
          <DraftColumnContext value={ghost}>
            <SheetPane compact={narrow} />
          </DraftColumnContext>
        ) : null}
      </div>
      <LabBar
        draft={draft}
        drafts={bench.drafts}
        formulas={bench.formulas}
        modules={bench.modules}
        preview={bench.preview}
        canKeep={bench.canKeep}
        narrow={width < 1360}
        actions={bench.actions}
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
    </>
  );
}

function CodePane({bench}: {bench: LabModel}) {
  const draft = bench.draft!;
  return (
    <section className="lab-editor column" aria-label="Editor">
      <ShapePicker
        graph={bench.graph}
        draft={draft}
        onChange={bench.changeShape}
        onSource={bench.actions.onSource}
      />
      <CodeEditor
        id={draft.id}
        code={draft.code}
        shape={bench.shape}
        types={bench.types}
        typesVersion={bench.typesVersion}
        refusals={bench.preview.refusal}
        notes={bench.notes}
        step={bench.stepLine}
        readOnly={false}
        handle={bench.editor}
        onChange={code => editDraft(draft.id, {code})}
        onReading={bench.onReading}
        onRun={bench.run}
        onSave={bench.actions.onSave}
        onLeave={bench.leaveEditor}
      />
      <StatusLine
        preview={bench.preview}
        slips={bench.slips}
        formula={bench.formula}
        failedRow={bench.failedRow}
        onLine={bench.goToLine}
        onRow={bench.actions.onError}
      />
    </section>
  );
}

function useLabKeys(bench: LabModel): void {
  const {actions} = bench;
  useKeys({
    'Mod+S': {says: 'save as a collection', group: 'Here', typing: true, run: actions.onSave},
    'Mod+Enter': {says: 'run now', group: 'Here', typing: true, run: bench.run},
    F8: {says: 'first row that fails', group: 'Here', typing: true, run: actions.onError},
    F10: {says: 'step through the run', group: 'Here', typing: true, run: actions.onStep},
    'Shift+F10': {typing: true, run: bench.stepBack},
    F11: {says: 'into the fetched collection', group: 'Here', typing: true, run: bench.stepIn},
    'Shift+F11': {typing: true, run: bench.stepOut},
    e: {says: 'edit the formula', group: 'Here', run: () => bench.editor.current?.focus()},
    t: {says: 'pin the row as a test', group: 'Here', run: actions.onPin},
    d: {
      says: 'compare with a column',
      group: 'Here',
      run: () => document.getElementById('lab-shadow')?.click(),
    },
    'Shift+G': {says: 'copy as Go krt', group: 'Take away', run: actions.onGo},
    'Shift+Y': {says: 'copy link', group: 'Take away', run: actions.onLink},
    Escape: {run: () => (bench.step === null ? false : bench.setStep(null))},
    i: {run: () => navigate({view: 'sheet', inspector: true})},
  });
}
