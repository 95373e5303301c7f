// Label selectors for the helper `matches`: a plain map, or matchLabels and matchExpressions.
import {matchesSelector, type SelectorObject} from '@krtscope/shared/labels/label-selector.ts';

/** An absent selector matches everything. Throws for an operator that Kubernetes does not have. */
export function selectorMatches(selector: unknown, labels: unknown): boolean {
  if (typeof selector !== 'object' || selector === null) return selector === undefined || selector === null;
  const {matchLabels, matchExpressions} = selector as {matchLabels?: unknown; matchExpressions?: unknown};
  const isStructured = typeof matchLabels === 'object' || Array.isArray(matchExpressions);
  const structured = (isStructured ? selector : {matchLabels: selector}) as SelectorObject;
  return matchesSelector(
    {
      matchLabels: structured.matchLabels,
      matchExpressions: Array.isArray(matchExpressions) ? structured.matchExpressions : undefined,
    },
    typeof labels === 'object' && labels !== null ? (labels as Record<string, unknown>) : {},
  );
}
