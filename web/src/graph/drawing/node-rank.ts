// Ranks collections for the budget of the drawing, and describes what is left out.
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import {isStale} from '../../freshness/freshness.ts';
import {plural} from '../../ui/text/plural.ts';
import type {Drawing, LeftOutReason} from './drawing.ts';

const RECENT = 60_000;

/** Denied, unreachable or failing. Such a node is always drawn. */
export function isBroken(node: CollectionNode): boolean {
  return node.failed > 0 || ((node.state === 'forbidden' || node.state === 'unreachable') && !isStale(node));
}

export function isWaiting(node: CollectionNode): boolean {
  return (!node.synced && node.state !== 'not installed') || isStale(node);
}

export function isRecent(node: CollectionNode, now: number): boolean {
  return node.last !== undefined && now - node.last.at < RECENT && node.last.outcome !== 'equal';
}

export function isIdle(node: CollectionNode, now: number): boolean {
  return !isBroken(node) && !isWaiting(node) && !isRecent(node, now) && node.rate === 0;
}

/** Lower comes first: error, unsynced, recent change, active, on the path, others. */
export function rankNode(node: CollectionNode, onPath: boolean, now: number): number {
  if (isBroken(node)) return 0;
  if (isWaiting(node)) return 1;
  if (isRecent(node, now)) return 2;
  if (node.rate > 0) return 3;
  return onPath ? 4 : 5;
}

const reasonWords: Record<LeftOutReason, (hops: string) => string> = {
  idle: () => 'idle, healthy',
  outside: hops => `outside ${hops}`,
  hidden: () => 'hidden by filter',
  budget: () => 'over the budget',
};

/** `1 index as a tab`: collections without a node of their own. */
export function foldedWords({nodes}: Drawing): string {
  const count = (pick: (node: Drawing['nodes'][number]) => string[]) =>
    nodes.reduce((sum, node) => sum + pick(node).length, 0);
  const tabs = count(node => node.indexes);
  const copies = count(node => node.copies);
  const groups = nodes.filter(node => node.members !== undefined);
  const grouped = groups.reduce((sum, node) => sum + node.members!.length, 0);
  return [
    grouped === 0 ? '' : `${grouped} in ${groups.length} ${groups.length === 1 ? 'group' : 'groups'}`,
    tabs === 0 ? '' : `${tabs} ${tabs === 1 ? 'index as a tab' : 'indexes as tabs'}`,
    copies === 0 ? '' : `${copies} stacked`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** `8 not drawn: idle, healthy`, or an empty text. */
export function leftOutWords(drawing: Drawing, hops: {up: number; down: number}): string {
  if (drawing.left.length === 0) return '';
  const far = hops.up === hops.down ? plural(hops.up, 'hop') : `${hops.up} up, ${hops.down} down`;
  const counts = new Map<LeftOutReason, number>();
  for (const {reason} of drawing.left) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].map(([reason, n]) =>
    counts.size === 1 ? reasonWords[reason](far) : `${n} ${reasonWords[reason](far)}`,
  );
  return `${drawing.left.length} not drawn: ${parts.join(', ')}`;
}
