// The shortcuts sheet: every key of the current view, and the glossary.
import {useState} from 'react';
import {useApp} from '../../store/app.ts';
import {useSettings} from '../../store/settings.ts';
import {Kbd} from '../../ui/controls/Kbd.tsx';
import {ModalSheet} from '../shell/ModalSheet.tsx';
import {viewEntries} from '../views.tsx';
import {glossary} from './glossary.ts';
import {type KeyGroup, listedKeys, useKeyLayers} from './keys.ts';

const groups: KeyGroup[] = ['Move', 'Understand', 'Here', 'Time', 'Copy', 'Timeline'];
const titles: Partial<Record<KeyGroup, string>> = {Timeline: 'Timeline, while it has the focus'};

export function Shortcuts() {
  useKeyLayers(state => state.version);
  const [query, setQuery] = useState('');
  const route = useApp(state => state.route);
  const letters = useSettings(settings => settings.letters);
  const here = route.page === 'connect' ? 'Connect' : viewEntries[route.view].label;
  const search = query.trim().toLowerCase();
  const listed = listedKeys().filter(
    one => one.says.toLowerCase().includes(search) || one.key.toLowerCase() === search,
  );
  return (
    <ModalSheet label="Shortcuts and glossary" className="shortcuts">
      <header className="modal-head bar gap-10">
        <h2>Shortcuts and glossary</h2>
        <span className="quiet">{here}</span>
        <input
          className="shortcuts-search"
          aria-label="Search keys and terms"
          placeholder="Search keys and terms"
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
        <Kbd keys="Escape" />
      </header>
      {letters ? null : (
        <p className="shortcuts-off">Single-letter keys are off. Turn them on in Settings.</p>
      )}
      <div className="shortcuts-grid">
        {groups.map(group => {
          const inGroup = listed.filter(one => one.group === group);
          return inGroup.length === 0 ? null : (
            <section key={group} className="shortcuts-group">
              <h3>{group === 'Here' ? here : (titles[group] ?? group)}</h3>
              {[...Map.groupBy(inGroup, one => one.says)].map(([says, keys]) => (
                <div key={says} className="shortcut row gap-12">
                  <span>{says}</span>
                  <span className="shortcut-keys">
                    {keys.map(one => (
                      <Kbd key={`${one.group} ${one.key}`} keys={one.key} />
                    ))}
                  </span>
                </div>
              ))}
            </section>
          );
        })}
      </div>
      <section className="glossary" aria-label="Glossary">
        <h3>Glossary</h3>
        <dl>
          {glossary
            .filter(one => `${one.word} ${one.means}`.toLowerCase().includes(search))
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
