// JSONPath templates as kubectl takes them: `{.items[*].metadata.name}`, `{range .items[*]}{.key}{"\n"}{end}`.
import {UsageError} from '../../usage-error.ts';

type Selector =
  | {kind: 'names'; names: string[]}
  | {kind: 'descend'}
  | {kind: 'every'}
  | {kind: 'slice'; from: number | undefined; to: number | undefined; step: number}
  | {kind: 'filter'; keeps: (value: unknown, root: unknown) => boolean};

type TemplatePart =
  | {kind: 'text'; text: string}
  | {kind: 'values'; path: JsonPath}
  | {kind: 'range'; path: JsonPath; body: TemplatePart[]};

interface JsonPath {
  fromRoot: boolean;
  selectors: Selector[];
}

const wrong = (text: string, problem: string) =>
  new UsageError(`the JSONPath "${text}" ${problem}; write it as for kubectl, such as {.items[*].key}`);

/** A function from a document to the template's text. Throws UsageError for a wrong template. */
export function compileTemplate(template: string): (document: unknown) => string {
  const text = template.includes('{') ? template : `{${template.startsWith('.') ? '' : '.'}${template}}`;
  const parts = parseTemplate(text);
  return document => render(parts, document, document);
}

/** A function from a value to everything that the path finds in it. */
export function compilePath(path: string): (value: unknown) => unknown[] {
  const bare = path.replace(/^\{(.*)\}$/s, '$1');
  const parsed = parsePathText(bare.startsWith('.') || bare.startsWith('[') ? bare : `.${bare}`);
  return value => select(parsed, value, value);
}

export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

