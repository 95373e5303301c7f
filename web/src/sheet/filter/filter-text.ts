// The filter bar's text: split into tokens, checked for mistakes, completed while typing. The server decides what
// matches.
import {parseFilter} from '@krtscope/shared/filter.ts';
import {outcomes} from '@krtscope/shared/vocabulary.ts';

export interface FilterToken {
  text: string;
  /** The part before the value: `ns:` of `ns:shop`, `-l` of `-l app=x`; empty for free text. */
  head: string;
  value: string;
  /** The grammar's error, if any. */
  wrong?: string;
}

/** The filter's tokens as the server reads them; a kubectl `-l a=b,c!=d` is one token. */
export function splitFilter(text: string): FilterToken[] {
  const {terms, problems} = parseFilter(text);
  const spans = [...terms, ...problems].sort((a, b) => a.start - b.start);
  return spans.map(span => {
    const wrong = problems.find(problem => problem.start === span.start)?.message;
    return {...tokenOf(span.text), wrong};
  });
}

function tokenOf(text: string): FilterToken {
  const head = /^(-l|--selector|-n|--namespace)\s+(.*)$/s.exec(text) ?? /^(!?(?:ns|state):)(.*)$/s.exec(text);
  return head ? {text, head: head[1]!, value: head[2]!} : {text, head: '', value: text};
}

export function joinFilter(tokens: readonly FilterToken[]): string {
  return tokens.map(token => token.text).join(' ');
}

const tokenHeads = ['ns', 'state', 'runs', 'changed', 'key'];

/** The likely mistake in a token. */
export function findMistake(token: FilterToken, fields: readonly string[]): string | undefined {
  if (token.wrong !== undefined) return findStateMistake(token) ?? token.wrong;
  const field = /^([\w.[\]/-]+)(?:!=|>=|<=|=|>|<|:)/.exec(token.text)?.[1];
  if (field === undefined || token.head !== '') return undefined;
  const short = fields.map(path => path.split('.').at(-1)!);
  if (tokenHeads.includes(field) || fields.includes(field) || short.includes(field) || field.includes('.'))
    return undefined;
  const near = nearestWord(field, [...tokenHeads, ...fields]);
  if (near) return `Unknown field. Did you mean ${near}?`;
  // The rows may hold the text itself, as in nginx:1.25, so quotes search for it.
  return new RegExp(`^${field}:[a-z]`, 'i').test(token.text)
    ? `"${field}:" is not a filter term. Use ns:, -l, state:, runs>, changed< or field=value, or quote the text.`
    : undefined;
}

function findStateMistake(token: FilterToken): string | undefined {
  if (token.head !== 'state:') return undefined;
  const known = [...outcomes, 'noop', 'error'] as string[];
  const wrong = token.value.split(/[|,]/).find(word => !known.includes(word));
  const near = wrong === undefined ? undefined : nearestWord(wrong, known);
  return near && `Unknown state. Did you mean ${near}?`;
}

function nearestWord(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 2.5)) + 1;
  for (const one of known) {
    const distance = editDistance(word, one, least);
    if (distance < least) {
      least = distance;
      best = one;
    }
  }
  return best;
}

/** Edits between two words; stops at `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({length: b.length + 1}, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

export interface FilterSuggestion {
  /** The token after the choice; an open one such as `ns:` still needs a value. */
  text: string;
  hint: string;
  open: boolean;
}

