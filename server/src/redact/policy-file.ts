// Reads the file of --redact. Errors name the file, the line and the reason.
import {readFileSync} from 'node:fs';
import {parsePath} from '@krtscope/shared/path.ts';
import {RE2JS} from 're2js';
import {isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument} from 'yaml';
import {UsageError} from '../usage-error.ts';
import {isIdentity, type PolicyField, type PolicyPattern, RedactionPolicy} from './redaction-policy.ts';
import {nameWords} from './text/secret-names.ts';

const PARTS = ['names', 'fields', 'patterns'];
/** Instructions of a compiled pattern. One for a UUID takes about 50. */
const MAX_PATTERN_SIZE = 256;

/** Throws UsageError. */
export function readRedactionPolicy(file: string): RedactionPolicy {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--redact ${file} cannot be read: ${(error as Error).message}`);
  }
  return parseRedactionPolicy(text, file);
}

/** Throws UsageError. */
export function parseRedactionPolicy(text: string, file: string): RedactionPolicy {
  return new PolicyParser(text, file).parse();
}

class PolicyParser {
  readonly #file: string;
  readonly #text: string;
  readonly #lines = new LineCounter();

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  parse(): RedactionPolicy {
    const document = parseDocument(this.#text, {schema: 'core', lineCounter: this.#lines});
    const [error] = document.errors;
    if (error !== undefined)
      throw this.#error(error.linePos?.[0].line ?? 1, error.message.split('\n', 1)[0] as string);
    const names: string[] = [];
    const fields: PolicyField[] = [];
    const patterns: PolicyPattern[] = [];
    const entries = this.#entries(document.contents, 'a policy');
    for (const [part, node, key] of entries) {
      if (part === 'names') for (const [one, at] of this.#texts(node, part)) names.push(this.#name(one, at));
      else if (part === 'patterns')
        for (const [one, at] of this.#texts(node, part)) patterns.push(this.#pattern(one, at));
      else if (part === 'fields')
        for (const [kind, list, at] of this.#entries(node, 'fields')) {
          if (!/^(?:\*|[A-Z][A-Za-z0-9]*)$/.test(kind))
            throw this.#errorAt(at, `"${kind}" is not a kind; write one such as Deployment, or "*"`);
          for (const [path, place] of this.#texts(list, `fields.${kind}`))
            fields.push(this.#field(kind, path, place));
        }
      else throw this.#errorAt(key, `"${part}" is not known; a policy has ${PARTS.join(', ')}`);
    }
    if (names.length + fields.length + patterns.length === 0)
      throw this.#error(1, `the policy is empty; give ${PARTS.join(', ')}`);
    return new RedactionPolicy(names, fields, patterns);
  }

  #name(text: string, node: Node): string {
    if (nameWords(text).length > 0 && text.length <= 100) return text;
    throw this.#errorAt(node, `"${text}" is not a name; write one such as iban or customerNumber`);
  }

  #field(kind: string, source: string, node: Node): PolicyField {
    const path = parsePath(source).map(segment => (segment === '' ? '*' : segment));
    const [first = '', second = ''] = path;
    if (first === '') throw this.#errorAt(node, `"${source}" is not a path; write one such as spec.owner`);
    if (first === '*' || (path.length === 1 && (first === 'metadata' || isIdentity('', first))))
      throw this.#errorAt(node, `"${source}" would hide what identifies the object; name a field inside it`);
    if (first === 'metadata' && path.length === 2 && (second === '*' || isIdentity(first, second)))
      throw this.#errorAt(node, `"${source}" identifies the object and cannot be hidden`);
    return {kind, source, path};
  }

  #pattern(source: string, node: Node): PolicyPattern {
    let pattern: RE2JS;
    try {
      pattern = RE2JS.compile(source);
    } catch (error) {
      throw this.#errorAt(
        node,
        `"${source}" is not a pattern: ${(error as Error).message}; write an RE2 expression, without look-around`,
      );
    }
    if (pattern.programSize() > MAX_PATTERN_SIZE)
      throw this.#errorAt(node, `"${source}" repeats too much; write a simpler pattern`);
    if (pattern.matcher('').find())
      throw this.#errorAt(node, `"${source}" matches an empty text; write what must be there`);
    return {source, find: text => spansOf(pattern, text)};
  }

  #entries(node: ParsedNode | Node | null | undefined, what: string): [string, Node | null, Node][] {
    if (!isMap(node))
      throw this.#errorAt(node, `${what} must be a map${what === 'fields' ? ' of kinds to paths' : ''}`);
    return node.items.map(({key, value}) => [
      String(isScalar(key) ? key.value : key),
      value as Node | null,
      key as Node,
    ]);
  }

  #texts(node: Node | null, what: string): [string, Node][] {
    if (!isSeq(node)) throw this.#errorAt(node, `${what} must be a list of texts`);
    return node.items.map(item => {
      if (isScalar(item) && typeof item.value === 'string' && item.value.trim() !== '')
        return [item.value, item];
      throw this.#errorAt(item as Node, `${what} must be a list of texts; quote a number`);
    });
  }

  #errorAt(node: Node | ParsedNode | null | undefined, reason: string): UsageError {
    const offset = node?.range?.[0];
    return this.#error(offset === undefined ? 1 : this.#lines.linePos(offset).line, reason);
  }

  #error(line: number, reason: string): UsageError {
    return new UsageError(`--redact ${this.#file}:${Math.max(line, 1)}: ${reason}`);
  }
}

function spansOf(pattern: RE2JS, text: string): {from: number; to: number}[] {
  const spans: {from: number; to: number}[] = [];
  const matcher = pattern.matcher(text);
  const group = pattern.groupCount() > 0 ? 1 : 0;
  while (matcher.find()) {
    const from = matcher.start(group);
    const to = matcher.end(group);
    if (from >= 0 && to > from) spans.push({from, to});
  }
  return spans;
}
