// The sheet of shortcuts: every key that works here and now, searchable.
import {useState} from 'react';
import {useApp} from '../../store/app.ts';
import {useSettings} from '../../store/settings.ts';
import {Kbd} from '../../ui/controls/Kbd.tsx';
import {ModalSheet} from '../shell/ModalSheet.tsx';
import {viewEntries} from '../views.tsx';
import {glossary} from './glossary.ts';
import {type KeyGroup, listedKeys, useKeyLayers} from './keys.ts';

const groups: KeyGroup[] = ['Move', 'Understand', 'Here', 'Time', 'Take away'];

export function Shortcuts() {
  useKeyLayers(state => state.version);
  const [query, setQuery] = useState('');
  const place = useApp(state => state.route);
  const letters = useSettings(settings => settings.letters);
  const here = place.page === 'connect' ? 'Connect' : viewEntries[place.view].label;
  const wanted = query.trim().toLowerCase();
  const listed = listedKeys().filter(
    one => one.says.toLowerCase().includes(wanted) || one.key.toLowerCase() === wanted,
  );
  return (
    <ModalSheet label="Shortcuts" className="shortcuts">
      <header className="modal-head bar gap-10">
        <h2>Shortcuts and words</h2>
        <span className="quiet">{here}</span>
        <input
          className="shortcuts-search"
          aria-label="Search keys and words"
          placeholder="Search keys and words"
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
        <Kbd keys="Escape" />
      </header>
      {letters ? null : <p className="shortcuts-off">Single-letter keys are off; Settings turns them on.</p>}
      <div className="shortcuts-grid">
        {groups.map(group => {
          const own = listed.filter(one => one.group === group);
          return own.length === 0 ? null : (
            <section key={group} className="shortcuts-group">
              <h3>{group === 'Here' ? here : group}</h3>
              {own.map(one => (
                <div key={one.key} className="shortcut row gap-12">
                  <span>{one.says}</span>
                  <Kbd keys={one.key} />
                </div>
              ))}
            </section>
          );
        })}
      </div>
      <section className="glossary" aria-label="Words">
        <h3>Words</h3>
        <dl>
          {glossary
            .filter(one => `${one.word} ${one.means}`.toLowerCase().includes(wanted))
            .map(one => (
              <div key={one.word}>
                <dt>{one.word}</dt>
                <dd>{one.means}</dd>
              </div>
            ))}
        </dl>
      </section>
    </ModalSheet>
  );
}
