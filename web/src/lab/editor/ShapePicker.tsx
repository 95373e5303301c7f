// The line above the code: the formula's input, and how many rows it returns for each item.

import type {FormulaKind} from '@krtscope/shared/formulas.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
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
  const inputs = (graph?.collections ?? []).filter(
    node => node.name !== draft.of?.name && node.kind !== 'index',
  );
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
        </>
      )}
    </div>
  );
}
