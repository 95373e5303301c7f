// The line above the code: the formula's input, and how many rows it returns for each item.

import type {FormulaKind} from '@krtscope/shared/formulas.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import {groupName, parseGroupName} from '@krtscope/shared/groups/group-name.ts';
import {useState} from 'react';
import {Menu} from '../../ui/controls/Menu.tsx';
import {KindMark, KindShape} from '../../ui/indicators/collection-kind.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import type {Draft} from '../draft/drafts.ts';
import './shape-picker.css';

const kinds: {id: FormulaKind; label: string; note: string}[] = [
  {id: 'one', label: 'one row', note: 'or none, for each input'},
  {id: 'many', label: 'many rows', note: 'a list for each input'},
  {id: 'singleton', label: 'one value', note: 'for the whole cluster'},
];

const groupPaths = [
  'metadata.namespace',
  'spec.nodeName',
  'metadata.labels["app"]',
  'metadata.ownerReferences[].name',
  'spec.containers[].image',
];

export function ShapePicker({
  graph,
  draft,
  onChange,
  onSource,
}: {
  graph: Graph | null;
  draft: Draft;
  onChange: (change: {kind?: FormulaKind; input?: string}) => void;
  onSource: () => void;
}) {
  const inputs = (graph?.collections ?? []).filter(node => node.name !== draft.of?.name);
  const kind = kinds.find(one => one.id === draft.kind)!;
  return (
    <div className="shape">
      <Menu
        label="Rows"
        trigger={props => (
          <button {...props} type="button" className="shape-button inline-row bare-button gap-4">
            {kind.label} <Icon name="down" size={12} />
          </button>
        )}
        items={kinds.map(one => ({
          id: one.id,
          label: one.label,
          note: one.note,
          checked: one.id === draft.kind,
          onPick: () => onChange({kind: one.id}),
        }))}
      />
      {draft.kind === 'singleton' ? (
        <span>for the whole cluster</span>
      ) : (
        <>
          <span>for each of</span>
          <Menu
            label="Input"
            trigger={props => (
              <button {...props} type="button" className="shape-button inline-row bare-button gap-4">
                {draft.input ?? 'choose…'} <Icon name="down" size={12} />
              </button>
            )}
            items={[
              ...inputs.map(node => ({
                id: node.name,
                label: (
                  <>
                    <KindShape kind={node.kind} size={14} /> {node.name} <KindMark kind={node.kind} />
                  </>
                ),
                note: node.size.toLocaleString('en'),
                checked: node.name === draft.input,
                onPick: () => onChange({input: node.name}),
              })),
              {id: ' source', label: 'Add a source…', icon: 'plus' as const, onPick: onSource},
            ]}
          />
          {draft.input === undefined ? null : (
            <GroupPath key={draft.input} input={draft.input} onChange={input => onChange({input})} />
          )}
        </>
      )}
    </div>
  );
}

/** The path by which the input is grouped; empty for a row of each item. */
function GroupPath({input, onChange}: {input: string; onChange: (input: string) => void}) {
  const group = parseGroupName(input);
  const collection = group?.collection ?? input;
  const [path, setPath] = useState(group?.path ?? '');
  const apply = () => {
    const named = path.trim() === '' ? collection : groupName({collection, path: path.trim()});
    if (named !== input && (named === collection || parseGroupName(named) !== undefined)) onChange(named);
    else setPath(group?.path ?? '');
  };
  return (
    <label className="shape-group inline-row gap-4">
      <span>by</span>
      <input
        className="shape-group-path"
        value={path}
        placeholder="no grouping"
        spellCheck={false}
        list="group-paths"
        title="A path such as spec.nodeName: one row for each value, with the items that have it"
        aria-label="Group by path"
        onChange={event => setPath(event.target.value)}
        onBlur={apply}
        onKeyDown={event => {
          if (event.key === 'Enter') apply();
        }}
      />
      <datalist id="group-paths">
        {groupPaths.map(one => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  );
}
