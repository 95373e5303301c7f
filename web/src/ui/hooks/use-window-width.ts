// The window's width, for layouts that change more than CSS can.
import {useSyncExternalStore} from 'react';

function onResize(tell: () => void): () => void {
  window.addEventListener('resize', tell);
  return () => window.removeEventListener('resize', tell);
}

export function useWindowWidth(): number {
  return useSyncExternalStore(onResize, () => window.innerWidth);
}
