// Named formats such as dns1123Label, with Kubernetes' messages.

import {
  label1035Problems,
  labelNameProblems,
  labelValueProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from '../../object/name-rules.ts';
import type {CelFunctions} from '../functions.ts';
import {CelError, CelOpaque, CelOptional, NONE} from '../values.ts';
import {parseTimestamp} from './time.ts';
import {parseUrl} from './url.ts';

class CelFormat extends CelOpaque {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  readonly problems: (text: string) => string[];
  constructor(name: string, problems: (text: string) => string[]) {
    super();
    this.name = name;
    this.problems = problems;
  }
  equals(other: this): boolean {
    return this.name === other.name;
  }
}

/** A prefix may end with a dash, which a suffix follows. */
const prefix = (problems: (text: string) => string[]) => (text: string) =>
  problems(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

const only = (fits: (text: string) => boolean, message: string) => (text: string) =>
  fits(text) ? [] : [message];

function parses(parse: (text: string) => unknown): (text: string) => boolean {
  return text => {
    try {
      return parse(text) !== false;
    } catch (error) {
      if (error instanceof CelError) return false;
      throw error;
    }
  };
}

function urlProblems(text: string): string[] {
  const parsed = parseUrl(text);
  return typeof parsed === 'string' ? [parsed] : [];
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const FORMATS = new Map(
  Object.entries({
    dns1123Label: labelNameProblems,
    dns1123Subdomain: subdomainProblems,
    dns1035Label: label1035Problems,
    qualifiedName: qualifiedNameProblems,
    dns1123LabelPrefix: prefix(labelNameProblems),
    dns1123SubdomainPrefix: prefix(subdomainProblems),
    dns1035LabelPrefix: prefix(label1035Problems),
    labelValue: labelValueProblems,
    uri: urlProblems,
    uuid: only(text => UUID.test(text), 'does not match the UUID format'),
    byte: only(text => BASE64.test(text), 'invalid base64'),
    date: only(isDate, 'invalid date'),
    datetime: only(parses(parseTimestamp), 'invalid datetime'),
  }).map(([name, problems]) => [name, new CelFormat(name, problems)]),
);

function constructors(): CelFunctions {
  const out: CelFunctions = {};
  for (const [name, format] of FORMATS) out[`format.${name}(): kubernetes.NamedFormat`] = () => format;
  return out;
}

export const formatFunctions: CelFunctions = {
  ...constructors(),
  'format.named(string): optional<kubernetes.NamedFormat>': (name: string) => {
    const found = FORMATS.get(name);
    return found ? new CelOptional(found) : NONE;
  },
  'kubernetes.NamedFormat::validate(string): optional<list<string>>': (format: CelFormat, text: string) => {
    const problems = format.problems(text);
    return problems.length === 0 ? NONE : new CelOptional(problems);
  },
};
