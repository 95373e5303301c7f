// Decides which nodes are mounted as elements. A large drawing mounts only the visible ones.
import {useStore} from '@xyflow/react';
import {useEffect, useMemo, useRef, useState} from 'react';
import type {PlacedScene} from '../drawing/scene.ts';
import {MOUNT_ALL_UP_TO, nodesInView} from './visible-nodes.ts';

/** Nodes mounted in one frame. More would make the page stutter. */
const MOUNTS_PER_FRAME = 8;
/** A drawing of this size is mounted at once. */
const MOUNTS_IN_FIRST_FRAME = 24;

/** `always` are mounted even out of view, because they have the focus. */
export function useMountedNodes(
  placed: PlacedScene,
  far: boolean,
  always: readonly (string | undefined)[],
): ReadonlySet<string> {
  const big = placed.scene.nodes.length > MOUNT_ALL_UP_TO;
  const pinned = always.filter(id => id !== undefined).join('\n');
  const wanted = useStore(({transform: [x, y, zoom], width, height}) => {
    if (!big) return '';
    return far ? pinned : [pinned, ...nodesInView(placed, {x, y, zoom, width, height})].join('\n');
  });
  const ids = useMemo(
    () => (big ? wanted.split('\n').filter(Boolean) : placed.scene.nodes.map(node => node.id)),
    [big, wanted, placed],
  );
  const last = useRef<{placed: PlacedScene; ids: ReadonlySet<string>}>({placed, ids: new Set()});
  const [, redraw] = useState(0);
  // Nodes of both drawings stay mounted. Otherwise they would lose the focus and a started press.
  const before = last.current.ids;
  const missing = ids.filter(id => !before.has(id));
  const first = missing.length === ids.length ? MOUNTS_IN_FIRST_FRAME : MOUNTS_PER_FRAME;
  const mounted = useRef<ReadonlySet<string>>(before);
  const here = new Set(missing.slice(0, first));
  const next = ids.filter(id => before.has(id) || here.has(id));
  // Keep the same object for the same set, so that React Flow does not check every node.
  const same = last.current.placed === placed && missing.length === 0 && next.length === mounted.current.size;
  if (!same) mounted.current = new Set(next);
  const left = missing.length - here.size;
  useEffect(() => {
    last.current = {placed, ids: mounted.current};
    if (left <= 0) return;
    const frame = requestAnimationFrame(() => redraw(n => n + 1));
    return () => cancelAnimationFrame(frame);
  });
  return mounted.current;
}
