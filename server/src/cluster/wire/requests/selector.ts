// Label and field selectors of requests, with Kubernetes' error texts.

import {type LabelRequirement, meetsRequirements} from '@krtscope/shared/labels/label-selector.ts';
import {type LabelChecks, parseLabelSelector} from '@krtscope/shared/labels/selector-parser.ts';
import type {ServedResource} from '../../kinds/served-resource.ts';
import {labelValueProblems, qualifiedNameProblems} from '../../object/name-rules.ts';
import type {StoredObject} from '../../object/stored-object.ts';
import {badRequest} from '../responses/status-error.ts';

export type Match = (object: StoredObject) => boolean;

const labelChecks: LabelChecks = {
  name: text => qualifiedNameProblems(text)[0],
  value: text => labelValueProblems(text)[0],
};

export function parseLabels(text: string): LabelRequirement[] {
  try {
    return parseLabelSelector(text, labelChecks);
  } catch (error) {
    throw badRequest((error as Error).message);
  }
}

interface FieldRequirement {
  field: string;
  operator: '=' | '!=';
  value: string;
}

function parseFieldSelector(text: string): FieldRequirement[] {
  const out: FieldRequirement[] = [];
  for (const term of splitTerms(text)) {
    if (term === '') continue;
    const match = /^(.*?)(==|!=|=)(.*)$/s.exec(term);
    if (!match) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    out.push({field: match[1]!, operator: match[2] === '!=' ? '!=' : '=', value: unescapeValue(match[3]!)});
  }
  return out;
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let term = '';
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') term += text[i++]! + (text[i] ?? '');
    else if (text[i] === ',') {
      terms.push(term);
      term = '';
    } else term += text[i];
  }
  terms.push(term);
  return terms;
}

function unescapeValue(text: string): string {
  return text.replace(/\\([\\,=])/g, '$1');
}

/** One matcher for both selectors. Refuses fields that the resource does not offer. */
export function compileSelectors(
  resource: ServedResource,
  labels: string,
  fields: string,
): Match | undefined {
  const byLabel = parseLabels(labels);
  const byField = parseFieldSelector(fields).map(({field, operator, value}) => {
    const read = fieldReader(resource, field);
    return (object: StoredObject) => (read(object) === value) === (operator === '=');
  });
  if (byLabel.length === 0 && byField.length === 0) return undefined;
  return object =>
    meetsRequirements(byLabel, object.metadata.labels) && byField.every(match => match(object));
}

function fieldReader(resource: ServedResource, field: string): (object: StoredObject) => string {
  if (field === 'metadata.name') return o => o.metadata.name;
  if (field === 'metadata.namespace' && (resource.namespaced || !resource.custom))
    return o => o.metadata.namespace ?? '';
  const own = resource.rules.fieldLabels?.[field];
  if (own) return own;
  const selectable = resource.custom?.selectableFields.includes(`.${field}`);
  if (selectable) {
    const path = field.split('.');
    return o => {
      let here: unknown = o;
      for (const step of path) here = (here as Record<string, unknown> | undefined)?.[step];
      return here === undefined || here === null ? '' : String(here);
    };
  }
  const named = resource.rules.fieldLabels !== undefined || resource.custom;
  if (named) throw badRequest(`field label not supported: ${field}`);
  throw badRequest(
    `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}
