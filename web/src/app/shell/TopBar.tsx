// The bar at the top: session, namespace, search, live badge, share, theme.
import type {SessionsAnswer} from '@krtscope/shared/session.ts';
import {copyText, linkTo, navigate, useApp} from '../../store/app.ts';
import {useNamespace} from '../../store/navigation.ts';
import {changeSettings, type Theme, useSettings} from '../../store/settings.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {useNamespaces} from '../../stream/use-namespaces.ts';
import {useAnswer} from '../../stream/use-subscription.ts';
import {IconButton} from '../../ui/controls/Button.tsx';
import {Menu, type MenuItem} from '../../ui/controls/Menu.tsx';
import {Icon} from '../../ui/indicators/Icon.tsx';
import {SearchBox} from '../search/SearchBox.tsx';
import {LiveBadge} from './LiveBadge.tsx';
import './top-bar.css';

export function TopBar() {
  return (
    <header className="top-bar">
      <div className="top-start row gap-12">
        <SessionSwitch />
        <span className="top-rule" />
        <NamespaceSwitch />
      </div>
      <SearchBox />
      <div className="top-end row gap-8">
        <LiveBadge />
        <IconButton icon="link" label="Copy link" keys="Y" className="top-share" onClick={shareLink} />
        <ThemeMenu />
      </div>
    </header>
  );
}

/** Copies a link to this page at the current moment. */
export function shareLink(): void {
  const {recording, sequence} = useConnection.getState();
  const moment = useApp.getState().route.moment ?? sequence;
  void copyText(linkTo(recording, {moment}), `Link to #${moment} copied`);
}

function SessionSwitch() {
  const session = useConnection(link => link.session);
  const name = useApp(state => state.route.session);
  const {answer} = useAnswer<SessionsAnswer>('/sessions', session?.id);
  const items: MenuItem[] = (answer?.sessions ?? []).map(one => ({
    id: one.name,
    label: one.name,
    note: one.cluster.kind,
    checked: one.name === name,
    onPick: () => navigate({session: one.name, collection: null, key: null, params: {}}),
  }));
  items.push({
    id: 'connect',
    label: 'Connect to another…',
    icon: 'plus',
    onPick: () => navigate({page: 'connect'}),
  });
  return (
    <Menu
      label="Sessions"
      items={items}
      trigger={props => (
        <button
          type="button"
          {...props}
          className="top-switch inline-row bare-button gap-8"
          title={name ?? undefined}
          aria-label={`Session ${name ?? 'connecting'}`}
        >
          <Icon name="cube" />
          <b>{name ?? 'connecting'}</b>
          <Icon name="down" size={14} />
        </button>
      )}
    />
  );
}

function NamespaceSwitch() {
  const [namespace, setNamespace] = useNamespace();
  const given = useConnection(link => link.session?.namespaces);
  const all = useNamespaces();
  const names = all?.names ?? given ?? [];
  const items: MenuItem[] = [
    {id: '', label: 'all namespaces', checked: namespace === null, onPick: () => setNamespace(null)},
    ...names.map(name => ({
      id: name,
      label: <span className="mono">{name}</span>,
      checked: name === namespace,
      onPick: () => setNamespace(name),
    })),
    ...(all !== undefined && all.total > names.length
      ? [
          {
            id: ' more',
            label: `and ${(all.total - names.length).toLocaleString('en')} more. Type ns:name in the filter.`,
            disabled: true,
            onPick: () => {},
          },
        ]
      : []),
  ];
  return (
    <Menu
      label="Namespaces"
      items={items}
      trigger={props => (
        <button
          type="button"
          {...props}
          className="top-switch inline-row bare-button gap-8"
          title="Namespace"
        >
          <span className="top-quiet">ns</span> <b>{namespace ?? 'all'}</b>
          <Icon name="down" size={14} />
        </button>
      )}
    />
  );
}

const themes: {id: Theme; label: string}[] = [
  {id: 'system', label: 'System'},
  {id: 'dark', label: 'Dark'},
  {id: 'light', label: 'Light'},
  {id: 'hc', label: 'High contrast'},
];

export function ThemeMenu() {
  const theme = useSettings(settings => settings.theme);
  return (
    <Menu
      label="Theme"
      align="end"
      items={themes.map(one => ({
        ...one,
        checked: one.id === theme,
        onPick: () => changeSettings({theme: one.id}),
      }))}
      trigger={props => (
        <button
          type="button"
          {...props}
          className="icon-button inline-row bare-button"
          aria-label="Theme"
          title="Theme"
        >
          <Icon name="contrast" />
        </button>
      )}
    />
  );
}