function parseTemplate(template: string): TemplatePart[] {
  const root: TemplatePart[] = [];
  const open: TemplatePart[][] = [root];
  let at = 0;
  while (at < template.length) {
    const here = open.at(-1) as TemplatePart[];
    if (template[at] !== '{') {
      const end = template.indexOf('{', at);
      here.push({kind: 'text', text: template.slice(at, end < 0 ? undefined : end)});
      at = end < 0 ? template.length : end;
      continue;
    }
    const end = blockEnd(template, at);
    const block = template.slice(at + 1, end).trim();
    at = end + 1;
    if (block === 'end') {
      if (open.length === 1) throw wrong(template, 'has {end} without {range}');
      open.pop();
    } else if (block.startsWith('range ')) {
      const body: TemplatePart[] = [];
      here.push({kind: 'range', path: parsePathText(block.slice(6).trim()), body});
      open.push(body);
    } else if (/^["']/.test(block)) here.push({kind: 'text', text: unquote(block)});
    else here.push({kind: 'values', path: parsePathText(block)});
  }
  if (open.length > 1) throw wrong(template, 'has {range} without {end}');
  return root;
}

/** The index of the brace that closes the block; braces in quotes do not count. */
function blockEnd(template: string, from: number): number {
  let quote = '';
  for (let at = from + 1; at < template.length; at++) {
    const char = template[at] as string;
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '}') return at;
  }
  throw wrong(template, 'has a { without }');
}

const escapes: Record<string, string> = {n: '\n', t: '\t', r: '\r'};
const unquote = (text: string): string =>
  text.slice(1, -1).replaceAll(/\\(.)/gs, (_, char: string) => escapes[char] ?? char);

function render(parts: readonly TemplatePart[], value: unknown, root: unknown): string {
  let text = '';
  for (const part of parts) {
    if (part.kind === 'text') text += part.text;
    else if (part.kind === 'values') text += select(part.path, value, root).map(valueText).join(' ');
    else for (const one of select(part.path, value, root)) text += render(part.body, one, root);
  }
  return text;
}

const step =
  /\.\.|\.\*|\.((?:\\.|[^.[\]\s\\])+)|\[(-?\d+)\]|\[(-?\d*):(-?\d*)(?::(\d+))?\]|\[\*\]|\[((?:'[^']*'|"[^"]*")(?:\s*,\s*(?:'[^']*'|"[^"]*"))*)\]|\[\?\((.*?)\)\]/gsy;

function parsePathText(text: string): JsonPath {
  const fromRoot = text.startsWith('$');
  const path = text.replace(/^[$@]/, '');
  const selectors: Selector[] = [];
  let at = path === '.' ? 1 : 0;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) throw wrong(text, `is not understood at "${path.slice(at)}"`);
    at = step.lastIndex;
    // `..name` has no dot of its own before the name.
    if (match[0] === '..') at -= path[at] === '[' ? 0 : 1;
    selectors.push(selectorOf(match, text));
  }
  return {fromRoot, selectors};
}

function selectorOf(match: RegExpExecArray, text: string): Selector {
  const [whole, name, index, from, to, by, names, filter] = match;
  if (whole === '..') return {kind: 'descend'};
  if (whole === '.*' || whole === '[*]') return {kind: 'every'};
  if (name !== undefined) return {kind: 'names', names: [name.replaceAll(/\\(.)/g, '$1')]};
  if (index !== undefined) {
    const at = Number(index);
    return {kind: 'slice', from: at, to: at === -1 ? undefined : at + 1, step: 1};
  }
  if (names !== undefined)
    return {
      kind: 'names',
      names: [...names.matchAll(/'([^']*)'|"([^"]*)"/g)].map(one => one[1] ?? one[2] ?? ''),
    };
  if (filter !== undefined) return {kind: 'filter', keeps: parseFilterText(filter, text)};
  const bound = (part: string | undefined) => (part === undefined || part === '' ? undefined : Number(part));
  return {kind: 'slice', from: bound(from), to: bound(to), step: Math.max(1, Number(by ?? 1))};
}

function parseFilterText(filter: string, text: string): (value: unknown, root: unknown) => boolean {
  const [, left = '', comparison, right] =
    /^\s*(@(?:[^=!<>"']|\["[^"]*"\]|\['[^']*'\])*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?))?\s*$/s.exec(filter) ?? [];
  if (left === '') throw wrong(text, `has a filter that is not understood: ${filter}`);
  const path = parsePathText(left);
  if (comparison === undefined || right === undefined)
    return (value, root) => select(path, value, root).length > 0;
  const expected = operandOf(right);
  return (value, root) => {
    const [found] = select(path, value, root);
    return compare(found, comparison, expected(value, root));
  };
}

function operandOf(text: string): (value: unknown, root: unknown) => unknown {
  if (/^["']/.test(text)) return () => unquote(text);
  if (/^[@$]/.test(text)) {
    const path = parsePathText(text);
    return (value, root) => select(path, value, root)[0];
  }
  const number = Number(text);
  const constant = text === 'true' ? true : text === 'false' ? false : Number.isNaN(number) ? text : number;
  return () => constant;
}

function compare(a: unknown, comparison: string, b: unknown): boolean {
  if (comparison === '==') return a === b;
  if (comparison === '!=') return a !== b;
  if (typeof a !== typeof b || (typeof a !== 'number' && typeof a !== 'string')) return false;
  const [left, right] = [a, b as typeof a];
  if (comparison === '<') return left < right;
  if (comparison === '>') return left > right;
  return comparison === '<=' ? left <= right : left >= right;
}

function select({fromRoot, selectors}: JsonPath, value: unknown, root: unknown): unknown[] {
  let found: unknown[] = [fromRoot ? root : value];
  for (const selector of selectors) found = found.flatMap(one => take(one, selector, root));
  return found;
}

const childrenOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : typeof value === 'object' && value !== null ? Object.values(value) : [];

function take(value: unknown, selector: Selector, root: unknown): unknown[] {
  switch (selector.kind) {
    case 'every':
      return childrenOf(value);
    case 'descend':
      return [value, ...childrenOf(value).flatMap(child => take(child, selector, root))];
    case 'names':
      if (typeof value !== 'object' || value === null) return [];
      return selector.names.flatMap(name =>
        Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : [],
      );
    case 'slice':
      if (!Array.isArray(value)) return [];
      return value.slice(selector.from, selector.to).filter((_, i) => i % selector.step === 0);
    case 'filter':
      return (Array.isArray(value) ? value : [value]).filter(one => selector.keeps(one, root));
  }
}
