// The size of a node. It does not depend on live data, so that live data never moves a node.
import type {DrawnNode} from '../drawing/drawing.ts';

export interface NodeSize {
  width: number;
  height: number;
}

const TITLE_CHAR_WIDTH = 7.8;
const KIND_MARK_WIDTH = 30;

/** The last part of a name with a prefix: `Waypoints` of `ambient/Waypoints`. A group keeps its slash. */
export function shortName(name: string): string {
  return /[^/]+\/?$/.exec(name)?.[0] ?? name;
}

/** The selected node has room for its last three changed items. */
export function nodeSize(node: DrawnNode, focus: string | undefined, labels: number): NodeSize {
  const text = shortName(node.id).length * TITLE_CHAR_WIDTH + KIND_MARK_WIDTH + 64;
  const room = node.collection.kind === 'join' || node.collection.kind === 'singleton' ? 24 : 0;
  const width = Math.min(232, Math.max(152, Math.round((text + room) / 4) * 4));
  if (node.id === focus) return {width: Math.max(width, 200), height: 132};
  // Two labels fit. Each further label needs 20 px.
  return {width, height: Math.max(54, labels * 20 + 8)};
}

/** Space for chips above and index tabs below a node. */
export function nodeMargin(node: DrawnNode): {top: number; bottom: number} {
  return {
    top: node.quiet.reads.length + node.quiet.readers.length > 0 ? 16 : 0,
    bottom: node.indexes.length > 0 ? 18 : 0,
  };
}
