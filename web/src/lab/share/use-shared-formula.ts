// The formula that somebody else wrote, in the address or in a recording, until the reader runs it or sends it away.
import {useEffect} from 'react';
import {toast, useApp} from '../../store/app.ts';
import {decodeFormulaLink, formulaLinkIn, type SharedFormula} from './formula-link.ts';

export function useSharedFormula(
  shared: SharedFormula | null,
  setShared: (shared: SharedFormula | null) => void,
  start: (formula: SharedFormula) => void,
): {
  runShared: () => void;
  dismissShared: () => void;
} {
  useEffect(() => {
    const read = () => {
      const text = formulaLinkIn(window.location.hash);
      if (text === null) return;
      void decodeFormulaLink(text).then(found => {
        clearHash();
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
function clearHash(): void {
  const {pathname, search} = window.location;
  window.history.replaceState(null, '', pathname + search);
  useApp.setState({});
}
