// The keys of every view. A view can bind the same key to something else.

import type {ItemDetail} from '@krtscope/shared/items.ts';
import {copyText, navigate, openOverlay, toast, useApp} from '../../store/app.ts';
import {hasInspector, isExplanationView, type PageView} from '../../store/route.ts';
import {changeSettings, useSettings} from '../../store/settings.ts';
import {apiPath, RequestError, request} from '../../stream/http.ts';
import {yamlText} from '../../ui/code/yaml-lines.ts';
import {searchId} from '../search/SearchBox.tsx';
import {shareLink} from '../shell/TopBar.tsx';
import {viewEntries} from '../views.tsx';
import {type KeyMap, useKeys} from './keys.ts';
import {lastView, useRememberedView} from './last-view.ts';
import {moveInView, pressInstead} from './view-focus.ts';

const goTo = (view: PageView) => () => navigate({view});

/** Whether the Inspector is open, by choice or by default. */
function isInspectorOpen(): boolean {
  const {route} = useApp.getState();
  if (!hasInspector(route.view) || route.collection === null) return false;
  if (route.inspector === null && route.params.vs !== undefined) return false;
  return route.inspector ?? (viewEntries[route.view].inspector && route.key !== null);
}

export function useShellKeys(): void {
  useKeys(shellKeys, true, 'base');
  useRememberedView();
}

const shellKeys: KeyMap = {
  '1': {says: 'overview', group: 'Move', run: goTo('overview')},
  '2': {says: 'sheet', group: 'Move', run: goTo('sheet')},
  '3': {says: 'graph', group: 'Move', run: goTo('graph')},
  '4': {says: 'why', group: 'Move', run: goTo('why')},
  '5': {says: 'lab', group: 'Move', run: goTo('lab')},
  '6': {says: 'controllers', group: 'Move', run: goTo('controllers')},
  '/': {says: 'filter, or find', group: 'Move', run: focusSearch},
  ':': {says: 'command line: pods, svc shop, ctx, why', group: 'Move', run: () => openOverlay('jump')},
  'Mod+K': {says: 'commands', group: 'Move', typing: true, run: () => openOverlay('palette')},
  '?': {says: 'shortcuts', group: 'Move', run: () => openOverlay('shortcuts')},
  Escape: {says: 'close, clear, back', group: 'Move', run: clearOneStep},
  ArrowDown: {says: 'next row', group: 'Move', run: moveInView},
  ArrowUp: {says: 'previous row', group: 'Move', run: moveInView},
  ArrowRight: {says: 'next column', group: 'Move', run: moveInView},
  ArrowLeft: {says: 'previous column', group: 'Move', run: moveInView},
  j: {says: 'next row', group: 'Move', run: event => pressInstead(event, 'ArrowDown')},
  k: {says: 'previous row', group: 'Move', run: event => pressInstead(event, 'ArrowUp')},
  Enter: {says: 'open', group: 'Move', run: moveInView},
  Home: {says: 'first row', group: 'Move', run: moveInView},
  End: {says: 'last row', group: 'Move', run: moveInView},
  o: {says: 'why this value?', group: 'Understand', run: openWithItem('origin')},
  w: {says: 'why', group: 'Understand', run: openWithItem('why')},
  'Shift+W': {says: 'why not', group: 'Understand', run: openWithItem('why-not')},
  'Shift+I': {says: 'what if…', group: 'Understand', run: openWithItem('what-if')},
  g: {says: 'graph of selection', group: 'Understand', run: openSelectionGraph},
  i: {says: 'inspector', group: 'Understand', run: toggleInspector},
  p: {says: 'pulses on or off', group: 'Understand', run: togglePulses},
  '+': {says: 'new draft column', group: 'Here', run: () => navigate({view: 'lab', params: {new: '1'}})},
  y: {says: 'copy YAML', group: 'Copy', run: () => void copyYaml()},
  'Shift+Y': {says: 'copy link', group: 'Copy', run: shareLink},
};

/** The graph of the selected item. The collection's graph would hide it among thousands. */
function openSelectionGraph(): void {
  const {route, paramsByView} = useApp.getState();
  const {level: _, ...params} = paramsByView.graph ?? {};
  navigate({view: 'graph', params: route.key === null ? params : {...params, level: 'item'}});
}

function toggleInspector(): void {
  const {route} = useApp.getState();
  if (hasInspector(route.view)) navigate({inspector: !isInspectorOpen()});
  else if (route.collection === null) toast('Select an item first');
  else navigate({view: 'sheet', inspector: true});
}

function focusSearch(): void {
  document.getElementById(searchId)?.focus();
}

/** Leaves an explanation, closes the Inspector, then clears the selected item. */
function clearOneStep(): boolean {
  const {route} = useApp.getState();
  if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
  if (isExplanationView(route.view)) {
    navigate({view: lastView.view, run: null});
    return true;
  }
  if (isInspectorOpen()) navigate({inspector: false});
  else if (route.key !== null) navigate({key: null, inspector: null});
  else return false;
  return true;
}

function openWithItem(view: PageView) {
  return () => {
    const {route} = useApp.getState();
    if (route.collection === null || route.key === null) toast('Select an item first');
    else navigate({view});
  };
}

function togglePulses(): void {
  const pulses = !useSettings.getState().pulses;
  changeSettings({pulses});
  toast(pulses ? 'Pulses on' : 'Pulses off');
}

async function copyYaml(): Promise<void> {
  const {collection, key, session, moment} = useApp.getState().route;
  if (collection === null || key === null) {
    toast('Select an item first');
    return;
  }
  const path = `/collections/${encodeURIComponent(collection)}/items/${encodeURIComponent(key)}`;
  try {
    const item = await request<ItemDetail>(apiPath(path, {session, at: moment}));
    await copyText(yamlText(item.value), 'YAML copied');
  } catch (error) {
    toast(error instanceof RequestError ? error.failure.message : String(error), 'error');
  }
}
