// The column menu: collections on and off, and values by path as columns. The choice lives in the URL.
import type {SheetColumn} from '@krtscope/shared/sheet.ts';
import {useRef, useState} from 'react';
import {useKeys} from '../../app/keys/keys.ts';
import {useParam, useSelection} from '../../store/navigation.ts';
import {useKind} from '../../stream/use-subscription.ts';
import {Button} from '../../ui/controls/Button.tsx';
import {FinderInput} from '../../ui/controls/FinderInput.tsx';
import {Popover, type PopoverTriggerProps} from '../../ui/controls/Menu.tsx';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {type ColumnChoice, type FieldColumn, formatColumns, parseColumns} from './columns.ts';
import './columns-menu.css';

export function ColumnsMenu({
  offered,
  shown,
  root,
}: {
  offered: readonly SheetColumn[];
  shown: readonly FieldColumn[];
  root: string;
}) {
  const button = useRef<HTMLButtonElement | null>(null);
  useKeys({c: {says: 'choose columns', run: () => button.current?.click()}});
  return (
    <Popover
      label="Columns"
      align="end"
      trigger={(props: PopoverTriggerProps) => (
        <Button
          {...props}
          ref={element => {
            props.ref.current = element;
            button.current = element;
          }}
          icon="columns"
          keys="c"
        >
          Columns
        </Button>
      )}
    >
      {close => <ColumnChooser offered={offered} shown={shown} root={root} close={close} />}
    </Popover>
  );
}

interface OfferedColumn {
  collection: string;
  path: string;
}

function ColumnChooser({
  offered,
  shown,
  root,
  close,
}: {
  offered: readonly SheetColumn[];
  shown: readonly FieldColumn[];
  root: string;
  close: () => void;
}) {
  const [cols, setCols] = useParam('cols');
  const {collection: selected} = useSelection();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const choice = parseColumns(cols, selected);
  // Tick only drawn fields, so that a field that did not fit can be added.
  const fieldsOf = (name: string) =>
    shown.filter(column => column.collection === name && column.field !== 'key').map(column => column.field);
  const write = (next: ColumnChoice) => setCols(formatColumns(next));
  const toggleCollection = (name: string) => {
    const hidden = choice.hidden.includes(name)
      ? choice.hidden.filter(one => one !== name)
      : [...choice.hidden, name];
    write({...choice, hidden});
  };
  const toggleField = ({collection, path}: OfferedColumn) => {
    const now = choice.fields[collection] ?? fieldsOf(collection);
    const next = now.includes(path) ? now.filter(one => one !== path) : [...now, path];
    write({...choice, fields: {...choice.fields, [collection]: next}});
  };
  /** Enter adds a field and never removes one: the server may already show it. */
  const addField = ({collection, path}: OfferedColumn) => {
    const now = choice.fields[collection] ?? fieldsOf(collection);
    write({...choice, fields: {...choice.fields, [collection]: [...new Set([...now, path])]}});
  };
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const order = [...offered].sort(
    (a, b) => Number(b.collection === selected) - Number(a.collection === selected),
  );
  const found = order
    .filter(column => !choice.hidden.includes(column.collection))
    .flatMap(column => column.available.map((path): OfferedColumn => ({collection: column.collection, path})))
    .filter(({collection, path}) => words.every(word => `${collection} ${path}`.toLowerCase().includes(word)))
    .sort(
      (a, b) =>
        Number(fieldsOf(b.collection).includes(b.path)) - Number(fieldsOf(a.collection).includes(a.path)),
    )
    .slice(0, 60);
  return (
    <div className="chooser column gap-8">
      <fieldset className="chooser-collections" aria-label="Collections">
        {offered.map(({collection}) => (
          <CollectionToggle
            key={collection}
            name={collection}
            on={!choice.hidden.includes(collection)}
            fixed={collection === root}
            onToggle={() => toggleCollection(collection)}
          />
        ))}
      </fieldset>
      <FinderInput
        text={text}
        onText={setText}
        label="Find a field"
        placeholder="Add a value by path, such as waypoint"
        count={found.length}
        at={at}
        onAt={setAt}
        onTake={() => {
          addField(found[at]!);
          close();
        }}
      />
      <fieldset className="chooser-fields" aria-label="Fields">
        {found.map((offered, position) => (
          <label
            key={`${offered.collection} ${offered.path}`}
            className={`chooser-field row gap-8 ${position === at && text !== '' ? 'chooser-at' : ''}`}
          >
            <input
              type="checkbox"
              checked={fieldsOf(offered.collection).includes(offered.path)}
              onChange={() => toggleField(offered)}
            />
            <code>{offered.path}</code>
            <span>{offered.collection}</span>
          </label>
        ))}
        {found.length === 0 ? (
          <p className="chooser-none">No field of these collections is called that.</p>
        ) : null}
      </fieldset>
      {cols === null ? null : (
        <Button look="ghost" size="small" onClick={() => setCols(null)}>
          Reset columns
        </Button>
      )}
    </div>
  );
}

function CollectionToggle({
  name,
  on,
  fixed,
  onToggle,
}: {
  name: string;
  on: boolean;
  fixed: boolean;
  onToggle: () => void;
}) {
  const kind = useKind(name);
  return (
    <button
      type="button"
      className="chooser-collection inline-row gap-6"
      aria-pressed={on}
      disabled={fixed}
      onClick={onToggle}
    >
      <KindShape kind={kind} size={14} />
      {name}
    </button>
  );
}
