// The Timeline's drawing: root writes, stacked bars, gaps, flags, playhead. A slider for the keyboard.
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {type KeyboardEvent, memo, type PointerEvent, useMemo, useRef, useState} from 'react';
import {useApp} from '../store/app.ts';
import {goLive, goTo, useMoment} from '../store/navigation.ts';
import {clockText} from '../ui/text/Age.tsx';
import {Axis, BASELINE_Y as base, ComparedPlayhead, Playhead, playheadX, WaveMarker} from './Axis.tsx';
import {Brush} from './Brush.tsx';
import type {TimelineRange} from './Timeline.tsx';
import {bars, bucketOf, panRange, sequenceAtX, timeAtX, xOfTime, zoomRange as zoomBy} from './time-scale.ts';
import './chart.css';

const height = 76;
/** How far from the playhead a pointer still grabs it. */
const HANDLE = 8;

export function Chart(props: {
  line: Timeline;
  width: number;
  zoom: TimelineRange | null;
  onZoom: (zoom: TimelineRange | null) => void;
  onStep: (by: number) => void;
}) {
  const {line, width} = props;
  const {moment, live} = useMoment();
  const [brush, setBrush] = useState<TimelineRange | null>(null);
  const drag = useRef<{brush: boolean; from: number} | null>(null);
  const xOf = (event: PointerEvent) => event.clientX - event.currentTarget.getBoundingClientRect().left;
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
    // The playhead's handle lies among the ticks, where a drag selects a range; a drag on the handle moves the
    // playhead.
    const handle = Math.abs(from - playheadX(line, width, moment)) <= HANDLE;
    drag.current = {brush: event.shiftKey || (y < 16 && !handle), from};
    if (drag.current.brush) setBrush(null);
    else scrub(drag.current.from);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drag.current === null) return;
    const x = xOf(event);
    if (!drag.current.brush) return scrub(x);
    const [a, b] = [drag.current.from, x].map(one => Math.round(timeAtX(line, width, one)));
    if (Math.abs(x - drag.current.from) > 4) setBrush({from: Math.min(a!, b!), to: Math.max(a!, b!)});
  };
  const onPointerUp = () => {
    drag.current = null;
  };
  const edge = moment === null ? Number.POSITIVE_INFINITY : bucketOf(line.buckets, moment);
  const around = moment === null ? line.to : (line.buckets[bucketOf(line.buckets, moment)]?.at ?? line.to);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === 'End')) return;
    if (!act(event.key.length === 1 ? event.key.toLowerCase() : event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const act = (key: string): boolean => {
    if (key === 'ArrowLeft') props.onStep(-1);
    else if (key === 'ArrowRight') props.onStep(1);
    else if (key === 'PageUp') props.onStep(-20);
    else if (key === 'PageDown') props.onStep(20);
    else if (key === 'Home') goTo(line.kept.oldest);
    else if (key === 'End') goLive();
    else if (key === 'w') props.onZoom(zoomBy(line, 0.5, around));
    else if (key === 's') props.onZoom(zoomBy(line, 2, around));
    else if (key === 'a') props.onZoom(panRange(line, -0.25));
    else if (key === 'd') props.onZoom(panRange(line, 0.25));
    else return false;
    return true;
  };
  const value = moment ?? line.kept.newest;
  return (
    <>
      <div
        className="timeline-slider"
        role="slider"
        tabIndex={0}
        aria-label="Moment"
        aria-valuemin={line.kept.oldest}
        aria-valuemax={line.kept.newest}
        aria-valuenow={Math.max(line.kept.oldest, Math.min(line.kept.newest, value))}
        aria-valuetext={live ? 'live' : `#${moment}, ${clockText(around)}`}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onKeyDown={onKeyDown}
        title="Drag to see a past moment. Shift and drag to select a range. With focus: W and S zoom, A and D pan."
      >
        <svg width={width} height={height} aria-hidden="true">
          <Gaps line={line} width={width} />
          <Bars line={line} width={width} edge={edge} />
          <Axis line={line} width={width} moment={moment} />
          <Flags line={line} width={width} />
          <WaveMarker line={line} width={width} />
          <ComparedPlayhead line={line} width={width} />
          <Playhead line={line} width={width} moment={moment} />
        </svg>
      </div>
      {brush === null ? null : (
        <Brush
          line={line}
          width={width}
          brush={brush}
          onZoom={() => {
            props.onZoom(brush);
            setBrush(null);
          }}
          onClear={() => setBrush(null)}
        />
      )}
    </>
  );
}

const Bars = memo(function Bars({
  line,
  width,
  edge,
}: {
  line: Timeline;
  width: number;
  /** The playhead's bucket; later buckets are drawn faint. */
  edge: number;
}) {
  const drawn = useMemo(() => bars(line.buckets, 28), [line]);
  const scale = width / Math.max(1, drawn.length);
  const wide = Math.max(2, Math.min(4, scale - 1.6));
  return (
    <g>
      {drawn.map((bar, at) => (
        <OneBar key={bar.at} bar={bar} x={at * scale + (scale - wide) / 2} wide={wide} later={at > edge} />
      ))}
      <path d={`M0 ${base + 0.5}H${width}`} className="timeline-base" />
    </g>
  );
});

/** Memoised: hundreds of bars, of which a dragged playhead changes a few. */
const OneBar = memo(function OneBar({
  bar,
  x,
  wide,
  later,
}: {
  bar: ReturnType<typeof bars>[number];
  x: number;
  wide: number;
  later: boolean;
}) {
  return (
    <g className={later ? 'timeline-later' : undefined}>
      {bar.writes > 0 ? (
        <rect
          x={x + wide / 2 - 0.6}
          y={7}
          width={1.4}
          height={6}
          className={bar.failed > 0 ? 'tick-failed' : 'tick'}
        />
      ) : null}
      {bar.equal > 0 ? (
        <rect x={x} y={base - bar.equal} width={wide} height={bar.equal} className="bar-equal" />
      ) : null}
      {bar.changed > 0 ? (
        <rect
          x={x}
          y={base - bar.equal - bar.changed}
          width={wide}
          height={bar.changed}
          className="bar-changed"
        />
      ) : null}
      {bar.failed > 0 ? (
        <rect
          x={x}
          y={base - bar.equal - bar.changed - Math.max(2, bar.failed)}
          width={wide}
          height={Math.max(2, bar.failed)}
          className="bar-failed"
        />
      ) : null}
    </g>
  );
});

function Gaps({line, width}: {line: Timeline; width: number}) {
  return (
    <>
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V6" stroke="var(--stale)" strokeWidth="1" opacity="0.7" />
        </pattern>
      </defs>
      {line.gaps.map(gap => {
        const from = xOfTime(line, width, gap.from);
        const to = Math.max(from + 8, xOfTime(line, width, gap.to));
        return (
          <g key={`${gap.from}-${gap.to}`}>
            <title>{gap.text}</title>
            <rect x={from} y={5} width={to - from} height={base - 5} fill="url(#hatch)" className="gap" />
          </g>
        );
      })}
    </>
  );
}

function Flags({line, width}: {line: Timeline; width: number}) {
  const bookmarks = useApp(state => state.bookmarks);
  const scale = width / Math.max(1, line.buckets.length);
  return (
    <>
      {bookmarks.map(one => (
        <path
          key={one.sequence}
          className="flag"
          transform={`translate(${bucketOf(line.buckets, one.sequence) * scale + scale / 2} 3)`}
          d="M-3.5 0h8v8l-4-2.6-4 2.6z"
        />
      ))}
    </>
  );
}
