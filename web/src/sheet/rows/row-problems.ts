// Problem marks on rows, from what the checks found about an item. The Overview ranks them.
import type {Check} from '@krtscope/shared/checks.ts';
import {useMemo} from 'react';
import {useLastAnswer, useSubscription} from '../../stream/use-subscription.ts';
import {useStableValue} from '../../ui/hooks/use-stable-value.ts';

export interface RowProblem {
  severity: 'error' | 'warning';
  words: string;
}

/** Findings about a period of time. They hold for a whole collection and would mark each of its rows. */
const overTime = new Set(['flip-flop', 'hot-item']);

/** The worst finding of each item, by `collection key`. Findings of level info mark no row. */
export function rowProblems(checks: readonly Check[]): Map<string, RowProblem> {
  const found = new Map<string, RowProblem>();
  for (const check of checks) {
    if (check.severity === 'info' || overTime.has(check.code)) continue;
    for (const key of check.keys) {
      const ref = `${check.collection} ${key}`;
      if (found.get(ref)?.severity === 'error') continue;
      if (check.severity === 'error' || !found.has(ref))
        found.set(ref, {severity: check.severity, words: `${check.title}: ${check.message}`});
    }
  }
  return found;
}

/** Returns the same object while the findings are the same, so that changing counts do not redraw every line. */
export function useRowProblems(): ReadonlyMap<string, RowProblem> {
  const checks = useLastAnswer(useSubscription({ask: 'checks'}))?.checks;
  const shape = (checks ?? []).map(one => `${one.severity} ${one.code} ${one.keys.join(',')}`).join('\n');
  const same = useStableValue(checks, shape);
  return useMemo(() => rowProblems(same ?? []), [same]);
}
