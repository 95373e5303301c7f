// The menu of drafts, saved formulas and graph modules, and the actions on the open draft.

import type {ModuleState, SavedFormula} from '@krtscope/shared/formulas.ts';
import {Popover} from '../../ui/controls/Menu.tsx';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {StateGlyph} from '../../ui/indicators/outcome-state.tsx';
import {clockText} from '../../ui/text/Age.tsx';
import {type Draft, hasUnsavedChanges} from './drafts.ts';
import './draft-menu.css';

export interface DraftMenuActions {
  onNew: () => void;
  onChoose: (draft: Draft) => void;
  onOpen: (formula: SavedFormula) => void;
  onModuleTexts: (name: string) => void;
  onRename: () => void;
  onHistory: (code: string) => void;
  onDiscard: () => void;
  onDelete: (name: string) => void;
}

export function DraftMenu({
  draft,
  drafts,
  formulas,
  modules,
  actions,
}: {
  draft: Draft;
  drafts: readonly Draft[];
  formulas: readonly SavedFormula[];
  modules: readonly ModuleState[];
  actions: DraftMenuActions;
}) {
  return (
    <Popover
      label="Drafts and formulas"
      trigger={props => (
        <button
          {...props}
          type="button"
          className="lab-name"
          aria-label={`${draft.of ? 'formula' : 'draft'} ${draft.name}, drafts and formulas`}
        >
          <span className="lab-name-kind">{draft.of ? 'formula' : 'draft'}</span> <b>{draft.name}</b>
          <Icon name="down" size={14} />
        </button>
      )}
    >
      {close => {
        const closeAnd = (run: () => void) => () => {
          close();
          run();
        };
        return (
          <div className="draft-menu">
            <DraftMenuItem icon="plus" label="New draft" keys="+" onPick={closeAnd(actions.onNew)} />
            <p className="label draft-menu-label">Open drafts</p>
            {drafts.map(one => (
              <DraftMenuItem
                key={one.id}
                label={one.name}
                checked={one.id === draft.id}
                note={
                  one.of
                    ? hasUnsavedChanges(one)
                      ? `changes ${one.of.name}`
                      : 'saved'
                    : (one.input ?? 'singleton')
                }
                onPick={closeAnd(() => actions.onChoose(one))}
              />
            ))}
            {formulas.length > 0 ? <p className="label draft-menu-label">Saved formulas</p> : null}
            {formulas.map(one => (
              <DraftMenuItem
                key={one.name}
                label={one.name}
                shape={one.kind === 'one' ? 'derived' : one.kind}
                note={
                  one.state === 'live'
                    ? `${one.items.toLocaleString('en')} ${one.items === 1 ? 'item' : 'items'}`
                    : one.state
                }
                wrong={one.state !== 'live'}
                onPick={closeAnd(() => actions.onOpen(one))}
              />
            ))}
            {modules.length > 0 ? <p className="label draft-menu-label">Graph modules</p> : null}
            {modules.map(one => (
              <DraftMenuItem
                key={one.name}
                label={one.name}
                icon="file"
                note={one.state === 'live' ? moduleNote(one) : one.state}
                wrong={one.state !== 'live'}
                onPick={closeAnd(() => actions.onModuleTexts(one.name))}
              />
            ))}
            <p className="label draft-menu-label draft-menu-own ellipsis">{draft.name}</p>
            <DraftMenuItem icon="file" label="Rename…" onPick={closeAnd(actions.onRename)} />
            {draft.history.length > 0 ? (
              <DraftHistory draft={draft} onPick={code => closeAnd(() => actions.onHistory(code))()} />
            ) : null}
            {draft.of ? (
              <DraftMenuItem
                icon="close"
                label="Delete formula…"
                onPick={closeAnd(() => actions.onDelete(draft.of!.name))}
              />
            ) : null}
            <DraftMenuItem
              icon="minus"
              label={draft.of ? 'Close this draft' : 'Discard this draft'}
              onPick={closeAnd(actions.onDiscard)}
            />
          </div>
        );
      }}
    </Popover>
  );
}

function DraftHistory({draft, onPick}: {draft: Draft; onPick: (code: string) => void}) {
  return (
    <details className="draft-menu-history">
      <summary>
        <span className="menu-check">
          <Icon name="clock" size={14} />
        </span>
        Versions <span className="menu-note">{draft.history.length}</span>
      </summary>
      {[...draft.history].reverse().map(({at, code}) => (
        <button
          key={`${at} ${code.length}`}
          type="button"
          className="menu-item row bare-button gap-8 draft-menu-text"
          onClick={() => onPick(code)}
        >
          <span className="menu-note">{clockText(at)}</span>
          <code>{firstWords(code)}</code>
          <span className="menu-note">{lineCount(code)}</span>
        </button>
      ))}
    </details>
  );
}

const collectionCount = (count: number) => `${count} ${count === 1 ? 'collection' : 'collections'}`;
const lineCount = (code: string) => {
  const count = code.split('\n').length;
  return `${count} ${count === 1 ? 'line' : 'lines'}`;
};
const firstWords = (code: string) => code.trim().replace(/\s+/g, ' ').slice(0, 40);

function DraftMenuItem({
  label,
  note,
  icon,
  shape,
  keys,
  checked,
  wrong,
  onPick,
}: {
  label: string;
  note?: string;
  icon?: 'plus' | 'file' | 'close' | 'minus';
  shape?: 'derived' | 'many' | 'singleton';
  keys?: string;
  checked?: boolean;
  wrong?: boolean;
  onPick: () => void;
}) {
  return (
    <button
      type="button"
      className="menu-item row bare-button gap-8"
      aria-current={checked ? 'true' : undefined}
      aria-keyshortcuts={keys}
      onClick={onPick}
    >
      <span className="menu-check">
        {checked ? <Icon name="check" size={14} /> : icon ? <Icon name={icon} size={14} /> : null}
        {shape ? <KindShape kind={shape} size={14} /> : null}
      </span>
      <span className="menu-label">{label}</span>
      {note === undefined ? null : (
        <span className={`menu-note ${wrong ? 'tone-error' : ''}`}>
          {wrong ? <StateGlyph tone="error" size={8} /> : null} {note}
        </span>
      )}
    </button>
  );
}

const moduleNote = ({name, collections}: ModuleState) =>
  name === 'helpers.ts' ? 'shared functions' : collectionCount(collections.length);
