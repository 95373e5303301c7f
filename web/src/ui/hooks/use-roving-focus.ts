// One Tab stop for a list: arrows, Home and End move focus among its parts.
import {type KeyboardEvent, type RefObject, useRef} from 'react';

interface RovingFocus<T extends HTMLElement> {
  list: RefObject<T | null>;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Focuses the part at a position and makes it the list's Tab stop. */
export function focusPart(parts: HTMLElement[], to: number): void {
  for (const part of parts) part.tabIndex = -1;
  const next = parts[Math.max(0, Math.min(parts.length - 1, to))];
  if (next === undefined) return;
  next.tabIndex = 0;
  next.focus();
}

/** Spread `onKeyDown` and `list` on the container; `selector` finds its parts in order. */
export function useRovingFocus<T extends HTMLElement = HTMLOListElement>(selector: string): RovingFocus<T> {
  const list = useRef<T>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const parts = [...(list.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const at = parts.indexOf(document.activeElement as HTMLElement);
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const to: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: parts.length - 1,
    };
    const next = event.shiftKey ? undefined : to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    focusPart(parts, next);
  };
  return {list, onKeyDown};
}
