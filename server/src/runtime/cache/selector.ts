// Label and field selectors in the words kubectl takes, matched in memory.

import type {LabelSelector} from '../scheme/built-in-types.ts';
import type {FieldSelectorMap, ListOptions} from './cache.ts';

type SelectorLabelMap = Readonly<Record<string, string>>;
export type LabelMatch = (labels: SelectorLabelMap | undefined) => boolean;

const term =
  /^\s*(?:(!)?\s*([^\s=!<>(),]+)\s*(?:(==|=|!=)\s*([^\s=!<>(),]*)|\s(in|notin)\s*\(([^()]*)\))?)\s*(?:,|$)/;

/** Whether labels fit: by equal values, or by a selector such as `app in (a, b), !canary`. Throws on one that cannot be read. */
export function matchLabels(selector: ListOptions['labels']): LabelMatch {
  if (selector === undefined) return () => true;
  if (typeof selector !== 'string') {
    const wanted = Object.entries(selector);
    return labels => wanted.every(([name, value]) => own(labels, name) === value);
  }
  const tests: LabelMatch[] = [];
  for (let rest = selector; rest.trim() !== ''; ) {
    const found = term.exec(rest);
    if (!found)
      throw new Error(`unable to parse the label selector ${JSON.stringify(selector)} at "${rest.trim()}"`);
    tests.push(testOf(found, selector));
    rest = rest.slice(found[0].length);
  }
  return labels => tests.every(test => test(labels));
}

function testOf(found: RegExpExecArray, selector: string): LabelMatch {
  const [, not, name = '', operator, value = '', among, list = ''] = found;
  if (not && (operator || among))
    throw new Error(
      `unable to parse the label selector ${JSON.stringify(selector)}: "!" stands before a name alone`,
    );
  if (operator) return labels => (own(labels, name) === value) === (operator !== '!=');
  if (among) {
    const values = new Set(list.split(',').map(one => one.trim()));
    return labels => {
      const has = own(labels, name);
      return (has !== undefined && values.has(has)) === (among === 'in');
    };
  }
  return labels => (own(labels, name) !== undefined) === !not;
}

function own(labels: SelectorLabelMap | undefined, name: string): string | undefined {
  return labels && Object.hasOwn(labels, name) ? labels[name] : undefined;
}

/** A LabelSelector, as in a Deployment's spec, as text for `labels`. */
export function selectorText(selector: LabelSelector): string {
  const equal = Object.entries(selector.matchLabels ?? {}).map(([name, value]) => `${name}=${value}`);
  const other = (selector.matchExpressions ?? []).map(({key, operator, values = []}) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator.toLowerCase()} (${values.join(',')})`;
  });
  return [...equal, ...other].join(',');
}

/** The selector as the server takes it. */
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
