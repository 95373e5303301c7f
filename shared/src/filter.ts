// Parses the filter bar: words, `ns:foo`, `-l app=x`, `path=value`, `state:failed`, `runs>10`, `changed<30s`.
// All terms must match. The server matches items; the page draws chips from `start` and `end`.
import type {LabelRequirement} from './labels/label-selector.ts';
import {parseLabelSelector} from './labels/selector-parser.ts';
import {outcomes, type RunOutcome} from './vocabulary.ts';

export const comparisons = ['=', '!=', '>', '<', '>=', '<=', '~'] as const;
export type FilterComparison = (typeof comparisons)[number];

interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export type Term = Span &
  (
    | {readonly kind: 'word'; readonly word: string; readonly not: boolean}
    | {readonly kind: 'namespace'; readonly namespaces: readonly string[]; readonly not: boolean}
    | {readonly kind: 'labels'; readonly requirements: readonly LabelRequirement[]}
    | {readonly kind: 'field'; readonly path: string; readonly is: FilterComparison; readonly value: string}
    | {readonly kind: 'state'; readonly states: readonly RunOutcome[]; readonly not: boolean}
    | {readonly kind: 'runs'; readonly is: FilterComparison; readonly count: number}
    | {readonly kind: 'changed'; readonly is: '<' | '>'; readonly milliseconds: number}
  );

export interface FilterProblem extends Span {
  readonly message: string;
}

export interface ParsedFilter {
  readonly terms: readonly Term[];
  readonly problems: readonly FilterProblem[];
}

interface Token extends Span {
  /** The text without its quotes. */
  readonly bare: string;
  readonly quoted: boolean;
}

