// Finds the nodes in view, and the node under a point. Pure.
import type {PlacedScene, SceneNode} from '../drawing/scene.ts';

/** Up to this count every node is mounted. Larger drawings paint the nodes out of view. */
export const MOUNT_ALL_UP_TO = 60;
/** The limit of mounted nodes. */
const MAX_MOUNTED = 180;
const MARGIN = 160;

interface ViewBox {
  x: number;
  y: number;
  zoom: number;
  width: number;
  height: number;
}

/** Nodes in view, nearest to the centre first. */
export function nodesInView(placed: PlacedScene, view: ViewBox): string[] {
  const {x, y, zoom, width, height} = view;
  const left = (-MARGIN - x) / zoom;
  const right = (width + MARGIN - x) / zoom;
  const top = (-MARGIN - y) / zoom;
  const bottom = (height + MARGIN - y) / zoom;
  const middle = {x: (left + right) / 2, y: (top + bottom) / 2};
  const found: {id: string; away: number}[] = [];
  for (const {id, size} of placed.scene.nodes) {
    const at = placed.places.get(id)!;
    if (at.x > right || at.x + size.width < left || at.y > bottom || at.y + size.height < top) continue;
    found.push({id, away: Math.abs(at.x - middle.x) + Math.abs(at.y - middle.y)});
  }
  return found
    .sort((a, b) => a.away - b.away)
    .slice(0, MAX_MOUNTED)
    .map(one => one.id);
}

export function nodeAt(placed: PlacedScene, point: {x: number; y: number}): SceneNode | undefined {
  return placed.scene.nodes.find(({id, size}) => {
    const at = placed.places.get(id)!;
    return (
      point.x >= at.x && point.x <= at.x + size.width && point.y >= at.y && point.y <= at.y + size.height
    );
  });
}
