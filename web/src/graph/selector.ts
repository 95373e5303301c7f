// The find and hide boxes' language over collections: words, `kind:join`, `state:idle`, `hot>5`, `size>100`, `2+Name+1`.
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import {collectionKinds} from '@krtscope/shared/words.ts';
import {adjacency, reach} from './drawing.ts';
import {isBroken, isIdle, isRecent, isWaiting} from './rank.ts';

export interface Selector {
  matches: (node: CollectionNode) => boolean;
  /** What could not be understood, in words that help; the rest still applies. */
  problem?: string;
}

type Test = (node: CollectionNode) => boolean;

const numbers: Record<string, (node: CollectionNode) => number> = {
  hot: node => node.rate,
  runs: node => node.runs,
  rate: node => node.rate,
  size: node => node.size,
  equal: node => node.equal,
  failed: node => node.failed,
};

const states: Record<string, (node: CollectionNode, now: number) => boolean> = {
  idle: isIdle,
  ok: (node, now) => !isBroken(node) && !isWaiting(node) && !isRecent(node, now),
  failed: isBroken,
  error: isBroken,
  waiting: isWaiting,
  changed: isRecent,
  empty: node => node.size === 0,
  equal: node => node.last?.outcome === 'equal',
};

export const selectorHelp = 'a name, kind:join, state:idle, hot>5, size>100, 2+Workloads+1';

/** An empty text selects nothing. Terms are alternatives: hiding two things means hiding both. */
export function parseSelector(text: string, graph: Graph, now: number): Selector {
  const terms = text.trim().split(/\s+/).filter(Boolean);
  const tests: Test[] = [];
  const problems: string[] = [];
  for (const term of terms) {
    const test = parseTerm(term, graph, now);
    if (typeof test === 'string') problems.push(test);
    else tests.push(test);
  }
  const problem = problems.length > 0 ? problems.join('; ') : undefined;
  return {matches: node => tests.some(test => test(node)), ...(problem !== undefined && {problem})};
}

function parseTerm(term: string, graph: Graph, now: number): Test | string {
  const compare = /^([a-z]+)(>=|<=|>|<|=)(\d+)$/.exec(term);
  if (compare) return comparison(compare[1]!, compare[2]!, Number(compare[3]));
  const field = /^(kind|state):(.+)$/.exec(term);
  if (field?.[1] === 'kind') {
    const kinds = field[2]!.split('|');
    const known = new Set(graph.collections.map(node => node.kind as string));
    const unknown = kinds.find(kind => !(collectionKinds as readonly string[]).includes(kind));
    if (unknown !== undefined) return `no kind is called ${unknown}; here are ${[...known].join(', ')}`;
    return node => kinds.includes(node.kind);
  }
  const odd = /^([a-z]+):/.exec(term);
  if (odd && field === null) return `unknown word ${odd[1]}:, one of kind:, state:`;
  if (field) {
    const names = field[2]!.split('|');
    const unknown = names.find(name => !(name in states));
    if (unknown !== undefined) return `unknown state ${unknown}, one of ${Object.keys(states).join(', ')}`;
    return node => names.some(name => states[name]!(node, now));
  }
  const around = /^(\d*\+)?([^+]+)(\+\d*)?$/.exec(term);
  if (around && (around[1] !== undefined || around[3] !== undefined))
    return neighbourhood(around[2]!, around[1], around[3], graph);
  const word = term.toLowerCase();
  return node => node.name.toLowerCase().includes(word);
}

function comparison(name: string, sign: string, bound: number): Test | string {
  const read = numbers[name];
  if (!read) return `unknown number ${name}, one of ${Object.keys(numbers).join(', ')}`;
  switch (sign) {
    case '>':
      return node => read(node) > bound;
    case '<':
      return node => read(node) < bound;
    case '>=':
      return node => read(node) >= bound;
    case '<=':
      return node => read(node) <= bound;
    default:
      return node => read(node) === bound;
  }
}

/** `2+X+1`: two hops up and one down; a bare `+` is all the way. */
function neighbourhood(
  name: string,
  up: string | undefined,
  down: string | undefined,
  graph: Graph,
): Test | string {
  const start = graph.collections.find(node => node.name.toLowerCase() === name.toLowerCase());
  if (!start) return `no collection is called ${name}`;
  const near = adjacency(graph.edges);
  const hops = (text: string | undefined) =>
    text === undefined ? 0 : text === '+' ? Number.POSITIVE_INFINITY : Number(text.replace('+', ''));
  const names = new Set([
    ...reach(start.name, near.up, 'from', hops(up)).keys(),
    ...reach(start.name, near.down, 'to', hops(down)).keys(),
  ]);
  return node => names.has(node.name);
}
