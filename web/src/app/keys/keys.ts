// Keyboard shortcuts: one listener for the page. The component mounted last gets a key first.
import {useEffect, useLayoutEffect, useRef} from 'react';
import {create} from 'zustand';
import {useSettings} from '../../store/settings.ts';

export type KeyGroup = 'Move' | 'Understand' | 'Time' | 'Timeline' | 'Copy' | 'Here';

interface KeyAction {
  /** A few words for the shortcuts sheet and the palette. A key without words is not listed. */
  says?: string;
  group?: KeyGroup;
  /** Also works while a text field has focus. */
  typing?: boolean;
  /** Return false to pass the key on to the layer below. */
  run(event: KeyboardEvent): unknown;
}

/** Keys by name: `w`, `Shift+W`, `Mod+K`, `Escape`, `ArrowDown`, `[`, `Shift+[`, `Shift+End`, `Space`. */
export type KeyMap = Record<string, KeyAction | ((event: KeyboardEvent) => unknown)>;

/**
 * `base` gets keys last. Layers below `modal` get none. `focus` is for a part that handles its keys itself while it
 * has the focus: they are listed and never dispatched.
 */
export type KeyRank = 'base' | 'view' | 'modal' | 'focus';

interface Layer {
  map: KeyMap;
  rank: KeyRank;
}

const layers: Layer[] = [];
/** Changes with the list of layers, so that the shortcuts sheet is drawn again. */
export const useKeyLayers = create<{version: number}>()(() => ({version: 0}));

const keyByCode: Record<string, string> = {Comma: ',', Period: '.', BracketLeft: '[', BracketRight: ']'};

/** The possible names of a key press, most exact first. */
export function keyNames(event: {
  key: string;
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}): string[] {
  if (event.altKey) return [];
  const key = event.key === ' ' ? 'Space' : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const letter = /^[a-z]$/.test(key);
  const mod = event.ctrlKey || event.metaKey ? 'Mod+' : '';
  const names: string[] = [];
  const code = keyByCode[event.code];
  if (event.shiftKey) {
    if (code !== undefined) names.push(`${mod}Shift+${code}`);
    names.push(`${mod}Shift+${letter || mod ? key.toUpperCase() : key}`);
  }
  if (!event.shiftKey || (!letter && event.key.length === 1 && event.key !== ' ')) {
    names.push(mod ? `${mod}${key.length === 1 ? key.toUpperCase() : key}` : key);
  }
  return names;
}

/** Looks behind shadow roots too, because the editor is in one. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath?.()[0] ?? event.target;
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'range'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Enter and Space belong to the control that has focus. */
function isOnControl(event: KeyboardEvent): boolean {
  const target = event.target;
  if (!(target instanceof HTMLElement) || (event.key !== ' ' && event.key !== 'Enter')) return false;
  return target.closest('button, a[href], summary, [role=button], [role=tab], [role=menuitem]') !== null;
}

function runEntry(entry: KeyMap[string], event: KeyboardEvent, inField: boolean): boolean {
  const action: KeyAction = typeof entry === 'function' ? {run: entry} : entry;
  if (inField && !action.typing && !event.ctrlKey && !event.metaKey) return false;
  return action.run(event) !== false;
}

function dispatchKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const names = keyNames(event);
  const inField = isTyping(event);
  const single = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey;
  if (single && !inField && !useSettings.getState().letters) return;
  if (isOnControl(event)) return;
  for (let at = layers.length - 1; at >= 0; at--) {
    const {map, rank} = layers[at]!;
    if (rank === 'focus') continue;
    const name = names.find(one => one in map);
    if (name !== undefined && runEntry(map[name]!, event, inField)) {
      event.preventDefault();
      return;
    }
    if (rank === 'modal') return;
  }
}

export function listenToKeys(): () => void {
  window.addEventListener('keydown', dispatchKey);
  return () => window.removeEventListener('keydown', dispatchKey);
}

/**
 * Binds keys while mounted. `on` switches them without unmounting.
 */
export function useKeys(map: KeyMap, on = true, rank: KeyRank = 'view'): void {
  const layer = useRef<Layer>({map, rank});
  // A layout effect, so that the next key press already uses the new map.
  useLayoutEffect(() => {
    layer.current.map = map;
  });
  const names = Object.keys(map).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: new key names change the list of the shortcuts sheet
  useEffect(() => {
    if (!on) return;
    const current = layer.current;
    // React mounts children first. Without a rank the shell would override its views.
    if (current.rank === 'base') layers.unshift(current);
    else layers.push(current);
    useKeyLayers.setState(state => ({version: state.version + 1}));
    return () => {
      layers.splice(layers.indexOf(current), 1);
      useKeyLayers.setState(state => ({version: state.version + 1}));
    };
  }, [on, names]);
}

interface ListedKey {
  key: string;
  says: string;
  group: KeyGroup;
  run: KeyAction['run'];
  rank: KeyRank;
}

/** Every key with words. Where two layers bind one key, the later one counts; the Timeline has keys of its own. */
export function listedKeys(): ListedKey[] {
  const found = new Map<string, ListedKey>();
  const order: KeyRank[] = ['base', 'focus', 'view', 'modal'];
  for (const {map, rank} of layers.toSorted((a, b) => order.indexOf(a.rank) - order.indexOf(b.rank))) {
    for (const [key, entry] of Object.entries(map)) {
      if (typeof entry === 'function' || entry.says === undefined) continue;
      const group = entry.group ?? 'Here';
      const id = group === 'Timeline' ? `${group} ${key}` : key;
      found.set(id, {key, says: entry.says, group, run: entry.run, rank});
    }
  }
  return [...found.values()];
}
