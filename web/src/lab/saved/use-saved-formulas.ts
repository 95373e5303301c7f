// The saved formulas and graph modules of the server. They are read again when the graph changes.

import type {ModuleState, SavedFormula} from '@krtscope/shared/formulas.ts';
import type {Graph} from '@krtscope/shared/graph.ts';
import {useCallback, useEffect, useMemo, useState} from 'react';
import {useApp} from '../../store/app.ts';
import {useConnection} from '../../stream/server-connection.ts';
import {listFormulas} from '../formula-api.ts';

interface SavedFormulaList {
  formulas: SavedFormula[];
  modules: ModuleState[];
}

export interface SavedFormulas extends SavedFormulaList {
  reload: () => void;
}

export function useSavedFormulas(graph: Graph | null): SavedFormulas {
  const session = useApp(state => state.route.session);
  const resets = useConnection(link => link.resets);
  const [list, setList] = useState<SavedFormulaList>({formulas: [], modules: []});
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn(n => n + 1), []);
  const shape = (graph?.collections ?? [])
    .map(({name, size, failed, state}) => `${name} ${size} ${failed} ${state}`)
    .join();
  // A reset, a save or a changed graph needs a new request.
  const question = useMemo(() => ({session, resets, turn, shape}), [session, resets, turn, shape]);
  useEffect(() => {
    if (question.session === null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      listFormulas(abort.signal).then(
        answer => setList(answer),
        () => {},
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [question]);
  return {...list, reload};
}
