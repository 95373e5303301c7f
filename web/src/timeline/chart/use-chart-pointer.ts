// The chart's pointer. A click goes to a moment, a drag on the ruler scrubs, a drag on the chart selects a range.
// The wheel zooms at the pointer, and a double click shows everything.
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {type MouseEvent, type PointerEvent, useRef, useState, type WheelEvent} from 'react';
import {goLive, goTo} from '../../store/navigation.ts';
import {serverNow} from '../../stream/server-connection.ts';
import type {TimelineRange} from '../Timeline.tsx';
import {BASELINE_Y, playheadX} from './Axis.tsx';
import {sequenceAtX, timeAtX, zoomRange} from './time-scale.ts';

/** How far from the playhead a pointer still grabs it. */
const HANDLE = 8;
/** A pointer that moved less was a click. */
const CLICK = 4;

interface ChartPointer {
  line: Timeline;
  width: number;
  moment: number | null;
  /** The time of the oldest moment on disk. */
  oldest: number;
  onZoom: (zoom: TimelineRange | null) => void;
}

export function useChartPointer({line, width, moment, oldest, onZoom}: ChartPointer) {
  const [brush, setBrush] = useState<TimelineRange | null>(null);
  const [hover, setHover] = useState<number | null>(null);
  const drag = useRef<{scrubs: boolean; from: number; moved: boolean} | null>(null);
  const xOf = (event: MouseEvent) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const scrub = (x: number) => {
    const sequence = sequenceAtX(line, width, x);
    if (sequence === null) goLive();
    else goTo(sequence);
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const y = event.clientY - event.currentTarget.getBoundingClientRect().top;
    const from = xOf(event);
    const handle = Math.abs(from - playheadX(line, width, moment)) <= HANDLE;
    drag.current = {scrubs: !event.shiftKey && (handle || y >= BASELINE_Y), from, moved: false};
    setHover(null);
    setBrush(null);
    if (drag.current.scrubs) scrub(from);
  };
  const onPointerMove = (event: PointerEvent) => {
    const x = xOf(event);
    const current = drag.current;
    if (current === null) return setHover(x);
    if (current.scrubs) return scrub(x);
    if (Math.abs(x - current.from) > CLICK) current.moved = true;
    if (!current.moved) return;
    const [a, b] = [current.from, x].map(one => Math.round(timeAtX(line, width, one)));
    setBrush({from: Math.min(a!, b!), to: Math.max(a!, b!)});
  };
  const onPointerUp = () => {
    const current = drag.current;
    drag.current = null;
    if (current !== null && !current.scrubs && !current.moved) scrub(current.from);
  };
  const onPointerCancel = () => {
    drag.current = null;
  };
  const onWheel = (event: WheelEvent) => {
    if (event.deltaY === 0) return;
    const next = zoomRange(line, event.deltaY < 0 ? 0.8 : 1.25, timeAtX(line, width, xOf(event)));
    const now = serverNow();
    const isEverything = next.from <= line.kept.since && next.to >= now;
    if (!isEverything || event.deltaY < 0) return onZoom(next);
    // Beyond the memory the zoom goes on over the history on disk.
    onZoom(oldest < line.kept.since ? {from: Math.max(oldest, next.from), to: now} : null);
  };
  return {
    brush,
    hover,
    clearBrush: () => setBrush(null),
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel,
      onPointerLeave: () => setHover(null),
      onWheel,
      onDoubleClick: () => onZoom(null),
    },
  };
}
