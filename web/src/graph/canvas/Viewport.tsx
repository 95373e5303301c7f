// Fits the drawing into the window at a readable size, also when the window changes.
import {useReactFlow, useStore} from '@xyflow/react';
import {type RefObject, useEffect, useRef} from 'react';
import type {PlacedScene} from '../drawing/scene.ts';
import {MOUNT_ALL_UP_TO} from './visible-nodes.ts';

/** Moves the view for a new drawing or a new focus. Live data never moves it. */
export function Viewport({
  placed,
  focus,
  roving,
  moved,
  pressed,
  target,
}: {
  placed: PlacedScene;
  focus: string | undefined;
  roving: string | undefined;
  moved: RefObject<boolean>;
  /** The node that the reader clicked last. It stays under the pointer. */
  pressed: RefObject<string | undefined>;
  /** The first found node. The view moves to it. */
  target: string | undefined;
}) {
  const flow = useReactFlow();
  const width = useStore(state => state.width);
  const height = useStore(state => state.height);
  const shown = useRef<{placed: PlacedScene; width: number; height: number} | null>(null);
  const walked = useRef<string | undefined>(undefined);
  const ready = width > 0 && height > 0;
  useEffect(() => {
    const before = shown.current;
    if (!ready) return;
    const isWalk = walked.current !== roving;
    walked.current = roving;
    const same = before?.placed === placed;
    const resized = same && (before.width !== width || before.height !== height);
    if (!same || (resized && !moved.current)) {
      shown.current = {placed, width, height};
      if (!same) moved.current = false;
      const calm = resized || matchMedia('(prefers-reduced-motion: reduce)').matches;
      const fitted = fitViewport(placed, width, height, focus);
      const anchor = pressed.current === focus ? focus : undefined;
      pressed.current = undefined;
      void flow.setViewport(
        anchored(fitted, before?.placed, placed, anchor, flow.getViewport(), {width, height}),
        {
          duration: before === null || calm ? 0 : 250,
        },
      );
      return;
    }
    // Only after an arrow key. During a fit this would move the drawing out of the frame.
    const at = isWalk && roving !== undefined ? placed.places.get(roving) : undefined;
    if (!at || !document.activeElement?.classList.contains('node-button')) return;
    const {x, y, zoom} = flow.getViewport();
    const left = at.x * zoom + x;
    const top = at.y * zoom + y;
    if (left < 20 || top < 20 || left > width - 200 || top > height - 120)
      void flow.setCenter(at.x + 90, at.y + 30, {zoom, duration: 150});
  }, [placed, focus, roving, ready, width, height, flow, moved, pressed]);
  useEffect(() => {
    const at = target === undefined || !ready ? undefined : placed.places.get(target);
    if (!at) return;
    const {x, y, zoom} = flow.getViewport();
    const left = at.x * zoom + x;
    const top = at.y * zoom + y;
    const isInView = left > 0 && top > 0 && left < width - 160 && top < height - 60;
    if (isInView && zoom >= MIN_READABLE_ZOOM) return;
    void flow.setCenter(at.x + 90, at.y + 30, {zoom: Math.max(zoom, MIN_READABLE_ZOOM), duration: 150});
  }, [target, placed, ready, width, height, flow]);
  return null;
}

/** A selected node stays where it was on the screen, so that it stays under the pointer. */
function anchored(
  fitted: {x: number; y: number; zoom: number},
  before: PlacedScene | undefined,
  placed: PlacedScene,
  focus: string | undefined,
  view: {x: number; y: number; zoom: number},
  frame: {width: number; height: number},
): {x: number; y: number; zoom: number} {
  const old = focus === undefined || before === placed ? undefined : before?.places.get(focus);
  const now = focus === undefined ? undefined : placed.places.get(focus);
  if (!old || !now) return fitted;
  const left = old.x * view.zoom + view.x;
  const top = old.y * view.zoom + view.y;
  const isInView = left > 0 && top > 0 && left < frame.width - 160 && top < frame.height - 60;
  return isInView ? {zoom: fitted.zoom, x: left - now.x * fitted.zoom, y: top - now.y * fitted.zoom} : fitted;
}

export const MIN_ZOOM = 0.08;

/** Room for chips above the first row, tabs below the last, and stubs at the sides. */
const FRAME_MARGIN = {left: 24, right: 40, top: 22, bottom: 26};
const STUB_WIDTH = 76;
/** Smaller numbers are not readable. */
const MIN_READABLE_ZOOM = 0.66;

/** The whole drawing if it fits at a readable size, or else the part around the selection. */
function fitViewport(
  placed: PlacedScene,
  width: number,
  height: number,
  focus: string | undefined,
): {x: number; y: number; zoom: number} {
  const beside = focus === undefined ? 0 : STUB_WIDTH;
  const zoom = Math.min(
    1.15,
    (width - FRAME_MARGIN.left - FRAME_MARGIN.right - 2 * beside) / (placed.width + 12),
    (height - FRAME_MARGIN.top - FRAME_MARGIN.bottom) / placed.height,
  );
  const at = focus === undefined ? undefined : placed.places.get(focus);
  if (zoom < MIN_READABLE_ZOOM && at) {
    return {
      zoom: MIN_READABLE_ZOOM,
      x: clampOffset(
        width / 2 - (at.x + 100) * MIN_READABLE_ZOOM,
        width,
        placed.width * MIN_READABLE_ZOOM,
        FRAME_MARGIN.left,
        FRAME_MARGIN.right,
      ),
      y: clampOffset(
        height / 2 - (at.y + 60) * MIN_READABLE_ZOOM,
        height,
        placed.height * MIN_READABLE_ZOOM,
        FRAME_MARGIN.top,
        FRAME_MARGIN.bottom,
      ),
    };
  }
  const few = placed.scene.nodes.length <= MOUNT_ALL_UP_TO;
  const shown = few ? Math.max(zoom, MIN_READABLE_ZOOM) : Math.max(zoom, MIN_ZOOM);
  return {
    zoom: shown,
    x: Math.max(FRAME_MARGIN.left, (width - placed.width * shown) / 2),
    y: Math.max(FRAME_MARGIN.top, (height - placed.height * shown) / 2),
  };
}

/** Avoids empty space at one side while the other side is cut off. */
function clampOffset(at: number, room: number, size: number, before: number, after: number): number {
  if (size <= room - before - after) return (room - size) / 2;
  return Math.min(before, Math.max(room - after - size, at));
}
