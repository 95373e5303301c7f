// Pinned items: a watch list visible in every view. It is part of the URL, so links carry it.
import type {ItemRef} from '@krtscope/shared/run.ts';
import {useMemo} from 'react';
import {navigate, useApp} from './app.ts';

/** More pins would not fit side by side. */
export const MOST_PINS = 6;

/** The URL's form: `Workloads/shop%2Fcart,Pods/…`. */
export function parsePins(text: string | null): ItemRef[] {
  return (text ?? '').split(',').flatMap(part => {
    const slash = part.indexOf('/');
    if (slash <= 0 || slash === part.length - 1) return [];
    try {
      return [
        {
          collection: decodeURIComponent(part.slice(0, slash)),
          key: decodeURIComponent(part.slice(slash + 1)),
        },
      ];
    } catch {
      return [];
    }
  });
}

export function formatPins(pins: readonly ItemRef[]): string | null {
  return (
    pins.map(pin => `${encodeURIComponent(pin.collection)}/${encodeURIComponent(pin.key)}`).join(',') || null
  );
}

const isSameItem = (a: ItemRef, b: ItemRef) => a.collection === b.collection && a.key === b.key;

export function usePins(): ItemRef[] {
  const text = useApp(state => state.route.pins);
  return useMemo(() => parsePins(text), [text]);
}

/** Pins or unpins an item; beyond the limit the oldest pin goes. */
export function withPinToggled(pins: readonly ItemRef[], ref: ItemRef): ItemRef[] {
  const rest = pins.filter(pin => !isSameItem(pin, ref));
  return rest.length < pins.length ? rest : [...pins, ref].slice(-MOST_PINS);
}

export function togglePin(ref: ItemRef): void {
  navigate({pins: formatPins(withPinToggled(parsePins(useApp.getState().route.pins), ref))});
}

export function useIsPinned(ref: ItemRef): boolean {
  return usePins().some(pin => isSameItem(pin, ref));
}
