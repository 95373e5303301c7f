// Hooks for views: selection, moment, view parameters.
import type {ItemRef} from '@krtscope/shared/run.ts';
import {useCallback, useMemo} from 'react';
import {useConnection} from '../stream/server-connection.ts';
import {navigate, setParams, useApp} from './app.ts';
import type {PageView} from './route.ts';

interface ItemSelection {
  collection: string | null;
  key: string | null;
  run: string | null;
  /** Selects an item or, without a key, a collection; `view` also opens that view. */
  select(ref: {collection: string; key?: string | null; run?: string | null}, view?: PageView): void;
  clear(): void;
}

export function useSelection(): ItemSelection {
  const collection = useApp(state => state.route.collection);
  const key = useApp(state => state.route.key);
  const run = useApp(state => state.route.run);
  return useMemo(() => ({collection, key, run, select, clear}), [collection, key, run]);
}

export function select(
  ref: {collection: string; key?: string | null; run?: string | null},
  view?: PageView,
): void {
  navigate({
    collection: ref.collection,
    key: ref.key ?? null,
    run: ref.run ?? null,
    ...(view === undefined ? {} : {view, page: 'session' as const}),
  });
}

/** Opens Why for a row, a field of a row, or (`input`) an input without a row. */
export function openOrigin(ref: {
  collection: string;
  key: string;
  field?: string | undefined;
  input?: boolean | undefined;
}): void {
  navigate({page: 'session', view: 'origin', collection: ref.collection, key: ref.key, run: null});
  setParams({field: ref.field ?? null, input: ref.input ? '1' : null});
}

function clear(): void {
  navigate({collection: null, key: null, run: null});
}

/** The selected item; null if nothing or a whole collection is selected. */
export function useSelectedItem(): ItemRef | null {
  const {collection, key} = useSelection();
  return useMemo(() => (collection !== null && key !== null ? {collection, key} : null), [collection, key]);
}

interface MomentControls {
  /** The sequence on screen; null means live. */
  moment: number | null;
  live: boolean;
  pause(): void;
  goLive(): void;
  goTo(sequence: number): void;
}

export function useMoment(): MomentControls {
  const moment = useApp(state => state.route.moment);
  return useMemo(() => ({moment, live: moment === null, pause, goLive, goTo}), [moment]);
}

export function pause(): void {
  navigate({moment: useConnection.getState().sequence});
}

export function goLive(): void {
  navigate({moment: null, recording: null});
}

export function goTo(sequence: number): void {
  navigate({moment: Math.max(0, Math.round(sequence))});
}

/** One parameter of the current view, in the URL; null removes it. */
export function useParam(name: string): [string | null, (value: string | null) => void] {
  const value = useApp(state => state.route.params[name] ?? null);
  const set = useCallback((next: string | null) => setParams({[name]: next}), [name]);
  return [value, set];
}

export function useNamespace(): [string | null, (namespace: string | null) => void] {
  const namespace = useApp(state => state.route.namespace);
  return [namespace, setNamespace];
}

function setNamespace(namespace: string | null): void {
  navigate({namespace: namespace || null});
}
