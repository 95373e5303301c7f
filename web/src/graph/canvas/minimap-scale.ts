// The size of the minimap, and whether it is needed. Pure.
import type {PlacedScene} from '../drawing/scene.ts';

const MAX_WIDTH = 180;
const MAX_HEIGHT = 120;
/** A drawing that is cut by less than this share needs no map. */
const HIDDEN_SHARE = 0.02;

type Drawn = Pick<PlacedScene, 'width' | 'height'>;

export function minimapScale({width, height}: Drawn): number {
  return Math.min(MAX_WIDTH / Math.max(1, width), MAX_HEIGHT / Math.max(1, height));
}

/** Whether a part of the drawing is outside the window. */
export function isPartlyHidden(
  placed: Drawn,
  view: {x: number; y: number; zoom: number; width: number; height: number},
): boolean {
  const left = Math.max(0, -view.x / view.zoom);
  const top = Math.max(0, -view.y / view.zoom);
  const right = Math.min(placed.width, (view.width - view.x) / view.zoom);
  const bottom = Math.min(placed.height, (view.height - view.y) / view.zoom);
  const shown = Math.max(0, right - left) * Math.max(0, bottom - top);
  return shown < placed.width * placed.height * (1 - HIDDEN_SHARE);
}
