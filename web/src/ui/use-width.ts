// The window's width, for layouts that change more than CSS can.
import {useSyncExternalStore} from 'react';

function listen(tell: () => void): () => void {
  window.addEventListener('resize', tell);
  return () => window.removeEventListener('resize', tell);
}

export function useWidth(): number {
  return useSyncExternalStore(listen, () => window.innerWidth);
}
