// The two sides of a clause over labels: what a selector wants and what an object has.
import type {EvidenceClause} from '@krtscope/shared/why.ts';

/** Words of a clause for a label that is not there. No label can have these values: they contain a space. */
export const NOT_SET = 'not set';
export const NOT_SELECTED = 'not asked for';

export interface LabelSides {
  readonly label: string;
  /** Undefined where the side has no such label. */
  readonly wanted: string | undefined;
  readonly has: string | undefined;
}

export function withoutEquals(wants: string): string {
  return wants.replace(/^= /, '');
}

function sideOf(value: string | undefined): string | undefined {
  return value === NOT_SET || value === NOT_SELECTED ? undefined : value;
}

/** Undefined for a clause over something else. */
export function labelSidesOf({clause, wants, new: now, old}: EvidenceClause): LabelSides | undefined {
  const value = sideOf(now ?? old);
  if (clause.startsWith('labels.'))
    return {label: clause.slice('labels.'.length), wanted: withoutEquals(wants), has: value};
  if (clause.startsWith('selector.'))
    return {label: clause.slice('selector.'.length), wanted: value, has: sideOf(withoutEquals(wants))};
  return undefined;
}
