// Groups search hits: collections, sources, derived. Pure.
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {Hit} from '@krtscope/shared/items.ts';

interface HitGroup {
  label: string;
  hits: {hit: Hit; at: number}[];
}

/** Keeps one kind from pushing the others out of sight. */
const MAX_HITS_PER_GROUP = 30;

const sourceKinds = new Set(['source', 'static', 'file', 'trigger']);

/** Keeps the server's order inside a group. `at` numbers the hits from top to bottom. */
export function groupHits(hits: Hit[], collections: CollectionNode[]): HitGroup[] {
  const kinds = new Map(collections.map(one => [one.name, one.kind]));
  const labelOf = (hit: Hit) => {
    if (hit.where === 'collection') return 'Collections';
    return sourceKinds.has(kinds.get(hit.collection) ?? 'derived') ? 'Sources' : 'Derived';
  };
  let at = 0;
  return ['Collections', 'Sources', 'Derived'].flatMap(label => {
    const inGroup = hits.filter(hit => labelOf(hit) === label).slice(0, MAX_HITS_PER_GROUP);
    if (inGroup.length === 0) return [];
    return {label, hits: inGroup.map(hit => ({hit, at: at++}))};
  });
}

/** The text before, in and after the match. Null without a match. */
export function splitAtMatch(text: string, query: string): [string, string, string] | null {
  const at = text.toLowerCase().indexOf(query.trim().toLowerCase());
  if (at < 0 || query.trim() === '') return null;
  const end = at + query.trim().length;
  return [text.slice(0, at), text.slice(at, end), text.slice(end)];
}
