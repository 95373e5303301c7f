// The Lab's toolbar: the draft and its state on the left, the actions on the right.

import type {ModuleState, SavedFormula} from '@krtscope/shared/formulas.ts';
import {Button, IconButton} from '../ui/controls/Button.tsx';
import {Menu} from '../ui/controls/Menu.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {StateGlyph} from '../ui/indicators/outcome-state.tsx';
import {DraftMenu, type DraftMenuActions} from './draft/DraftMenu.tsx';
import {type Draft, hasUnsavedChanges} from './draft/drafts.ts';
import type {PreviewState} from './preview/use-preview.ts';
import './lab-bar.css';

export interface LabBarActions extends DraftMenuActions {
  onRecipes: () => void;
  onSource: () => void;
  onStep: () => void;
  onPin: () => void;
  onGo: () => void;
  onModule: () => void;
  /** Which rows of other collections would differ if the draft were saved. */
  onWhatIf: () => void;
  onLink: () => void;
  onSave: () => void;
  onError: () => void;
  onClose: () => void;
}

export function LabBar({
  draft,
  drafts,
  formulas,
  modules,
  preview,
  canSave,
  narrow,
  actions,
}: {
  draft: Draft;
  drafts: readonly Draft[];
  formulas: readonly SavedFormula[];
  modules: readonly ModuleState[];
  preview: PreviewState;
  canSave: boolean;
  narrow: boolean;
  actions: LabBarActions;
}) {
  const more = [
    {id: 'step', label: 'Step', icon: 'right' as const, keys: 'F10', onPick: actions.onStep},
    {id: 'pin', label: 'Pin as test', icon: 'pin' as const, keys: 't', onPick: actions.onPin},
  ];
  const take = [
    {id: 'module', label: 'TypeScript module', icon: 'file' as const, onPick: actions.onModule},
    {id: 'go', label: 'Go krt skeleton', icon: 'file' as const, keys: 'Shift+G', onPick: actions.onGo},
  ];
  return (
    <div className="lab-bar bar gap-8" role="toolbar" aria-label="Lab">
      <Icon name="lab" size={18} />
      {narrow ? null : <h1 className="lab-title">Lab</h1>}
      <DraftMenu draft={draft} drafts={drafts} formulas={formulas} modules={modules} actions={actions} />
      <SaveState draft={draft} formula={formulas.find(one => one.name === draft.of?.name)} />
      <PreviewProgress preview={preview} onError={actions.onError} narrow={narrow} />
      <span className="lab-space" />
      <Button look="ghost" onClick={actions.onRecipes}>
        Examples
      </Button>
      {narrow ? (
        <Menu
          label="More"
          align="end"
          trigger={props => (
            <Button {...props} look="ghost">
              More
            </Button>
          )}
          items={[
            ...more,
            ...take,
            {id: 'what-if', label: 'What if it were saved…', icon: 'graph', onPick: actions.onWhatIf},
            {id: 'source', label: 'Add a source…', icon: 'plus', onPick: actions.onSource},
            {id: 'link', label: 'Copy link', icon: 'link', keys: 'Shift+Y', onPick: actions.onLink},
          ]}
        />
      ) : (
        <>
          <Button look="ghost" onClick={actions.onSource}>
            Add source
          </Button>
          {more.map(one => (
            <Button key={one.id} look="ghost" keys={one.keys} onClick={one.onPick}>
              {one.label}
            </Button>
          ))}
          <Menu
            label="Copy as"
            align="end"
            trigger={props => (
              <Button {...props} icon="copy">
                Copy as
              </Button>
            )}
            items={take}
          />
          <Button
            title="Try the draft in a copy of the graph: which rows would differ, all the way down"
            onClick={actions.onWhatIf}
          >
            What if…
          </Button>
          <Button icon="link" keys="Shift+Y" onClick={actions.onLink}>
            Link
          </Button>
        </>
      )}
      <Button
        look="primary"
        keys="Mod+S"
        disabled={!canSave}
        title={
          canSave
            ? 'Save as a collection (Ctrl S)'
            : 'Formulas cannot be saved in this session. Copy the link, or save the formula in a live session.'
        }
        onClick={actions.onSave}
      >
        Save
      </Button>
      <IconButton icon="close" label="Close the Lab" onClick={actions.onClose} />
    </div>
  );
}

function SaveState({draft, formula}: {draft: Draft; formula: SavedFormula | undefined}) {
  if (formula && formula.state !== 'live')
    return <span className="lab-word lab-word-error">{formula.state}</span>;
  if (draft.of === undefined)
    return (
      <span className="lab-word" title="Saved in this browser only">
        saved locally
      </span>
    );
  return hasUnsavedChanges(draft) ? (
    <span className="lab-word" title={`The saved formula ${draft.of.name} still runs its last saved version`}>
      changed
    </span>
  ) : (
    <span className="lab-word lab-word-live">live</span>
  );
}

function PreviewProgress({
  preview,
  narrow,
  onError,
}: {
  preview: PreviewState;
  narrow: boolean;
  onError: () => void;
}) {
  const {rows, total, failed, pace, busy, whole} = preview;
  if (preview.code === null && !busy) return null;
  return (
    <span className="lab-progress inline-row gap-10" role="status" aria-live="off">
      <span>
        <b>{(whole ? total : rows.size).toLocaleString('en')}</b>
        {whole ? ` / ${total.toLocaleString('en')} rows` : ' rows in view'}
      </span>
      {failed > 0 ? (
        <button
          type="button"
          className="lab-errors"
          onClick={onError}
          title="Go to the first row that fails (F8)"
        >
          <StateGlyph tone="error" size={8} /> {failed} {failed === 1 ? 'error' : 'errors'}
        </button>
      ) : null}
      {pace === null || narrow ? null : <span className="lab-pace">{paceText(pace)}</span>}
      {busy && pace === null && !narrow ? <span className="lab-busy">running…</span> : null}
    </span>
  );
}

function paceText(ms: number): string {
  return ms < 0.1 ? `${Math.max(1, Math.round(ms * 1000))} µs/row` : `${ms.toFixed(ms < 10 ? 1 : 0)} ms/row`;
}
