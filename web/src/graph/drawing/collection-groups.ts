// Groups collections by the prefix of their names (`ambient/`), so that a large graph stays readable. Pure.
import type {CollectionNode} from '@krtscope/shared/graph.ts';

/** Smaller graphs are readable without groups. */
const MIN_GRAPH_SIZE = 40;
const MIN_GROUP_SIZE = 3;

export interface GroupState {
  /** The prefix with its slash: `ambient/`, `ambient/informer/`. */
  id: string;
  size: number;
  open: boolean;
}

/** All prefixes that are shared by enough collections, outer groups before inner ones. */
export function groupSizes(names: readonly string[]): Map<string, number> {
  if (names.length < MIN_GRAPH_SIZE) return new Map();
  const sizes = new Map<string, number>();
  for (const name of names)
    for (const prefix of prefixesOf(name)) sizes.set(prefix, (sizes.get(prefix) ?? 0) + 1);
  // An inner prefix with all members of the outer one would only add a click.
  const isUseful = (prefix: string, size: number) =>
    size >= MIN_GROUP_SIZE && sizes.get(prefixesOf(prefix.slice(0, -1)).at(-1) ?? '') !== size;
  return new Map(
    [...sizes].filter(([prefix, size]) => isUseful(prefix, size)).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** `a/b/C` has the prefixes `a/` and `a/b/`. */
export function prefixesOf(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/`);
}

/** The outermost closed group of a collection, which is drawn in its place. */
export function closedGroupOf(
  name: string,
  groups: ReadonlyMap<string, number>,
  open: ReadonlySet<string>,
): string | undefined {
  return prefixesOf(name).find(prefix => groups.has(prefix) && !open.has(prefix));
}

/** A group as one collection: sums of the numbers, the worst of the states, the newest change. */
export function groupSummary(id: string, members: readonly CollectionNode[]): CollectionNode {
  const sum = (value: (node: CollectionNode) => number) =>
    members.reduce((total, node) => total + value(node), 0);
  const newest = members.reduce<CollectionNode['last']>(
    (last, node) => (node.last && (!last || node.last.at > last.at) ? node.last : last),
    undefined,
  );
  const [first] = members;
  return {
    ...first!,
    name: id,
    kind: 'many',
    size: sum(node => node.size),
    runs: sum(node => node.runs),
    failed: sum(node => node.failed),
    rate: sum(node => node.rate),
    equal: sum(node => node.equal),
    spark: first!.spark.map((_, at) => sum(node => node.spark[at] ?? 0)),
    synced: members.every(node => node.synced || node.state === 'not installed'),
    state: undefined,
    current: members.every(node => node.current !== false),
    resource: undefined,
    waitingFor: undefined,
    last: newest,
  };
}
