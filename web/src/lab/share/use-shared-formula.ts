// A formula from a link or a recording. It is shown first and runs only after the reader agrees.
import {useCallback, useEffect, useState} from 'react';
import {toast, useApp} from '../../store/app.ts';
import {decodeFormulaLink, formulaLinkIn, type SharedFormula} from './formula-link.ts';

interface SharedFormulaState {
  formula: SharedFormula | null;
  show: (formula: SharedFormula) => void;
  dismiss: () => void;
}

export function useSharedFormula(): SharedFormulaState {
  const [formula, setFormula] = useState<SharedFormula | null>(null);
  useEffect(() => {
    const read = () => {
      const text = formulaLinkIn(window.location.hash);
      if (text === null) return;
      void decodeFormulaLink(text).then(found => {
        clearHash();
        if (found) setFormula(found);
        else toast('The link does not contain a readable formula', 'error');
      });
    };
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return {formula, show: setFormula, dismiss: useCallback(() => setFormula(null), [])};
}

/** A reload must not show the formula again. */
function clearHash(): void {
  const {pathname, search} = window.location;
  window.history.replaceState(null, '', pathname + search);
  useApp.setState({});
}
