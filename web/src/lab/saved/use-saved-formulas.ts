// The saved formulas and the graph modules, as the server has them: asked for again when the graph's formulas change.

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

export function useSavedFormulas(graph: Graph | null): SavedFormulaList & {again: () => void} {
  const session = useApp(state => state.route.session);
  const resets = useConnection(link => link.resets);
  const [kept, setKept] = useState<SavedFormulaList>({formulas: [], modules: []});
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => setTurn(n => n + 1), []);
  const shape = (graph?.collections ?? [])
    .map(({name, size, failed, state}) => `${name} ${size} ${failed} ${state}`)
    .join();
  // The list of a session after a reset, a save or another graph is another question.
  const question = useMemo(() => ({session, resets, turn, shape}), [session, resets, turn, shape]);
  useEffect(() => {
    if (question.session === null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      listFormulas(abort.signal).then(
        answer => setKept(answer),
        () => {},
      );
    }, 200);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [question]);
  return {...kept, again};
}
