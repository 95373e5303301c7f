// The palette (Ctrl K) and the command line (`:`).
import {type KeyboardEvent, useEffect, useRef, useState} from 'react';
import {openOverlay} from '../../store/app.ts';
import {select} from '../../store/navigation.ts';
import {Kbd} from '../../ui/controls/Kbd.tsx';
import {KindShape} from '../../ui/indicators/collection-kind.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {ModalSheet} from '../shell/ModalSheet.tsx';
import {HitRow} from './HitRow.tsx';
import type {PaletteEntry} from './palette-entries.ts';
import {type PaletteRow, usePaletteRows} from './use-palette-rows.ts';

export function Palette({mode}: {mode: 'all' | 'jump'}) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const {groups, total, pending} = usePaletteRows(mode, text);
  const hits = groups.flatMap(group => group.rows).filter(row => 'hit' in row).length;
  const rows = groups.flatMap(group => group.rows);
  const chosen = Math.min(at, Math.max(0, rows.length - 1));
  useEffect(() => input.current?.focus(), []);
  const run = (row: PaletteRow | undefined) => {
    if (row === undefined) return;
    openOverlay(null);
    if ('entry' in row) row.entry.run();
    else select({collection: row.hit.collection, key: row.hit.key}, row.view);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, rows.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, chosen - 1));
    else if (event.key === 'Enter') run(rows[chosen]);
    else return;
    event.preventDefault();
  };
  const label = mode === 'all' ? 'Commands' : 'Command line';
  return (
    <ModalSheet label={label} className="palette">
      <div className="modal-head bar gap-10">
        {mode === 'all' ? <Icon name="search" /> : <b className="mono">:</b>}
        <input
          ref={input}
          className="palette-input"
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={rows[chosen] ? `palette-${chosen}` : undefined}
          aria-label={label}
          placeholder={
            mode === 'all'
              ? 'Find an item, or type a command: why cart, compare 5 min ago'
              : 'pods, svc shop, ns shop, ctx demo, why cart'
          }
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={onKeyDown}
          onChange={event => {
            setText(event.target.value);
            setAt(0);
          }}
        />
        <Kbd keys="Escape" />
      </div>
      <div className="palette-list" id="palette-list" role="listbox" aria-label="Matches">
        {groups.map(group => (
          // biome-ignore lint/a11y/useSemanticElements: options in a listbox are grouped by role
          <div key={group.label} role="group" aria-label={group.label}>
            <div className="hits-label" aria-hidden="true">
              {group.label}
            </div>
            {group.rows.map(row => {
              const position = rows.indexOf(row);
              const option = {id: `palette-${position}`, chosen: position === chosen, onPick: () => run(row)};
              return 'entry' in row ? (
                <EntryRow key={row.id} {...option} entry={row.entry} />
              ) : (
                <HitRow key={row.id} {...option} hit={row.hit} text={row.search} />
              );
            })}
          </div>
        ))}
        {pending ? (
          <p className="hits-none" role="status">
            Searching…
          </p>
        ) : rows.length === 0 ? (
          <p className="hits-none">
            No matches for “{text}”
            {mode === 'jump'
              ? '. Type a collection, such as pods or svc shop; ns shop; ctx demo; why cart.'
              : ''}
          </p>
        ) : null}
        {total > hits && hits > 0 ? (
          <p className="hits-none">
            {hits} of {total.toLocaleString('en')} items shown. Type more to narrow.
          </p>
        ) : null}
      </div>
    </ModalSheet>
  );
}

function EntryRow(props: {id: string; entry: PaletteEntry; chosen: boolean; onPick: () => void}) {
  const {entry, chosen} = props;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) row.current?.scrollIntoView({block: 'nearest'});
  }, [chosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox that owns the list handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the input, aria-activedescendant points here
    <div ref={row} id={props.id} role="option" aria-selected={chosen} className="hit" onClick={props.onPick}>
      {entry.kind ? <KindShape kind={entry.kind} /> : entry.icon ? <Icon name={entry.icon} /> : null}
      <span>{entry.label}</span>
      <span className="hit-end">
        {entry.note}
        {entry.keys ? <Kbd keys={entry.keys} /> : null}
      </span>
    </div>
  );
}
