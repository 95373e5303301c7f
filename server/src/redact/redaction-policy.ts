// What --redact FILE hides besides the rules: names, fields of kinds, and patterns. It only adds to them.
import {type PolicyMatch, PolicyNames} from './policy-names.ts';
import {encodedWords} from './text/secret-text.ts';
import {isReference} from './text/secret-value.ts';

export interface PolicyPattern {
  source: string;
  /** Spans of a text. With a group in the pattern, only the group's. */
  find(text: string): {from: number; to: number}[];
}

export interface PolicyField {
  /** `*` stands for every kind. */
  kind: string;
  /** As written in the file. */
  source: string;
  /** `*` stands for every name or element. */
  path: readonly string[];
}

type PolicyNode = Record<string, unknown>;

/** A value that the policy hides, found before the rules change it. */
export interface PolicyFinding {
  rule: string;
  node: PolicyNode;
  key: string;
  before: unknown;
  /** The parts of a text to hide. Without them the whole value is hidden. */
  parts?: readonly PolicyMatch[];
}

/** These identify an object, and krtscope finds it by them. */
const IDENTITY = new Set(['apiVersion', 'kind', 'uid', 'resourceVersion', 'managedFields']);
const METADATA_IDENTITY = new Set([
  'name',
  'namespace',
  'generateName',
  'ownerReferences',
  'creationTimestamp',
  'deletionTimestamp',
]);
/** Replacing more parts one by one would take long in a large text, which is then hidden whole. */
const MAX_PARTS = 100;
const MARKER = /(redacted:[0-9a-f]{8})/;
const WHOLE_MARKER = /^redacted:[0-9a-f]{8}$/;

export const isIdentity = (parent: string, name: string): boolean =>
  IDENTITY.has(name) || (parent === 'metadata' && METADATA_IDENTITY.has(name));

const isNode = (value: unknown): value is PolicyNode => typeof value === 'object' && value !== null;
const isScalar = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && value !== '' && !isReference(value));

export class RedactionPolicy {
  readonly #names: PolicyNames;
  readonly #fields: readonly PolicyField[];
  readonly #patterns: readonly PolicyPattern[];

  constructor(names: readonly string[], fields: readonly PolicyField[], patterns: readonly PolicyPattern[]) {
    this.#names = new PolicyNames(names);
    this.#fields = fields;
    this.#patterns = patterns;
  }

  /** Finds what to hide. Call it before the rules run: their result no longer has the texts that patterns match. */
  find(object: object, kind: unknown): PolicyFinding[] {
    const found: PolicyFinding[] = [];
    const open: [node: PolicyNode, parent: string][] = [[object as PolicyNode, '']];
    this.#findFields(object as PolicyNode, kind, found);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [node, parent] = next;
      // An object inside a list or a document has fields of its own.
      if (node !== object && isNode(node.metadata)) this.#findFields(node, node.kind, found);
      if (typeof node.name === 'string') this.#findNamed(node, 'value', node.name, found);
      for (const [name, value] of Object.entries(node)) {
        if (isIdentity(parent, name)) continue;
        if (!Array.isArray(node)) this.#findNamed(node, name, name, found);
        if (typeof value === 'string') this.#findInText(node, name, value, found);
        if (!isNode(value)) continue;
        if (name === 'command' || name === 'args') this.#findAfterFlags(value, found);
        open.push([value, name]);
      }
    }
    return found;
  }

  #findFields(root: PolicyNode, kind: unknown, found: PolicyFinding[]): void {
    for (const field of this.#fields)
      if (field.kind === '*' || field.kind === kind)
        for (const [node, key] of placesOf(root, field.path))
          found.push({rule: `policy fields: ${field.kind} ${field.source}`, node, key, before: node[key]});
  }

  #findNamed(node: PolicyNode, key: string, name: string, found: PolicyFinding[]): void {
    const value = node[key];
    if (!isScalar(value) && !Array.isArray(value)) return;
    const rule = this.#names.ruleFor(name);
    if (rule === undefined) return;
    const [holder, keys] = Array.isArray(value)
      ? [value as unknown as PolicyNode, Object.keys(value)]
      : [node, [key]];
    for (const one of keys)
      if (isScalar(holder[one])) found.push({rule, node: holder, key: one, before: holder[one]});
  }

  #findAfterFlags(words: PolicyNode, found: PolicyFinding[]): void {
    let flag = '';
    for (const [at, word] of Object.entries(words)) {
      const rule = flag === '' ? undefined : this.#names.ruleFor(flag);
      if (rule !== undefined && isScalar(word) && !String(word).startsWith('-'))
        found.push({rule, node: words, key: at, before: word});
      flag = typeof word === 'string' ? (/^--?([A-Za-z][\w.-]*)$/.exec(word)?.[1] ?? '') : '';
    }
  }

  #findInText(node: PolicyNode, key: string, text: string, found: PolicyFinding[]): void {
    const parts = this.#partsOf(text);
    for (const {word, decoded, from} of encodedWords(text)) {
      const [part] = this.#partsOf(decoded);
      if (part !== undefined) parts.push({rule: part.rule, from, to: from + word.length});
    }
    const [first] = parts;
    if (first !== undefined) found.push({rule: first.rule, node, key, before: text, parts});
  }

  #partsOf(text: string): PolicyMatch[] {
    return [
      ...this.#names.findIn(text),
      ...this.#patterns.flatMap(({source, find}) =>
        find(text).map(span => ({rule: `policy patterns: ${source}`, ...span})),
      ),
    ];
  }
}

