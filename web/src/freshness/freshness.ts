// Until when a collection's rows are right, in words. Pure: the server says what is current.
import type {CollectionNode, Graph} from '@krtscope/shared/graph.ts';
import {ageText, clockText} from '../ui/text/Age.tsx';

/** Whether rows may be outdated. A source that is forbidden or not installed has no rows. */
export function isStale(node: CollectionNode): boolean {
  return node.current === false && node.synced && node.state !== 'not installed';
}

/** Sources that are not current, the one with the oldest news first. */
export function staleSources(graph: Graph): CollectionNode[] {
  return graph.collections
    .filter(node => isStale(node) && (node.behind === undefined || node.behind === node.name))
    .sort((a, b) => (a.asOf ?? 0) - (b.asOf ?? 0));
}

/** Collections behind one of those sources, by name. */
export function collectionsBehind(graph: Graph): CollectionNode[] {
  const sources = new Set(staleSources(graph));
  return graph.collections.filter(node => isStale(node) && !sources.has(node));
}

interface FreshnessText {
  stale: boolean;
  words: string;
  /** How long the source has been silent. */
  since?: string;
}

export function freshnessOf(node: CollectionNode, now: number): FreshnessText | undefined {
  const {asOf, behind} = node;
  if (isStale(node)) {
    if (behind !== undefined && behind !== node.name) return {stale: true, words: `behind ${behind}`};
    if (asOf === undefined) return {stale: true, words: 'no data yet'};
    return {stale: true, words: `as of ${clockText(asOf)}`, since: `no news for ${ageText(now - asOf)}`};
  }
  if (asOf === undefined || !node.synced) return undefined;
  return {stale: false, words: `confirmed ${ageText(now - asOf)} ago`};
}

/** Names in a sentence: `Pods`, `Pods and Services`, `Pods and 3 more`. */
export function listNames(nodes: readonly CollectionNode[]): string {
  const [first, second] = nodes;
  if (!first) return '';
  if (!second) return first.name;
  return nodes.length === 2
    ? `${first.name} and ${second.name}`
    : `${first.name} and ${nodes.length - 1} more`;
}
