// Whether the window is narrow (under 1100 px): the rail loses its words, the Inspector becomes a bottom sheet.
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