/** Splits at blanks outside quotes and parentheses. */
function tokenize(text: string): Token[] {
  const found: Token[] = [];
  let i = 0;
  while (i < text.length) {
    if (/\s/.test(text[i]!)) {
      i++;
      continue;
    }
    const start = i;
    let bare = '';
    let quote = '';
    let depth = 0;
    for (; i < text.length; i++) {
      const char = text[i]!;
      if (quote !== '') {
        if (char === quote) quote = '';
        else bare += char;
        continue;
      }
      if (char === '"' || char === "'") {
        quote = char;
        continue;
      }
      if (char === '(') depth++;
      if (char === ')') depth--;
      if (/\s/.test(char) && depth <= 0) break;
      bare += char;
    }
    const raw = text.slice(start, i);
    found.push({text: raw, bare, start, end: i, quoted: /^["']/.test(raw)});
  }
  return found;
}

/** kubectl's label selector. Ignores the empty parts of a selector that is being typed, such as `app=x,`. */
export function parseSelector(selector: string): LabelRequirement[] {
  const typed = selector.replace(/,(\s*,)+/g, ',').replace(/^[\s,]+|[\s,]+$|,(?=\s*\))/g, '');
  try {
    return parseLabelSelector(typed);
  } catch {
    throw new Error(`"${selector}" is not a label selector; write app=x, app!=x, app in (x,y), app or !app`);
  }
}

const aliases: Record<string, RunOutcome> = {noop: 'equal', 'no-op': 'equal', error: 'failed'};
const units: Record<string, number> = {ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000};

/** Parses `30s`, `5m`, `1.5h` or a number of seconds; undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text);
  return match ? Number(match[1]) * units[match[2] ?? 's']! : undefined;
}

/** The outcome that a word stands for, else the word itself. */
export function toOutcome(word: string): string {
  const text = word.toLowerCase();
  return Object.hasOwn(aliases, text) ? (aliases[text] as string) : text;
}

function statesOf(text: string): RunOutcome[] {
  return text.split(/[|,]/).map(word => {
    const state = toOutcome(word);
    if (!(outcomes as readonly string[]).includes(state))
      throw new Error(`"${word}" is not a state; there are ${outcomes.join(', ')}`);
    return state as RunOutcome;
  });
}

function termOf(token: Token, span: Span): Term | undefined {
  const text = token.bare;
  if (token.quoted) return {...span, kind: 'word', word: text, not: false};
  const prefix = /^(!?)(ns|namespace|state|outcome):(.*)$/s.exec(text);
  if (prefix) {
    const not = prefix[1] === '!';
    const value = prefix[3]!;
    // An unfinished `ns:` hides nothing while a user types.
    if (value === '') return undefined;
    if (prefix[2]!.startsWith('n'))
      return {...span, kind: 'namespace', namespaces: value.split(/[|,]/).filter(v => v !== ''), not};
    if (/^(any|all)$/.test(value)) return undefined;
    return {...span, kind: 'state', states: statesOf(value), not};
  }
  const compared = /^([^=!<>~]+?)(!=|>=|<=|==|=|>|<|~)(.*)$/s.exec(text);
  if (compared) return comparisonOf(span, compared[1]!, compared[2]!.replace('==', '='), compared[3]!);
  if (text.startsWith('!') && text.length > 1) return {...span, kind: 'word', word: text.slice(1), not: true};
  return {...span, kind: 'word', word: text, not: false};
}

function comparisonOf(span: Span, path: string, is: string, value: string): Term | undefined {
  if (value === '' && is !== '=' && is !== '!=') return undefined;
  if (path === 'runs') {
    const count = Number(value);
    if (value === '' || !Number.isFinite(count) || is === '~')
      throw new Error(`runs is compared with a number, as in runs>10, not with "${value}"`);
    return {...span, kind: 'runs', is: is as FilterComparison, count};
  }
  if (path === 'changed') {
    const milliseconds = parseDuration(value);
    if (milliseconds === undefined || !/^[<>]=?$/.test(is))
      throw new Error(
        `changed is compared with an age, as in changed<30s or changed>5m, not "${is}${value}"`,
      );
    return {...span, kind: 'changed', is: is[0] as '<' | '>', milliseconds};
  }
  if (path === 'state') return {...span, kind: 'state', states: statesOf(value), not: is === '!='};
  if (path === 'ns') return {...span, kind: 'namespace', namespaces: value.split(','), not: is === '!='};
  return {...span, kind: 'field', path, is: is as FilterComparison, value};
}

/** The end of the tokens that belong to the selector after `-l`. `app in (a,b)` is three tokens. */
function selectorEnd(list: readonly Token[], from: number): number {
  let end = from + 1;
  while (end < list.length) {
    const last = list[end - 1]!.bare;
    const next = list[end]!.bare;
    if (/^(in|notin)$/.test(next) || /^(in|notin)$/.test(last) || last.endsWith(',') || next.startsWith(','))
      end++;
    else break;
  }
  return end;
}

/** Parses a filter. Never throws: unknown terms become problems with their place, and the other terms stay. */
export function parseFilter(text: string): ParsedFilter {
  const terms: Term[] = [];
  const problems: FilterProblem[] = [];
  const list = tokenize(text);
  for (let i = 0; i < list.length; i++) {
    const token = list[i]!;
    let span: Span = {text: token.text, start: token.start, end: token.end};
    try {
      const flag =
        /^(-l|--selector|-n|--namespace)(?:=(.*))?$/s.exec(token.bare) ?? /^(-l|-n)(.+)$/s.exec(token.bare);
      if (flag && !token.quoted) {
        const separate = flag[2] === undefined;
        const end = separate ? (i + 1 < list.length ? selectorEnd(list, i + 1) : i + 1) : i + 1;
        const words = list.slice(separate ? i + 1 : i, end);
        if (separate && words.length === 0) continue;
        const last = words[words.length - 1]!;
        span = {text: text.slice(token.start, last.end), start: token.start, end: last.end};
        const value = separate ? words.map(w => w.bare).join(' ') : flag[2]!;
        i = end - 1;
        if (/^(-n|--namespace)$/.test(flag[1]!))
          terms.push({...span, kind: 'namespace', namespaces: value.split(','), not: false});
        else terms.push({...span, kind: 'labels', requirements: parseSelector(value)});
        continue;
      }
      const term = termOf(token, span);
      if (term) terms.push(term);
    } catch (error) {
      problems.push({...span, message: error instanceof Error ? error.message : String(error)});
    }
  }
  return {terms, problems};
}
