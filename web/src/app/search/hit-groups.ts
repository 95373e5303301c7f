// Search hits in groups: collections by name, sources, derived. Pure.
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {Hit} from '@krtscope/shared/items.ts';

export interface HitGroup {
  label: string;
  hits: {hit: Hit; at: number}[];
}

/** Of one kind: the rest is counted, so that no kind pushes another out of sight. */
const MAX_HITS_PER_GROUP = 30;

const sourceKinds = new Set(['source', 'static', 'file', 'trigger']);

/** Keeps the server's order inside a group; `at` numbers the hits as they are drawn. */
export function groupHits(hits: Hit[], collections: CollectionNode[]): HitGroup[] {
  const kinds = new Map(collections.map(one => [one.name, one.kind]));
  const named = (hit: Hit) => {
    if (hit.where === 'collection') return 'Collections';
    return sourceKinds.has(kinds.get(hit.collection) ?? 'derived') ? 'Sources' : 'Derived';
  };
  let at = 0;
  return ['Collections', 'Sources', 'Derived'].flatMap(label => {
    const own = hits.filter(hit => named(hit) === label).slice(0, MAX_HITS_PER_GROUP);
    if (own.length === 0) return [];
    return {label, hits: own.map(hit => ({hit, at: at++}))};
  });
}

/** The text cut where the query stands in it, for the bold middle; null when it is not inside. */
export function splitAtMatch(text: string, query: string): [string, string, string] | null {
  const at = text.toLowerCase().indexOf(query.trim().toLowerCase());
  if (at < 0 || query.trim() === '') return null;
  const end = at + query.trim().length;
  return [text.slice(0, at), text.slice(at, end), text.slice(end)];
}
