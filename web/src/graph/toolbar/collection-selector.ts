// The query language of the find and hide boxes: `kind:join`, `state:idle`, `size>100`, `2+Name+1`.
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import {collectionKinds} from '@krtscope/shared/vocabulary.ts';
import {buildAdjacency, distancesFrom} from '../drawing/drawing.ts';
import {isBroken, isIdle, isRecent, isWaiting} from '../drawing/node-rank.ts';

export interface CollectionSelector {
  matches: (node: CollectionNode) => boolean;
  /** The terms that could not be parsed. The other terms still apply. */
  problem?: string;
}

type CollectionTest = (node: CollectionNode) => boolean;

const numberFields: Record<string, (node: CollectionNode) => number> = {
  hot: node => node.rate,
  runs: node => node.runs,
  rate: node => node.rate,
  size: node => node.size,
  equal: node => node.equal,
  failed: node => node.failed,
};

const stateTests: Record<string, (node: CollectionNode, now: number) => boolean> = {
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

/** An empty text selects nothing. A node matches if one of the terms matches. */
export function parseSelector(text: string, graph: Graph, now: number): CollectionSelector {
  const terms = text.trim().split(/\s+/).filter(Boolean);
  const tests: CollectionTest[] = [];
  const problems: string[] = [];
  for (const term of terms) {
    const test = parseTerm(term, graph, now);
    if (typeof test === 'string') problems.push(test);
    else tests.push(test);
  }
  const problem = problems.length > 0 ? problems.join('; ') : undefined;
  return {matches: node => tests.some(test => test(node)), problem};
}

function parseTerm(term: string, graph: Graph, now: number): CollectionTest | string {
  const compare = /^([a-z]+)(>=|<=|>|<|=)(\d+)$/.exec(term);
  if (compare) return parseComparison(compare[1]!, compare[2]!, Number(compare[3]));
  const field = /^(kind|state):(.+)$/.exec(term);
  if (field?.[1] === 'kind') {
    const kinds = field[2]!.split('|');
    const existing = new Set(graph.collections.map(node => node.kind as string));
    const unknown = kinds.find(kind => !(collectionKinds as readonly string[]).includes(kind));
    if (unknown !== undefined) return `unknown kind ${unknown}, one of ${[...existing].join(', ')}`;
    return node => kinds.includes(node.kind);
  }
  const odd = /^([a-z]+):/.exec(term);
  if (odd && field === null) return `unknown field ${odd[1]}:, one of kind:, state:`;
  if (field) {
    const names = field[2]!.split('|');
    const unknown = names.find(name => !(name in stateTests));
    if (unknown !== undefined)
      return `unknown state ${unknown}, one of ${Object.keys(stateTests).join(', ')}`;
    return node => names.some(name => stateTests[name]!(node, now));
  }
  const around = /^(\d*\+)?([^+]+)(\+\d*)?$/.exec(term);
  if (around && (around[1] !== undefined || around[3] !== undefined))
    return parseNeighbourhood(around[2]!, around[1], around[3], graph);
  const word = term.toLowerCase();
  return node => node.name.toLowerCase().includes(word);
}

function parseComparison(name: string, sign: string, bound: number): CollectionTest | string {
  const read = numberFields[name];
  if (!read) return `unknown number ${name}, one of ${Object.keys(numberFields).join(', ')}`;
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

/** `2+X+1` means two hops up and one down. A `+` without a number has no limit. */
function parseNeighbourhood(
  name: string,
  up: string | undefined,
  down: string | undefined,
  graph: Graph,
): CollectionTest | string {
  const start = graph.collections.find(node => node.name.toLowerCase() === name.toLowerCase());
  if (!start) return `unknown collection ${name}`;
  const near = buildAdjacency(graph.edges);
  const hops = (text: string | undefined) =>
    text === undefined ? 0 : text === '+' ? Number.POSITIVE_INFINITY : Number(text.replace('+', ''));
  const names = new Set([
    ...distancesFrom(start.name, near.up, 'from', hops(up)).keys(),
    ...distancesFrom(start.name, near.down, 'to', hops(down)).keys(),
  ]);
  return node => names.has(node.name);
}