/** The places of a path. A name on a list means that name in each element. */
function placesOf(value: unknown, path: readonly string[]): [PolicyNode, string][] {
  const [first, ...rest] = path;
  if (!isNode(value) || first === undefined) return [];
  if (Array.isArray(value) && first !== '*' && !/^\d+$/.test(first))
    return value.flatMap(one => placesOf(one, path));
  const keys = first === '*' ? Object.keys(value) : Object.hasOwn(value, first) ? [first] : [];
  if (rest.length > 0) return keys.flatMap(key => placesOf(value[key], rest));
  return keys.filter(key => value[key] !== null && value[key] !== '').map(key => [value, key]);
}

/** Hides the findings after the rules have run. `hidden` are the secrets that the rules hid in this object. */
export function hideFindings(
  findings: readonly PolicyFinding[],
  hidden: readonly string[],
  hide: (value: unknown) => string,
): void {
  for (const {node, key, before, parts} of findings) {
    const now = node[key];
    if (now === undefined || (typeof now === 'string' && WHOLE_MARKER.test(now))) continue;
    if (parts === undefined || typeof before !== 'string') node[key] = hide(before);
    else if (now === before) node[key] = hideSpans(before, parts, hide);
    else if (typeof now === 'string') node[key] = hideRest(now, before, parts, hidden, hide);
  }
}

function hideSpans(text: string, parts: readonly PolicyMatch[], hide: (value: unknown) => string): string {
  let result = '';
  let done = 0;
  for (const {from, to} of joinSpans(parts)) {
    result += text.slice(done, from) + hide(text.slice(from, to));
    done = to;
  }
  return result + text.slice(done);
}

function joinSpans(parts: readonly PolicyMatch[]): {from: number; to: number}[] {
  const joined: {from: number; to: number}[] = [];
  for (const {from, to} of [...parts].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from < last.to) last.to = Math.max(last.to, to);
    else joined.push({from, to});
  }
  return joined;
}

/** The rules have changed the text. A part that they hid only half makes the whole text hidden. */
function hideRest(
  now: string,
  before: string,
  parts: readonly PolicyMatch[],
  hidden: readonly string[],
  hide: (value: unknown) => string,
): string {
  let result = now;
  const secrets = new Set(joinSpans(parts).map(({from, to}) => before.slice(from, to)));
  if (secrets.size > MAX_PARTS) return hide(before);
  for (const secret of secrets) {
    const pieces = result.split(MARKER);
    if (pieces.some((piece, at) => at % 2 === 0 && piece.includes(secret)))
      result = pieces
        .map((piece, at) => (at % 2 === 0 ? piece.replaceAll(secret, () => hide(secret)) : piece))
        .join('');
    else if (!hidden.some(one => one.includes(secret))) return hide(before);
  }
  return result;
}
