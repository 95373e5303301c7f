// The distinct queries of a collection. Inputs with the same query share one node. A trie finds the node
// without a text that has to be written and hashed for every new fetch.

import type {Labels} from '../values/labels.ts';

/** A query as far as a trie tells queries apart. */
interface QueryParts {
  readonly keys: string | readonly string[] | null;
  readonly namespace: string | null;
  readonly labels: Labels | null;
  readonly selects: Labels | null;
  readonly nonEmpty: boolean;
  readonly index: unknown;
  readonly indexKey: string;
  readonly generic: unknown;
  readonly project: unknown;
}

interface SpecifiedNode {
  readonly spec: QueryParts;
}

/** A prefix of queries: the query that ends here, and the longer ones. */
class TrieBranch<N> {
  node: N | null = null;
  next: Map<unknown, TrieBranch<N>> | null = null;
}

type TrieStep<N> = (branch: TrieBranch<N>, said: unknown) => TrieBranch<N> | undefined;

/** Marks the end of the labels, so that a label of the selector cannot pass for one of them. */
const END = Symbol('end of labels');

const MANY_KEYS = 2;
const NAMESPACE = 4;
const LABELS = 8;
const SELECTS = 16;
const NON_EMPTY = 32;
const INDEX = 64;

export class QueryTrie<N extends SpecifiedNode> {
  readonly #root = new TrieBranch<N>();

  find(spec: QueryParts): N | null {
    return isShareable(spec) ? (walkQuery(this.#root, spec, findBranch)?.node ?? null) : null;
  }

  /** The node must own its labels: delete() has to find it again. */
  add(node: N): void {
    if (isShareable(node.spec))
      (walkQuery(this.#root, node.spec, findOrAddBranch) as TrieBranch<N>).node = node;
  }

  delete({spec}: N): void {
    if (!isShareable(spec)) return;
    const path: [TrieBranch<N>, unknown][] = [];
    const end = walkQuery(this.#root, spec, (branch, said) => {
      path.push([branch, said]);
      return branch.next?.get(said);
    });
    if (end === undefined) return;
    end.node = null;
    let child = end;
    for (const [branch, said] of path.reverse()) {
      if (child.node !== null || child.next !== null) return;
      branch.next?.delete(said);
      if (branch.next?.size === 0) branch.next = null;
      child = branch;
    }
  }
}

/** False if only identity tells the query from others. Then each input has its own node. */
function isShareable({generic, project}: QueryParts): boolean {
  return generic === null && project === null;
}

function findBranch<N>(branch: TrieBranch<N>, said: unknown): TrieBranch<N> | undefined {
  return branch.next === null ? undefined : branch.next.get(said);
}

function findOrAddBranch<N>(branch: TrieBranch<N>, said: unknown): TrieBranch<N> {
  branch.next ??= new Map();
  let next = branch.next.get(said);
  if (next === undefined) {
    next = new TrieBranch();
    branch.next.set(said, next);
  }
  return next;
}

/** Walks to the end of this query, as far as `step` leads. */
function walkQuery<N>(root: TrieBranch<N>, spec: QueryParts, step: TrieStep<N>): TrieBranch<N> | undefined {
  const {keys, namespace, labels, selects, index} = spec;
  let at = step(root, shapeOf(spec));
  if (at !== undefined && keys !== null)
    at = step(at, typeof keys === 'string' ? keys : JSON.stringify(keys));
  if (at !== undefined && namespace !== null) at = step(at, namespace);
  if (at !== undefined && labels !== null) {
    at = walkLabels(at, labels, step);
    if (at !== undefined) at = step(at, END);
  }
  if (at !== undefined && selects !== null) at = walkLabels(at, selects, step);
  if (at !== undefined && index !== null) {
    at = step(at, index);
    if (at !== undefined) at = step(at, spec.indexKey);
  }
  return at;
}

/** The parts that the query has, as bits. */
function shapeOf(spec: QueryParts): number {
  let shape = 0;
  if (spec.keys !== null) shape = typeof spec.keys === 'string' ? 1 : MANY_KEYS;
  if (spec.namespace !== null) shape |= NAMESPACE;
  if (spec.labels !== null) shape |= LABELS;
  if (spec.selects !== null) shape |= spec.nonEmpty ? SELECTS | NON_EMPTY : SELECTS;
  return spec.index === null ? shape : shape | INDEX;
}

function walkLabels<N>(from: TrieBranch<N>, labels: Labels, step: TrieStep<N>): TrieBranch<N> | undefined {
  const names = Object.keys(labels);
  if (names.length > 1) names.sort();
  let at: TrieBranch<N> | undefined = from;
  for (let i = 0; i < names.length && at !== undefined; i++) {
    const name = names[i] as string;
    const value = labels[name];
    if (value === undefined) continue;
    at = step(at, name);
    if (at !== undefined) at = step(at, value);
  }
  return at;
}
