// The palette's views, collections and commands, and how a query matches them.
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {CollectionNodeKind} from '@krtscope/shared/vocabulary.ts';
import {navigate, openOverlay} from '../../store/app.ts';
import {select} from '../../store/navigation.ts';
import {changeSettings} from '../../store/settings.ts';
import {signInKind, signOut} from '../../stream/access-token.ts';
import type {IconName} from '../../ui/indicators/Icon.tsx';
import {listedKeys} from '../keys/keys.ts';
import {viewEntries} from '../views.tsx';

export type PaletteGroup = 'Open incidents' | 'Recent' | 'Compare' | 'Collections' | 'Views' | 'Commands';

export interface PaletteEntry {
  id: string;
  group: PaletteGroup;
  label: string;
  icon?: IconName;
  kind?: CollectionNodeKind;
  keys?: string;
  note?: string;
  run: () => void;
}

/** Lower is better, null does not match. `wl` matches Workloads by its letters in order. */
export function matchScore(query: string, label: string): number | null {
  const wanted = query.trim().toLowerCase();
  const text = label.toLowerCase();
  if (wanted === '') return 0;
  const at = text.indexOf(wanted);
  if (at === 0) return 0;
  if (at > 0) return 10 + at;
  const capitals = label.replace(/[^A-Z]/g, '').toLowerCase();
  if (capitals.startsWith(wanted)) return 5;
  let position = -1;
  let spread = 0;
  for (const letter of wanted) {
    const next = text.indexOf(letter, position + 1);
    if (next < 0) return null;
    spread += next - position - 1;
    position = next;
  }
  return 40 + spread + (text[0] === wanted[0] ? 0 : 20);
}

export function matchEntries(entries: PaletteEntry[], query: string): PaletteEntry[] {
  return entries
    .map((entry, at) => ({entry, at, fits: matchScore(query, entry.label)}))
    .filter((one): one is {entry: PaletteEntry; at: number; fits: number} => one.fits !== null)
    .sort((a, b) => a.fits - b.fits || a.at - b.at)
    .map(one => one.entry);
}

export function collectionEntries(collections: CollectionNode[]): PaletteEntry[] {
  return collections.map(one => ({
    id: `collection ${one.name}`,
    group: 'Collections',
    label: one.name,
    kind: one.kind,
    note: `${one.size.toLocaleString('en')} ${one.size === 1 ? 'item' : 'items'}`,
    run: () => select({collection: one.name}, 'sheet'),
  }));
}

export function viewEntriesAsCommands(): PaletteEntry[] {
  const views: PaletteEntry[] = Object.values(viewEntries).map(entry => ({
    id: `view ${entry.id}`,
    group: 'Views',
    label: entry.label,
    icon: entry.icon,
    keys: entry.keys,
    run: () => navigate({page: 'session', view: entry.id}),
  }));
  const connect: PaletteEntry = {
    id: 'view connect',
    group: 'Views',
    label: 'Connect',
    icon: 'cube',
    run: () => navigate({page: 'connect'}),
  };
  return [...views, connect];
}

export function commandEntries(download: () => void): PaletteEntry[] {
  const themes = [
    ['system', 'Theme: system'],
    ['dark', 'Theme: dark'],
    ['light', 'Theme: light'],
    ['hc', 'Theme: high contrast'],
  ] as const;
  const keys: PaletteEntry[] = listedKeys()
    .filter(one => one.rank !== 'focus')
    .filter(one => !/^([1-9jk]|Mod\+K|Enter|Escape|Home|End|Arrow.*)$/.test(one.key))
    .map(one => ({
      id: `key ${one.key}`,
      group: 'Commands',
      label: one.says[0]!.toUpperCase() + one.says.slice(1),
      icon: 'right',
      keys: one.key,
      run: () => void one.run(new KeyboardEvent('keydown')),
    }));
  return [
    ...keys,
    ...themes.map(([theme, label]): PaletteEntry => {
      return {id: theme, group: 'Commands', label, icon: 'contrast', run: () => changeSettings({theme})};
    }),
    {
      id: 'add-source',
      group: 'Commands',
      label: 'Add a source',
      icon: 'plus',
      run: () => openOverlay('add-source'),
    },
    {
      id: 'settings',
      group: 'Commands',
      label: 'Settings',
      icon: 'settings',
      run: () => openOverlay('settings'),
    },
    {id: 'tour', group: 'Commands', label: 'Start tour', icon: 'flag', run: () => openOverlay('tour')},
    {id: 'export', group: 'Commands', label: 'Export recording', icon: 'download', run: download},
    // A proxy signs its users in and out.
    ...(signInKind === 'proxy'
      ? []
      : [{id: 'sign-out', group: 'Commands', label: 'Sign out', icon: 'lock', run: signOut} as const]),
  ];
}
