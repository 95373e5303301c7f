// A drawing as an indented tree: the selection with causes and effects, or all sources. Pure.
import type {EdgeKind} from '@krtscope/shared/vocabulary.ts';
import type {Drawing} from '../drawing/drawing.ts';
import type {GraphScene} from '../drawing/scene.ts';

export interface TreeRow {
  /** The path from the top. It identifies the row, because a collection can appear twice. */
  path: string;
  name: string;
  depth: number;
  side?: 'cause' | 'effect';
  /** The edge to the parent row: `input`, `fetch key = …`. */
  how: string;
  children: number;
  /** The children are listed at the first row of this collection. */
  again: boolean;
}

interface TreeEdge {
  from: string;
  to: string;
  how: string;
}

export function collectionTree(
  drawing: Drawing,
  focus: string | undefined,
  closed: ReadonlySet<string>,
): TreeRow[] {
  const edges = [...drawing.edges, ...drawing.quiet].map(({from, to, kind, filters}) => ({
    from,
    to,
    how: edgeWords(kind, filters.join(' or ')),
  }));
  return buildTree(
    drawing.nodes.map(node => node.id),
    edges,
    focus,
    closed,
  );
}

/** The items that took part, around the selected one. */
export function itemTree(scene: GraphScene, closed: ReadonlySet<string>): TreeRow[] {
  return buildTree(
    scene.nodes.map(node => node.id),
    scene.edges.map(({from, to, kind, title}) => ({from, to, how: edgeWords(kind, title)})),
    scene.nodes.find(node => node.item?.focus)?.id,
    closed,
  );
}

function buildTree(
  names: readonly string[],
  all: readonly TreeEdge[],
  focus: string | undefined,
  closed: ReadonlySet<string>,
): TreeRow[] {
  const nodes = new Set(names);
  const rows: TreeRow[] = [];
  const edges = all.filter(edge => nodes.has(edge.from) && nodes.has(edge.to));
  const grow = (
    name: string,
    depth: number,
    trail: string,
    seen: Set<string>,
    side: 'cause' | 'effect' | undefined,
    how: string,
  ) => {
    if (!nodes.has(name)) return;
    const again = seen.has(name);
    const next = again ? [] : edges.filter(edge => (side === 'cause' ? edge.to : edge.from) === name);
    const path = `${trail}/${side ?? ''}:${name}`;
    rows.push({
      path,
      name,
      depth,
      side,
      how,
      children: next.length,
      again: again && edges.some(edge => edge.from === name),
    });
    seen.add(name);
    if (closed.has(path)) return;
    for (const edge of next)
      grow(side === 'cause' ? edge.from : edge.to, depth + 1, path, seen, side, edge.how);
  };
  if (focus !== undefined && nodes.has(focus)) {
    rows.push({
      path: `/${focus}`,
      name: focus,
      depth: 0,
      how: '',
      children: 0,
      again: false,
    });
    const up = new Set([focus]);
    for (const edge of edges.filter(one => one.to === focus))
      grow(edge.from, 1, `/${focus}`, up, 'cause', edge.how);
    const down = new Set([focus]);
    for (const edge of edges.filter(one => one.from === focus))
      grow(edge.to, 1, `/${focus}`, down, 'effect', edge.how);
    const listed = new Set(rows.map(row => row.name));
    for (const name of nodes)
      if (!listed.has(name))
        rows.push({
          path: `/off:${name}`,
          name,
          depth: 0,
          how: 'not connected',
          children: 0,
          again: false,
        });
    return rows;
  }
  const fed = new Set(edges.map(edge => edge.to));
  const seen = new Set<string>();
  for (const name of nodes) if (!fed.has(name)) grow(name, 0, '', seen, undefined, '');
  for (const name of nodes) if (!seen.has(name)) grow(name, 0, '', seen, undefined, '');
  return rows;
}

function edgeWords(kind: EdgeKind, filter: string): string {
  const words = kind === 'input' ? 'primary input' : kind === 'join' ? 'join leg' : kind;
  return filter === '' ? words : `${words} ${filter}`;
}
