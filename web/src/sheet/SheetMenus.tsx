// The sheet's two settings: the collection that aligns the rows, and the field that groups them.
import type {Graph} from '@krtscope/shared/graph.ts';
import type {SheetColumn} from '@krtscope/shared/sheet.ts';
import {setParams} from '../store/app.ts';
import {useParam, useSelection} from '../store/navigation.ts';
import {Button} from '../ui/controls/Button.tsx';
import {Menu} from '../ui/controls/Menu.tsx';
import {KindMark} from '../ui/indicators/collection-kind.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import {fieldLabel, roots} from './columns/columns.ts';
import './sheet-menus.css';

export function RootMenu({graph, root}: {graph: Graph; root: string}) {
  const {clear} = useSelection();
  const nodes = new Map(graph.collections.map(node => [node.name, node]));
  const sizeOf = (name: string) => nodes.get(name)?.size ?? 0;
  const names = roots(graph);
  const listed = [...names.filter(name => sizeOf(name) > 0), ...names.filter(name => sizeOf(name) === 0)];
  return (
    <Menu
      label="Rows by"
      trigger={props => (
        <Button {...props} look="ghost" className="root-trigger" title={`Rows by ${root}`}>
          <span className="tx-3">Rows by</span> <span className="ellipsis">{root}</span>{' '}
          <Icon name="down" size={12} />
        </Button>
      )}
      items={listed.map(name => ({
        id: name,
        label: name,
        checked: name === root,
        note: (
          <span className="inline-row gap-6">
            {sizeOf(name) === 0 ? 'empty' : sizeOf(name).toLocaleString('en')}
            <KindMark kind={nodes.get(name)!.kind} />
          </span>
        ),
        onPick: () => {
          clear();
          setParams({root: name, q: null, cols: null, sort: null, group: null, folded: null, open: null});
        },
      }))}
    />
  );
}

export function GroupMenu({
  columns,
  root,
  grouped,
}: {
  columns: readonly SheetColumn[];
  root: string;
  grouped: string | null;
}) {
  const [, setGroup] = useParam('group');
  const fields = columns.find(column => column.collection === root)?.fields ?? [];
  const pick = (group: string | null) => () => {
    setParams({folded: null, open: null});
    setGroup(group ?? 'none');
  };
  return (
    <Menu
      label="Group by"
      align="end"
      trigger={props => (
        <Button {...props} look="ghost" className="group-trigger">
          Group by: {grouped === null ? 'none' : fieldLabel(grouped)} <Icon name="down" size={12} />
        </Button>
      )}
      items={[
        {id: 'none', label: 'none', checked: grouped === null, onPick: pick(null)},
        {id: 'namespace', label: 'namespace', checked: grouped === 'namespace', onPick: pick('namespace')},
        ...fields.map(field => ({
          id: field,
          label: fieldLabel(field),
          note: field,
          checked: grouped === field,
          onPick: pick(field),
        })),
      ]}
    />
  );
}
