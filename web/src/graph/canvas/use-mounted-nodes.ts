// Which nodes are elements: all of a small drawing, of a big one those in view, a few a frame. The rest is painted.
import {useStore} from '@xyflow/react';
import {useEffect, useMemo, useRef, useState} from 'react';
import type {PlacedScene} from '../drawing/scene.ts';
import {MOUNT_ALL_UP_TO, nodesInView} from './visible-nodes.ts';

/** Elements that come in one frame: more would hold the page for longer than one notices. */
const MOUNTS_PER_FRAME = 8;
/** A drawing of this size comes at once. */
const MOUNTS_IN_FIRST_FRAME = 24;

/** `always` are elements wherever they are: the keyboard stands on them. */
export function useMountedNodes(
  placed: PlacedScene,
  far: boolean,
  always: readonly (string | undefined)[],
): ReadonlySet<string> {
  const big = placed.scene.nodes.length > MOUNT_ALL_UP_TO;
  const kept = always.filter(id => id !== undefined).join('\n');
  const wanted = useStore(({transform: [x, y, zoom], width, height}) => {
    if (!big) return '';
    return far ? kept : [kept, ...nodesInView(placed, {x, y, zoom, width, height})].join('\n');
  });
  const ids = useMemo(
    () => (big ? wanted.split('\n').filter(Boolean) : placed.scene.nodes.map(node => node.id)),
    [big, wanted, placed],
  );
  const held = useRef<{placed: PlacedScene; ids: ReadonlySet<string>}>({placed, ids: new Set()});
  const [, redraw] = useState(0);
  // What is in both drawings stays the element it is: taken away and put back, it would lose focus and a press on it.
  const before = held.current.ids;
  const missing = ids.filter(id => !before.has(id));
  const first = missing.length === ids.length ? MOUNTS_IN_FIRST_FRAME : MOUNTS_PER_FRAME;
  const mounted = useRef<ReadonlySet<string>>(before);
  const here = new Set(missing.slice(0, first));
  const next = ids.filter(id => before.has(id) || here.has(id));
  // The same set stays the same object: a new one would make the flow library look at every node again.
  const same = held.current.placed === placed && missing.length === 0 && next.length === mounted.current.size;
  if (!same) mounted.current = new Set(next);
  const left = missing.length - here.size;
  useEffect(() => {
    held.current = {placed, ids: mounted.current};
    if (left <= 0) return;
    const frame = requestAnimationFrame(() => redraw(n => n + 1));
    return () => cancelAnimationFrame(frame);
  });
  return mounted.current;
}
