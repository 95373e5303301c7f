// Whether the window is narrow: the rail loses its labels, the Inspector becomes a bottom sheet.
import {useSyncExternalStore} from 'react';

const query = '(max-width: 1099px)';

function onChange(listener: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

export function useNarrow(): boolean {
  return useSyncExternalStore(onChange, () => window.matchMedia(query).matches);
}
