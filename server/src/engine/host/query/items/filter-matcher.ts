// Matches a parsed filter against items. Every term must match.
import {type FilterComparison, type ParsedFilter, parseFilter, type Term} from '@krtscope/shared/filter.ts';
import {meetsRequirements} from '@krtscope/shared/labels/label-selector.ts';
import {parsePath, readPath} from '@krtscope/shared/path.ts';
import type {RunOutcome} from '@krtscope/shared/vocabulary.ts';
import {Unanswerable} from '../../../../explain/records.ts';
import {namespaceOf} from './item-namespace.ts';
import {compilePattern, PatternBudget} from './pattern.ts';

/** The maximum number of terms: each is tried on every item. */
const MAX_TERMS = 64;
const MAX_PATTERNS = 4;

/** An item, or an input without output (`value` undefined). */
export interface FilterCandidate {
  readonly collection: string;
  readonly key: string;
  readonly value: unknown;
  readonly outcome: RunOutcome;
  readonly runs: number;
  /** The time of its last change. */
  readonly at: number;
}

export interface FilterMatcher {
  readonly filter: ParsedFilter;
  /** The result changes with time, even if the items do not. */
  readonly ages: boolean;
  /** Starts a pass over a collection with a new budget for its patterns. */
  begin(): void;
  matches(item: FilterCandidate, now: number): boolean;
  readonly tests: readonly TermTest[];
}

export interface TermTest {
  readonly term: Term;
  /** A negated term matches most items, so it applies only to a row's first item. */
  readonly negative: boolean;
  matches(item: FilterCandidate, now: number): boolean;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function labelsOf(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) return {};
  const inner = isRecord(value.metadata) ? value.metadata.labels : value.labels;
  return isRecord(inner) ? inner : {};
}

/** Labels as texts: items that are not Kubernetes objects may have numbers as labels. */
function labelTexts(value: unknown): Record<string, unknown> {
  const labels = labelsOf(value);
  if (Object.values(labels).every(label => typeof label === 'string')) return labels;
  return Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, String(label)]));
}

/** Whether any name or value inside contains this text. Leaves out managedFields. */
function containsText(value: unknown, lower: string, depth = 0): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(lower);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value).includes(lower);
  if (value === null || typeof value !== 'object' || depth > 12) return false;
  if (Array.isArray(value)) return value.some(v => containsText(v, lower, depth + 1));
  for (const name in value) {
    if (name === 'managedFields') continue;
    if (containsText((value as Record<string, unknown>)[name], lower, depth + 1)) return true;
  }
  return false;
}

/** Matches globs such as `cart*` without a pattern engine: the parts in order. */
function globTest(glob: string): (text: string) => boolean {
  const pieces = glob.split('*');
  if (pieces.length === 1) return text => text === glob;
  const first = pieces[0]!;
  const last = pieces[pieces.length - 1]!;
  return text => {
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
      return false;
    let from = first.length;
    for (const piece of pieces.slice(1, -1)) {
      const found = text.indexOf(piece, from);
      if (found < 0 || found + piece.length > text.length - last.length) return false;
      from = found + piece.length;
    }
    return true;
  };
}

function satisfiesComparison(is: FilterComparison, a: number, b: number): boolean {
  if (is === '>') return a > b;
  if (is === '<') return a < b;
  if (is === '>=') return a >= b;
  return a <= b;
}

/** A number or a date. The leading number of a Kubernetes quantity does not count. */
function toComparableNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value === '') return Number.NaN;
  const plain = Number(value);
  return Number.isNaN(plain) ? Date.parse(value) : plain;
}

