// Label and field selectors: parsing with Kubernetes' error words, and matching.

import type {ServedResource} from '../../kinds/served-resource.ts';
import {labelValueProblems, qualifiedNameProblems} from '../../object/name-rules.ts';
import type {StoredObject} from '../../object/stored-object.ts';
import {badRequest} from '../responses/status-error.ts';

export type Match = (object: StoredObject) => boolean;

interface ParsedLabelRequirement {
  key: string;
  operator: 'in' | 'notin' | 'exists' | '!exists' | 'gt' | 'lt';
  values: string[];
}

export type LabelRequirements = ParsedLabelRequirement[];

class LabelParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): ParsedLabelRequirement[] {
    const out: ParsedLabelRequirement[] = [];
    this.#space();
    if (this.#at >= this.#text.length) return out;
    for (;;) {
      out.push(this.#requirement());
      this.#space();
      if (this.#at >= this.#text.length) return out;
      const next = this.#token();
      if (next !== ',') throw badRequest(`found '${next}', expected: ',' or 'end of string'`);
      this.#space();
      if (this.#at >= this.#text.length) throw badRequest(`found '', expected: identifier after ','`);
    }
  }

  #requirement(): ParsedLabelRequirement {
    let token = this.#token();
    if (token === '!') {
      const after = this.#token();
      if (/^[=!<>(),]/.test(after) || after === '')
        throw parseError(`found '${after}', expected: identifier`);
      const key = this.#key(after);
      return {key, operator: '!exists', values: []};
    }
    const key = this.#key(token);
    const rest = this.#at;
    token = this.#token();
    switch (token) {
      case '=':
      case '==':
        return {key, operator: 'in', values: [this.#exact()]};
      case '!=':
        return {key, operator: 'notin', values: [this.#exact()]};
      case '>':
      case '<':
        return {key, operator: token === '>' ? 'gt' : 'lt', values: [this.#exact()]};
      case 'in':
      case 'notin':
        return {key, operator: token, values: this.#set()};
      case '':
      case ',':
        this.#at = rest;
        return {key, operator: 'exists', values: []};
      default:
        throw parseError(`found '${token}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #key(token: string): string {
    if (token === '' || !/^[^=!<>(),]+$/.test(token))
      throw badRequest(`found '${token}', expected: !, identifier, or 'end of string'`);
    const problem = qualifiedNameProblems(token)[0];
    if (problem) throw parseError(`<nil>: Invalid value: ${JSON.stringify(token)}: ${problem}`);
    return token;
  }

  #exact(): string {
    const rest = this.#at;
    const token = this.#token();
    if (token === '' || token === ',') {
      this.#at = token === ',' ? rest : this.#at;
      return '';
    }
    if (/^[=!<>()]/.test(token)) throw parseError(`found '${token}', expected: identifier`);
    return checkedValue(token);
  }

  #set(): string[] {
    const open = this.#token();
    if (open !== '(') throw parseError(`found '${open}' expected: '('`);
    const values: string[] = [];
    let value = '';
    for (;;) {
      const token = this.#token();
      if (token === ')' || token === ',') {
        values.push(checkedValue(value));
        value = '';
        if (token === ')') return values.sort();
      } else if (token === '') {
        throw parseError(`found '', expected: ',' or ')'`);
      } else if (/^[=!<>(]/.test(token)) {
        throw parseError(`found '${token}', expected: ',', ')' or identifier`);
      } else {
        value = token;
      }
    }
  }

  #space(): void {
    while (this.#at < this.#text.length && /\s/.test(this.#text[this.#at]!)) this.#at++;
  }

  #token(): string {
    this.#space();
    const rest = this.#text.slice(this.#at);
    const found = /^(==|!=|[=!<>(),]|[^=!<>(),\s]+)/.exec(rest)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}

function parseError(why: string): Error {
  return badRequest(`unable to parse requirement: ${why}`);
}

function checkedValue(value: string): string {
  const problem = labelValueProblems(value)[0];
  if (problem) throw parseError(`values[0][]: Invalid value: ${JSON.stringify(value)}: ${problem}`);
  return value;
}

export function parseLabelSelector(text: string): LabelRequirements {
  return new LabelParser(text).parse();
}

export function matchesLabels(
  requirements: LabelRequirements,
  labels: Record<string, string> | undefined,
): boolean {
  return requirements.every(({key, operator, values}) => {
    const value = labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case 'in':
        return value !== undefined && values.includes(value);
      case 'notin':
        return value === undefined || !values.includes(value);
      case 'exists':
        return value !== undefined;
      case '!exists':
        return value === undefined;
      default: {
        const [left, right] = [Number(value), Number(values[0])];
        if (value === undefined || !Number.isInteger(left) || !Number.isInteger(right)) return false;
        return operator === 'gt' ? left > right : left < right;
      }
    }
  });
}

export interface FieldRequirement {
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

/** One matcher of both selectors; refuses fields the resource does not offer. */
export function compileSelectors(
  resource: ServedResource,
  labels: string,
  fields: string,
): Match | undefined {
  const byLabel = parseLabelSelector(labels);
  const byField = parseFieldSelector(fields).map(({field, operator, value}) => {
    const read = fieldReader(resource, field);
    return (object: StoredObject) => (read(object) === value) === (operator === '=');
  });
  if (byLabel.length === 0 && byField.length === 0) return undefined;
  return object => matchesLabels(byLabel, object.metadata.labels) && byField.every(match => match(object));
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
