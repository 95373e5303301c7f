// Parses label selectors such as `app in (web,api),!canary` with Kubernetes' grammar and its error texts.
import type {LabelRequirement} from './label-selector.ts';

/** Finds what is wrong with a label's name or value; undefined if nothing is. */
export interface LabelChecks {
  name(text: string): string | undefined;
  value(text: string): string | undefined;
}

const noChecks: LabelChecks = {name: () => undefined, value: () => undefined};

/** Throws an Error that says what was found and what was expected. */
export function parseLabelSelector(text: string, checks: LabelChecks = noChecks): LabelRequirement[] {
  return new SelectorParser(text, checks).parse();
}

class SelectorParser {
  readonly #text: string;
  readonly #checks: LabelChecks;
  #at = 0;

  constructor(text: string, checks: LabelChecks) {
    this.#text = text;
    this.#checks = checks;
  }

  parse(): LabelRequirement[] {
    const out: LabelRequirement[] = [];
    this.#space();
    if (this.#at >= this.#text.length) return out;
    for (;;) {
      out.push(this.#requirement());
      this.#space();
      if (this.#at >= this.#text.length) return out;
      const next = this.#token();
      if (next !== ',') throw new Error(`found '${next}', expected: ',' or 'end of string'`);
      this.#space();
      if (this.#at >= this.#text.length) throw new Error(`found '', expected: identifier after ','`);
    }
  }

  #requirement(): LabelRequirement {
    let token = this.#token();
    if (token === '!') {
      const after = this.#token();
      if (/^[=!<>(),]/.test(after) || after === '')
        throw requirementError(`found '${after}', expected: identifier`);
      return {key: this.#key(after), operator: 'DoesNotExist', values: []};
    }
    const key = this.#key(token);
    const rest = this.#at;
    token = this.#token();
    switch (token) {
      case '=':
      case '==':
        return {key, operator: 'In', values: [this.#exact()]};
      case '!=':
        return {key, operator: 'NotIn', values: [this.#exact()]};
      case '>':
      case '<':
        return {key, operator: token === '>' ? 'Gt' : 'Lt', values: [this.#exact()]};
      case 'in':
      case 'notin':
        return {key, operator: token === 'in' ? 'In' : 'NotIn', values: this.#set()};
      case '':
      case ',':
        this.#at = rest;
        return {key, operator: 'Exists', values: []};
      default:
        throw requirementError(`found '${token}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #key(token: string): string {
    if (token === '' || !/^[^=!<>(),]+$/.test(token))
      throw new Error(`found '${token}', expected: !, identifier, or 'end of string'`);
    const problem = this.#checks.name(token);
    if (problem) throw requirementError(`<nil>: Invalid value: ${JSON.stringify(token)}: ${problem}`);
    return token;
  }

  #exact(): string {
    const rest = this.#at;
    const token = this.#token();
    if (token === '' || token === ',') {
      this.#at = token === ',' ? rest : this.#at;
      return '';
    }
    if (/^[=!<>()]/.test(token)) throw requirementError(`found '${token}', expected: identifier`);
    return this.#checked(token);
  }

  #set(): string[] {
    const open = this.#token();
    if (open !== '(') throw requirementError(`found '${open}' expected: '('`);
    const values: string[] = [];
    let value = '';
    for (;;) {
      const token = this.#token();
      if (token === ')' || token === ',') {
        values.push(this.#checked(value));
        value = '';
        if (token === ')') return values.sort();
      } else if (token === '') {
        throw requirementError(`found '', expected: ',' or ')'`);
      } else if (/^[=!<>(]/.test(token)) {
        throw requirementError(`found '${token}', expected: ',', ')' or identifier`);
      } else {
        value = token;
      }
    }
  }

  #checked(value: string): string {
    const problem = this.#checks.value(value);
    if (problem) throw requirementError(`values[0][]: Invalid value: ${JSON.stringify(value)}: ${problem}`);
    return value;
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

function requirementError(why: string): Error {
  return new Error(`unable to parse requirement: ${why}`);
}