function comparisonTest(
  is: FilterComparison,
  wanted: string,
  budget: PatternBudget,
): (value: unknown) => boolean {
  if (is === '=' || is === '!=') {
    const test = globTest(wanted);
    const one = (value: unknown): boolean => {
      if (value === undefined || value === null)
        return wanted === '' || wanted === 'null' || wanted === 'none';
      if (Array.isArray(value)) return value.length === 0 ? wanted === '' : value.some(one);
      return test(typeof value === 'object' ? JSON.stringify(value) : String(value));
    };
    return is === '=' ? one : value => !one(value);
  }
  if (is === '~') {
    const pattern = compilePattern(wanted, budget);
    const one = (value: unknown): boolean =>
      Array.isArray(value)
        ? value.some(one)
        : value !== undefined && value !== null && pattern(String(value));
    return one;
  }
  const limit = toComparableNumber(wanted);
  return value => {
    const number = Array.isArray(value) ? value.length : toComparableNumber(value);
    if (!Number.isNaN(number) && !Number.isNaN(limit)) return satisfiesComparison(is, number, limit);
    if (typeof value !== 'string') return false;
    return is === '>' || is === '>='
      ? value > wanted || (is === '>=' && value === wanted)
      : value < wanted || (is === '<=' && value === wanted);
  };
}

function fieldTest(term: Term & {kind: 'field'}, budget: PatternBudget): (item: FilterCandidate) => boolean {
  const test = comparisonTest(term.is, term.value, budget);
  if (term.path === 'key') return item => test(item.key);
  const path = parsePath(term.path);
  // `Workloads.waypoint=wp` refers to one collection of a sheet's row; elsewhere the name is an ordinary path.
  const inner = path.slice(1);
  return item => test(readPath(item.value, path[0] === item.collection && inner.length > 0 ? inner : path));
}

function testOf(term: Term, budget: PatternBudget): TermTest {
  const test = (negative: boolean, matches: TermTest['matches']): TermTest => ({term, negative, matches});
  switch (term.kind) {
    case 'word': {
      const lower = term.word.toLowerCase();
      const found = (item: FilterCandidate) =>
        item.key.toLowerCase().includes(lower) || containsText(item.value, lower);
      return test(term.not, item => found(item) !== term.not);
    }
    case 'namespace': {
      const tests = term.namespaces.map(globTest);
      return test(term.not, item => {
        const namespace = namespaceOf(item.collection, item.key, item.value);
        return tests.some(t => t(namespace)) !== term.not;
      });
    }
    case 'labels': {
      const negative = term.requirements.every(r => r.operator === 'NotIn' || r.operator === 'DoesNotExist');
      return test(negative, item => meetsRequirements(term.requirements, labelTexts(item.value)));
    }
    case 'field':
      return test(term.is === '!=', fieldTest(term, budget));
    case 'state':
      return test(term.not, item => term.states.includes(item.outcome) !== term.not);
    case 'runs':
      return test(false, item => {
        if (term.is === '=' || term.is === '!=') return (item.runs === term.count) === (term.is === '=');
        return satisfiesComparison(term.is, item.runs, term.count);
      });
    case 'changed':
      return test(false, (item, now) => now - item.at < term.milliseconds === (term.is === '<'));
  }
}

/** Compiles `q`. Throws Unanswerable `bad-query` that names the wrong part. */
export function matcherOf(q: string | undefined): FilterMatcher {
  const filter = parseFilter(q ?? '');
  const problem = filter.problems[0];
  if (problem)
    throw new Unanswerable(
      'bad-query',
      `${problem.text}: ${problem.message}`,
      'use text, ns:foo, -l app=x, path=value, state:failed, runs>10, changed<30s',
    );
  const patterns = filter.terms.filter(term => term.kind === 'field' && term.is === '~');
  if (filter.terms.length > MAX_TERMS || patterns.length > MAX_PATTERNS)
    throw new Unanswerable(
      'bad-query',
      `the filter has ${filter.terms.length} terms, ${patterns.length} of them patterns`,
      `give at most ${MAX_TERMS} terms and ${MAX_PATTERNS} patterns`,
    );
  const budget = new PatternBudget();
  const tests = filter.terms.map(term => testOf(term, budget));
  return {
    filter,
    tests,
    begin: () => budget.begin(),
    ages: filter.terms.some(t => t.kind === 'changed'),
    matches: (item, now) => tests.every(t => t.matches(item, now)),
  };
}