export interface FilterVocabulary {
  namespaces: readonly string[];
  fields: readonly string[];
  /** Values in the loaded rows, by field. */
  values: (field: string) => readonly string[];
  /** Label values in the rows, by label key. */
  labels?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Whether the last term still lacks its value or a part of it: `-l`, `-l app=`, `ns:`, `owner=`, and `ns:sh` where shop is
 * a namespace. Such a term would hide every row. `labels` is undefined until the rows' labels are known.
 */
export function isUnfinished(
  draft: string,
  known: {namespaces: readonly string[]; labels: FilterVocabulary['labels'] | undefined},
): boolean {
  const text = draft.trim();
  if (/(^|\s)-l$|[=<>~:]$/.test(text)) return true;
  const ns = /(?:^|\s)ns:(\S+)$/.exec(text);
  if (ns) return isPartOfOne(ns[1]!, known.namespaces);
  const pair = /(?:^|\s)-l\s+(?:\S*,)?([^,\s=!]+)(?:==?([^,\s]+))?$/.exec(text);
  if (!pair) return false;
  if (known.labels === undefined) return true;
  const [, key = '', value] = pair;
  return value === undefined
    ? isPartOfOne(key, [...known.labels.keys()])
    : isPartOfOne(value, known.labels.get(key) ?? []);
}

function isPartOfOne(typed: string, words: readonly string[]): boolean {
  const low = typed.toLowerCase();
  return !words.includes(typed) && words.some(word => word.toLowerCase().includes(low));
}

/** Label values by key, from rows with `metadata.labels` or `labels`. */
export function labelValues(rows: readonly unknown[]): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const row of rows as {labels?: unknown; metadata?: {labels?: unknown}}[]) {
    const labels = row?.metadata?.labels ?? row?.labels ?? {};
    for (const [key, value] of Object.entries(labels))
      found.set(key, (found.get(key) ?? new Set()).add(String(value)));
  }
  return new Map([...found].map(([key, values]) => [key, [...values].sort()]));
}

const grammar: FilterSuggestion[] = [
  {text: 'ns:', hint: 'namespace', open: true},
  {text: '-l ', hint: 'labels, as in kubectl', open: true},
  {text: 'state:', hint: 'outcome of the last run', open: true},
  {text: 'runs>', hint: 'ran more often than', open: true},
  {text: 'changed<', hint: 'changed in the last 30s, 5m', open: true},
];

/** Completions for the word at the caret, best first, at most eight. */
export function suggest(draft: string, known: FilterVocabulary): FilterSuggestion[] {
  const word = draft.trimStart();
  const ns = /^ns:(.*)$/.exec(word);
  if (ns)
    return completeWord(known.namespaces, ns[1]!, text => ({
      text: `ns:${text}`,
      hint: 'namespace',
      open: false,
    }));
  const state = /^state:(?:.*\|)?(.*)$/.exec(word);
  if (state) {
    const base = word.slice(0, word.length - state[1]!.length);
    return completeWord(outcomes, state[1]!, text => ({text: base + text, hint: 'last run', open: false}));
  }
  if (word.startsWith('changed<') || word.startsWith('changed>')) {
    return completeWord(['30s', '1m', '5m', '1h'], word.slice(8), text => ({
      text: word.slice(0, 8) + text,
      hint: 'age of the last change',
      open: false,
    }));
  }
  const selector = /^(-l\s+(?:.*,)?)([^,]*)$/.exec(word);
  if (selector) return suggestLabels(selector[1]!, selector[2]!, known.labels ?? new Map());
  const value = /^([\w.[\]/-]+)(=|!=)(.*)$/.exec(word);
  if (value) {
    return completeWord(known.values(value[1]!), value[3]!, text => ({
      text: `${value[1]}${value[2]}${/\s/.test(text) ? `"${text}"` : text}`,
      hint: 'in these rows',
      open: false,
    }));
  }
  const fields = known.fields.map(path => ({text: `${path}=`, hint: 'field', open: true}));
  const found = [...grammar, ...fields].filter(one => one.text.toLowerCase().includes(word.toLowerCase()));
  return found.slice(0, 8);
}

function suggestLabels(
  before: string,
  typed: string,
  labels: ReadonlyMap<string, readonly string[]>,
): FilterSuggestion[] {
  const pair = /^(.+?)(!=|==?)(.*)$/.exec(typed);
  if (pair === null)
    return completeWord([...labels.keys()], typed, key => ({
      text: `${before}${key}=`,
      hint: 'label',
      open: true,
    }));
  const [, key, is, value] = pair;
  return completeWord(labels.get(key!) ?? [], value!, text => ({
    text: `${before}${key}${is}${text}`,
    hint: 'in these rows',
    open: false,
  }));
}

function completeWord(
  list: readonly string[],
  typed: string,
  make: (text: string) => FilterSuggestion,
): FilterSuggestion[] {
  const low = typed.toLowerCase();
  return list
    .filter(text => text.toLowerCase().includes(low) && text !== typed)
    .slice(0, 8)
    .map(make);
}
