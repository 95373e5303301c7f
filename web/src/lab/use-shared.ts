// The formula that somebody else wrote, in the address or in a recording, until the reader runs it or sends it away.
import {useEffect} from 'react';
import {toast, useApp} from '../store/app.ts';
import {decodeShared, type SharedFormula, sharedIn} from './share.ts';

export function useShared(
  shared: SharedFormula | null,
  setShared: (shared: SharedFormula | null) => void,
  start: (formula: SharedFormula) => void,
): {
  runShared: () => void;
  dismissShared: () => void;
} {
  useEffect(() => {
    const read = () => {
      const text = sharedIn(window.location.hash);
      if (text === null) return;
      void decodeShared(text).then(found => {
        forget();
        if (found) setShared(found);
        else toast('The link holds no formula that can be read', 'error');
      });
    };
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, [setShared]);
  return {
    runShared: () => {
      if (shared) start(shared);
      setShared(null);
    },
    dismissShared: () => setShared(null),
  };
}

/** A reload must not ask again about what was answered. */
function forget(): void {
  const {pathname, search} = window.location;
  window.history.replaceState(null, '', pathname + search);
  useApp.setState({});
}
