// Functions of strings, with positions in characters, and regular expressions as RE2.

import {RE2JS, RE2JSException} from 're2js';
import type {CelFunctions} from '../functions.ts';
import {CelError} from '../values.ts';

const patterns = new Map<string, RE2JS>();
const MOST_PATTERNS = 1000;

export function regex(pattern: string): RE2JS {
  let found = patterns.get(pattern);
  if (!found) {
    try {
      found = RE2JS.compile(pattern);
    } catch (error) {
      if (error instanceof RE2JSException) throw new CelError(error.message);
      throw error;
    }
    if (patterns.size >= MOST_PATTERNS) patterns.clear();
    patterns.set(pattern, found);
  }
  return found;
}

const matches = (text: string, pattern: string): boolean => regex(pattern).matcher(text).find();

function findAll(text: string, pattern: string, limit: bigint): string[] {
  const matcher = regex(pattern).matcher(text);
  const out: string[] = [];
  while ((limit < 0n || out.length < Number(limit)) && matcher.find()) out.push(matcher.group() ?? '');
  return out;
}

const letters = (text: string): string[] => [...text];
const outOfRange = (index: bigint): CelError => new CelError(`index out of range: ${index}`);

function charAt(text: string, index: bigint): string {
  const all = letters(text);
  const at = Number(index);
  if (at === all.length) return '';
  if (at < 0 || at > all.length) throw outOfRange(index);
  return all[at]!;
}

function indexOf(text: string, search: string, offset: bigint): bigint {
  const [all, wanted] = [letters(text), letters(search)];
  if (wanted.length === 0) return offset;
  const start = Number(offset);
  if (start < 0) throw outOfRange(offset);
  for (let i = start; i + wanted.length <= all.length; i++)
    if (wanted.every((letter, j) => all[i + j] === letter)) return BigInt(i);
  return -1n;
}

function lastIndexOf(text: string, search: string, offset: bigint | undefined): bigint {
  const [all, wanted] = [letters(text), letters(search)];
  if (wanted.length === 0) return offset ?? BigInt(all.length);
  if (offset !== undefined && offset < 0n) throw outOfRange(offset);
  if (offset !== undefined && Number(offset) >= all.length) return -1n;
  const last = all.length - wanted.length;
  for (let i = Math.min(last, Number(offset ?? last)); i >= 0; i--)
    if (wanted.every((letter, j) => all[i + j] === letter)) return BigInt(i);
  return -1n;
}

function substring(text: string, start: bigint, end: bigint | undefined): string {
  const all = letters(text);
  const to = end ?? BigInt(all.length);
  if (end !== undefined && start > end)
    throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || Number(start) > all.length) throw outOfRange(start);
  if (to < 0n || Number(to) > all.length) throw outOfRange(to);
  return all.slice(Number(start), Number(to)).join('');
}

function split(text: string, separator: string, limit: bigint): string[] {
  if (limit === 0n) return [];
  if (limit === 1n) return [text];
  const parts = separator === '' ? letters(text) : text.split(separator);
  const most = Number(limit);
  if (most < 0 || parts.length <= most) return parts;
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
}

function replace(text: string, from: string, to: string, limit: bigint): string {
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  if (from === '') return interleave(text, to, most);
  const parts = text.split(from);
  if (parts.length - 1 <= most) return parts.join(to);
  return [parts.slice(0, most + 1).join(to), ...parts.slice(most + 1)].join(from);
}

/** Go's replacement of the empty text: before each letter and at the end. */
function interleave(text: string, to: string, limit: number): string {
  let left = limit;
  const out = letters(text).map(letter => (left-- > 0 ? to + letter : letter));
  return out.join('') + (left > 0 ? to : '');
}

const ascii = (text: string, from: RegExp, change: (letter: string) => string): string =>
  text.replace(from, change);

const QUOTED: Record<string, string> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u000b': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

function quote(text: string): string {
  return `"${letters(text)
    .map(letter => QUOTED[letter] ?? letter)
    .join('')}"`;
}

/** Unicode white space, as Go trims it. */
const trim = (text: string): string => text.replace(/^[\s\u0085]+|[\s\u0085]+$/gu, '');

const join = (list: string[], separator: string): string => {
  if (list.some(item => typeof item !== 'string')) throw new CelError('no such overload');
  return list.join(separator);
};

export const stringFunctions: CelFunctions = {
  'string::contains(string): bool': (text: string, part: string) => text.includes(part),
  'string::startsWith(string): bool': (text: string, part: string) => text.startsWith(part),
  'string::endsWith(string): bool': (text: string, part: string) => text.endsWith(part),
  'string::matches(string): bool': matches,
  'matches(string, string): bool': matches,
  'string::find(string): string': (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? '',
  'string::findAll(string): list<string>': (text: string, pattern: string) => findAll(text, pattern, -1n),
  'string::findAll(string, int): list<string>': findAll,
  'string::charAt(int): string': charAt,
  'string::indexOf(string): int': (text: string, search: string) => indexOf(text, search, 0n),
  'string::indexOf(string, int): int': indexOf,
  'string::lastIndexOf(string): int': (text: string, search: string) => lastIndexOf(text, search, undefined),
  'string::lastIndexOf(string, int): int': lastIndexOf,
  'string::substring(int): string': (text: string, start: bigint) => substring(text, start, undefined),
  'string::substring(int, int): string': substring,
  'string::split(string): list<string>': (text: string, separator: string) => split(text, separator, -1n),
  'string::split(string, int): list<string>': split,
  'string::replace(string, string): string': (text: string, from: string, to: string) =>
    replace(text, from, to, -1n),
  'string::replace(string, string, int): string': replace,
  'string::trim(): string': trim,
  'string::lowerAscii(): string': (text: string) => ascii(text, /[A-Z]/g, letter => letter.toLowerCase()),
  'string::upperAscii(): string': (text: string) => ascii(text, /[a-z]/g, letter => letter.toUpperCase()),
  'strings.quote(string): string': quote,
  'list<string>::join(): string': (list: string[]) => join(list, ''),
  'list<string>::join(string): string': join,
};
