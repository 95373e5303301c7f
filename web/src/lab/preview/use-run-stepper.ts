// Steps through the run of the selected row: each fetch, then the result.

import type {PreviewRow, SavedFormula} from '@krtscope/shared/formulas.ts';
import {useState} from 'react';
import {select} from '../../store/navigation.ts';
import {chooseDraft, useDraftStore} from '../draft/draft-store.ts';

export interface RunStepper {
  step: number | null;
  stepLine: number | null;
  setStep: (step: number | null) => void;
  next: () => void;
  stepBack: () => void;
  stepIn: () => void;
  stepOut: () => void;
}

export function useRunStepper(
  row: PreviewRow | undefined,
  formulas: readonly SavedFormula[],
  open: (formula: SavedFormula) => void,
): RunStepper {
  const [{step, of}, setChoice] = useState<{step: number | null; of: string | undefined}>({
    step: null,
    of: row?.input,
  });
  const [trail, setTrail] = useState<string[]>([]);
  const input = row?.input;
  const setStep = (next: number | null) => setChoice({step: next, of: input});
  // Another row starts from its beginning.
  if (of !== input) setStep(null);
  const last = row?.fetches.length ?? 0;
  const at = step === null ? null : Math.min(step, last);
  const fetch = at === null ? undefined : row?.fetches[at];
  return {
    step: at,
    stepLine: fetch?.line ?? null,
    setStep,
    next: () => {
      if (row !== undefined) setStep(at === null ? 0 : at >= last ? null : at + 1);
    },
    stepBack: () => setStep(at === null || at === 0 ? null : at - 1),
    stepIn: () => {
      if (fetch === undefined) return;
      const formula = formulas.find(one => one.name === fetch.collection);
      const {current} = useDraftStore.getState();
      if (formula) {
        if (current !== null) setTrail([...trail, current]);
        open(formula);
      } else if (fetch.keys[0] !== undefined)
        select({collection: fetch.collection, key: fetch.keys[0]}, 'sheet');
    },
    stepOut: () => {
      const back = trail.at(-1);
      if (back === undefined) return;
      setTrail(trail.slice(0, -1));
      chooseDraft(back);
    },
  };
}
