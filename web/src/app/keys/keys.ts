// Keyboard: one listener for the page, deeper parts first, words for the shortcuts sheet and the palette.
import {useEffect, useLayoutEffect, useRef} from 'react';
import {create} from 'zustand';
import {useSettings} from '../../store/settings.ts';

export type KeyGroup = 'Move' | 'Understand' | 'Time' | 'Take away' | 'Here';

export interface KeyAction {
  /** What it does, in a few words, for `?` and the palette; without it the key is not listed. */
  says?: string;
  group?: KeyGroup;
  /** Fires while a text field has focus too. */
  typing?: boolean;
  /** Returning false passes the key on to the part below. */
  run(event: KeyboardEvent): unknown;
}

/** Keys by name: `w`, `Shift+W`, `Mod+K`, `Escape`, `ArrowDown`, `[`, `Shift+[`, `Shift+End`, `Space`. */
export type KeyMap = Record<string, KeyAction | ((event: KeyboardEvent) => unknown)>;

/** `base` is asked last whenever it was mounted; nothing below `modal` hears a key. */
export type KeyRank = 'base' | 'view' | 'modal';

interface Layer {
  map: KeyMap;
  rank: KeyRank;
}

const layers: Layer[] = [];
/** Changes whenever a layer comes or goes: the shortcuts sheet reads it. */
export const useKeyLayers = create<{version: number}>()(() => ({version: 0}));

const keyByCode: Record<string, string> = {Comma: ',', Period: '.', BracketLeft: '[', BracketRight: ']'};

/** The names one key press may go by, most exact first. */
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

/** The element that was typed into, also behind a shadow root, where the editor is. */
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
 * Binds keys while mounted; the part mounted last is asked first. `on` switches them without unmounting.
 */
export function useKeys(map: KeyMap, on = true, rank: KeyRank = 'view'): void {
  const layer = useRef<Layer>({map, rank});
  // Before anybody can press one: the keys mean what is drawn.
  useLayoutEffect(() => {
    layer.current.map = map;
  });
  const names = Object.keys(map).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: other keys mean another list in the sheet
  useEffect(() => {
    if (!on) return;
    const own = layer.current;
    // React mounts children first: without a rank the shell would cover its own views.
    if (own.rank === 'base') layers.unshift(own);
    else layers.push(own);
    useKeyLayers.setState(state => ({version: state.version + 1}));
    return () => {
      layers.splice(layers.indexOf(own), 1);
      useKeyLayers.setState(state => ({version: state.version + 1}));
    };
  }, [on, names]);
}

export interface ListedKey {
  key: string;
  says: string;
  group: KeyGroup;
  run: KeyAction['run'];
}

/** Every key that says what it does, the deepest part's meaning where two share a key. */
export function listedKeys(): ListedKey[] {
  const found = new Map<string, ListedKey>();
  for (const {map} of layers) {
    for (const [key, entry] of Object.entries(map)) {
      if (typeof entry === 'function' || entry.says === undefined) continue;
      found.set(key, {key, says: entry.says, group: entry.group ?? 'Here', run: entry.run});
    }
  }
  return [...found.values()];
}
