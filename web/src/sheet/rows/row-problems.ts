// The signs that rows carry: what the checks found about an item, beside the item itself. Ranking stays with the Overview.
import type {Check} from '@krtscope/shared/checks.ts';
import {useMemo} from 'react';
import {useLastAnswer, useSubscription} from '../../stream/use-subscription.ts';
import {useStableValue} from '../../ui/hooks/use-stable-value.ts';

export interface RowProblem {
  severity: 'error' | 'warning';
  words: string;
}

/** Findings about what happened over time: true of a whole collection at once, they would mark every row of it. */
const overTime = new Set(['flip-flop', 'hot-item']);

/** By `collection key`, the worst finding of each; mere information leaves rows alone. */
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

/** Stays the same object while the findings do: counts that go up must not redraw every line. */
export function useRowProblems(): ReadonlyMap<string, RowProblem> {
  const checks = useLastAnswer(useSubscription({ask: 'checks'}))?.checks;
  const shape = (checks ?? []).map(one => `${one.severity} ${one.code} ${one.keys.join(',')}`).join('\n');
  const same = useStableValue(checks, shape);
  return useMemo(() => rowProblems(same ?? []), [same]);
}
