// Label and field selectors as kubectl takes them, for reads from the cache and for requests.

import {
  type LabelRequirement,
  matchesLabelMap,
  meetsRequirements,
  selectorParts,
} from '@krtscope/shared/labels/label-selector.ts';
import {parseLabelSelector} from '@krtscope/shared/labels/selector-parser.ts';
import type {LabelSelector} from '../../built-in-types/index.ts';
import type {FieldSelectorMap, ListOptions} from './cache.ts';

export type LabelMatch = (labels: Readonly<Record<string, string>> | undefined) => boolean;

/** Tests labels by equal values, or by a selector such as `app in (a, b), !canary`. Throws if the selector cannot be parsed. */
export function matchLabels(selector: ListOptions['labels']): LabelMatch {
  if (selector === undefined) return () => true;
  if (typeof selector !== 'string') return labels => matchesLabelMap(selector, labels);
  const requirements = parse(selector);
  return labels => meetsRequirements(requirements, labels);
}

function parse(selector: string): LabelRequirement[] {
  try {
    return parseLabelSelector(selector);
  } catch (error) {
    throw new Error(
      `unable to parse the label selector ${JSON.stringify(selector)}: ${(error as Error).message}`,
    );
  }
}

/** Converts the LabelSelector of an object, such as a Deployment's, to text for `labels`. */
export function selectorText(selector: LabelSelector): string {
  return selectorParts(selector).join(',');
}

/** Returns the selector as a query parameter of the server. */
export function labelText(labels: ListOptions['labels']): string | undefined {
  if (labels === undefined || typeof labels === 'string') return labels || undefined;
  return selectorText({matchLabels: {...labels}}) || undefined;
}

export interface FieldTerm {
  field: string;
  exact: boolean;
  value: string;
}

export function fieldTerms(fields: FieldSelectorMap | string | undefined): FieldTerm[] {
  if (fields === undefined) return [];
  if (typeof fields !== 'string')
    return Object.entries(fields).map(([field, value]) => ({field, exact: true, value}));
  return fields
    .split(',')
    .filter(part => part.trim() !== '')
    .map(part => {
      const found = /^\s*([^=!]+?)\s*(==|=|!=)\s*(.*?)\s*$/.exec(part);
      if (!found) throw new Error(`invalid field selector "${part.trim()}": write name=value`);
      const [, field = '', operator, value = ''] = found;
      return {field, exact: operator !== '!=', value};
    });
}

export function fieldText(fields: FieldSelectorMap | string | undefined): string | undefined {
  const terms = fieldTerms(fields).map(({field, exact, value}) => `${field}${exact ? '=' : '!='}${value}`);
  return terms.join(',') || undefined;
}
