// The rail on the left, on a phone the bar at the bottom: the views, then shortcuts and settings.
import {useControllerProblems} from '../../controllers/controller-incidents.ts';
import {countOpen} from '../../overview/incidents/incident-state.ts';
import {navigate, openOverlay, useApp} from '../../store/app.ts';
import {useLastAnswer, useSubscription} from '../../stream/use-subscription.ts';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {Logo} from '../Logo.tsx';
import {viewEntries} from '../views.tsx';
import './rail.css';

export function Rail() {
  const view = useApp(state => state.route.view);
  const shown = view === 'why-not' || view === 'origin' ? 'why' : view;
  return (
    <nav className="rail row gap-4" aria-label="Views">
      <Logo />
      {Object.values(viewEntries)
        .filter(entry => entry.keys !== undefined)
        .map(entry => (
          <button
            key={entry.id}
            type="button"
            className="rail-item bar gap-4"
            aria-current={entry.id === shown ? 'page' : undefined}
            aria-keyshortcuts={entry.keys}
            title={`${entry.label} (${entry.keys})`}
            onClick={() => navigate({view: entry.id})}
          >
            <Icon name={entry.icon} size={18} />
            <span className="rail-label">{entry.label}</span>
            {entry.id === 'overview' && shown !== 'overview' ? <IncidentBadge /> : null}
            {entry.id === 'controllers' && shown !== 'controllers' ? <ControllerBadge /> : null}
          </button>
        ))}
      <span className="rail-space" />
      <button
        type="button"
        className="rail-item bar gap-4 rail-tool rail-shortcuts"
        aria-label="Shortcuts"
        title="Shortcuts (?)"
        onClick={() => openOverlay('shortcuts')}
      >
        <Icon name="keyboard" size={18} />
      </button>
      <button
        type="button"
        className="rail-item bar gap-4 rail-tool"
        aria-label="Settings"
        title="Settings"
        onClick={() => openOverlay('settings')}
      >
        <Icon name="settings" size={18} />
        <span className="rail-label rail-phone">Settings</span>
      </button>
    </nav>
  );
}

function IncidentBadge() {
  const answer = useLastAnswer(useSubscription({ask: 'incidents', state: 'all'}));
  const count = countOpen(answer?.incidents ?? []);
  if (count === 0) return null;
  return (
    <span className="rail-badge">
      {count}
      <span className="visually-hidden"> open {count === 1 ? 'incident' : 'incidents'}</span>
    </span>
  );
}

function ControllerBadge() {
  const count = new Set(useControllerProblems().map(({reconcile}) => reconcile.controller)).size;
  if (count === 0) return null;
  return (
    <span className="rail-badge">
      {count}
      <span className="visually-hidden"> with problems</span>
    </span>
  );
}
