// The drawing as an indented tree: the selection with causes and effects, or all sources. Pure.
import type {CollectionNode} from '@krtscope/shared/graph.ts';
import type {Drawing, DrawnEdge} from '../drawing/drawing.ts';

interface TreeRow {
  /** The path from the top. It identifies the row, because a collection can appear twice. */
  path: string;
  name: string;
  node: CollectionNode;
  depth: number;
  side?: 'cause' | 'effect';
  /** The edge to the parent row: `input`, `fetch key = …`. */
  how: string;
  children: number;
  /** The children are listed at the first row of this collection. */
  again: boolean;
}

export function buildTree(
  drawing: Drawing,
  focus: string | undefined,
  closed: ReadonlySet<string>,
): TreeRow[] {
  const nodes = new Map(drawing.nodes.map(node => [node.id, node.collection]));
  const rows: TreeRow[] = [];
  const edges = [...drawing.edges, ...drawing.quiet].filter(
    edge => nodes.has(edge.from) && nodes.has(edge.to),
  );
  const grow = (
    name: string,
    depth: number,
    trail: string,
    seen: Set<string>,
    side: 'cause' | 'effect' | undefined,
    how: string,
  ) => {
    const node = nodes.get(name);
    if (!node) return;
    const again = seen.has(name);
    const next = again ? [] : edges.filter(edge => (side === 'cause' ? edge.to : edge.from) === name);
    const path = `${trail}/${side ?? ''}:${name}`;
    rows.push({
      path,
      name,
      node,
      depth,
      side,
      how,
      children: next.length,
      again: again && edges.some(edge => edge.from === name),
    });
    seen.add(name);
    if (closed.has(path)) return;
    for (const edge of next)
      grow(side === 'cause' ? edge.from : edge.to, depth + 1, path, seen, side, edgeWords(edge));
  };
  if (focus !== undefined && nodes.has(focus)) {
    rows.push({
      path: `/${focus}`,
      name: focus,
      node: nodes.get(focus)!,
      depth: 0,
      how: '',
      children: 0,
      again: false,
    });
    const up = new Set([focus]);
    for (const edge of edges.filter(one => one.to === focus))
      grow(edge.from, 1, `/${focus}`, up, 'cause', edgeWords(edge));
    const down = new Set([focus]);
    for (const edge of edges.filter(one => one.from === focus))
      grow(edge.to, 1, `/${focus}`, down, 'effect', edgeWords(edge));
    const listed = new Set(rows.map(row => row.name));
    for (const name of nodes.keys())
      if (!listed.has(name))
        rows.push({
          path: `/off:${name}`,
          name,
          node: nodes.get(name)!,
          depth: 0,
          how: 'not connected',
          children: 0,
          again: false,
        });
    return rows;
  }
  const fed = new Set(edges.map(edge => edge.to));
  const seen = new Set<string>();
  for (const name of nodes.keys()) if (!fed.has(name)) grow(name, 0, '', seen, undefined, '');
  for (const name of nodes.keys()) if (!seen.has(name)) grow(name, 0, '', seen, undefined, '');
  return rows;
}

function edgeWords(edge: DrawnEdge): string {
  const filter = edge.filters.join(' or ');
  const kind = edge.kind === 'input' ? 'primary input' : edge.kind === 'join' ? 'join leg' : edge.kind;
  return filter === '' ? kind : `${kind} ${filter}`;
}
