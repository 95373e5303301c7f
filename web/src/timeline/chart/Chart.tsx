// The Timeline's drawing: root writes, stacked bars, gaps, flags, playhead. A slider for the keyboard.
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {type KeyboardEvent, memo, useMemo} from 'react';
import {useKeys} from '../../app/keys/keys.ts';
import {goLive, goTo, useMoment} from '../../store/navigation.ts';
import {clockText} from '../../ui/text/Age.tsx';
import {BookmarkFlags} from '../bookmarks/BookmarkFlags.tsx';
import type {TimelineRange} from '../Timeline.tsx';
import {Axis, BASELINE_Y as base, ComparedPlayhead, Playhead, WaveMarker} from './Axis.tsx';
import {Brush} from './Brush.tsx';
import {ChartHover} from './ChartHover.tsx';
import {PlayheadArrow, usePlayheadSide} from './PlayheadArrow.tsx';
import {bars, bucketOf, panRange, xOfTime, zoomRange as zoomBy} from './time-scale.ts';
import {useChartPointer} from './use-chart-pointer.ts';
import './chart.css';

const height = 76;

export function Chart(props: {
  line: Timeline;
  width: number;
  zoom: TimelineRange | null;
  onZoom: (zoom: TimelineRange | null) => void;
  onStep: (by: number) => void;
  /** The time of the oldest moment on disk. */
  oldest: number;
}) {
  const {line, width} = props;
  const {moment, live} = useMoment();
  const {brush, clearBrush, hover, handlers} = useChartPointer({
    line,
    width,
    moment,
    oldest: props.oldest,
    onZoom: props.onZoom,
  });
  const outside = usePlayheadSide(line, moment);
  const edge = moment === null ? Number.POSITIVE_INFINITY : bucketOf(line.buckets, moment);
  const around = moment === null ? line.to : (line.buckets[bucketOf(line.buckets, moment)]?.at ?? line.to);
  const zoom = (factor: number) => props.onZoom(zoomBy(line, factor, around));
  const keys: Record<string, {says: string; group: 'Timeline'; run: () => void}> = {
    ArrowLeft: {says: 'previous event', group: 'Timeline', run: () => props.onStep(-1)},
    ArrowRight: {says: 'next event', group: 'Timeline', run: () => props.onStep(1)},
    PageUp: {says: '20 events back', group: 'Timeline', run: () => props.onStep(-20)},
    PageDown: {says: '20 events on', group: 'Timeline', run: () => props.onStep(20)},
    Home: {says: 'oldest moment', group: 'Timeline', run: () => goTo(line.kept.oldest)},
    End: {says: 'live', group: 'Timeline', run: goLive},
    w: {says: 'zoom in', group: 'Timeline', run: () => zoom(0.5)},
    s: {says: 'zoom out', group: 'Timeline', run: () => zoom(2)},
    a: {says: 'earlier', group: 'Timeline', run: () => props.onZoom(panRange(line, -0.25))},
    d: {says: 'later', group: 'Timeline', run: () => props.onZoom(panRange(line, 0.25))},
  };
  useKeys(keys, true, 'focus');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === 'End')) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action === undefined) return;
    action.run();
    event.preventDefault();
    event.stopPropagation();
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
        {...handlers}
        onKeyDown={onKeyDown}
      >
        <svg width={width} height={height} aria-hidden="true">
          <Gaps line={line} width={width} />
          <Bars line={line} width={width} edge={edge} />
          <Axis line={line} width={width} moment={moment} />
          <WaveMarker line={line} width={width} />
          <ComparedPlayhead line={line} width={width} />
          {outside === null ? <Playhead line={line} width={width} moment={moment} /> : null}
        </svg>
      </div>
      <BookmarkFlags line={line} width={width} />
      {outside === null ? null : <PlayheadArrow line={line} {...outside} onZoom={props.onZoom} />}
      {hover === null ? null : <ChartHover line={line} width={width} x={hover} />}
      {brush === null ? null : (
        <Brush
          line={line}
          width={width}
          brush={brush}
          onZoom={() => {
            props.onZoom(brush);
            clearBrush();
          }}
          onClear={clearBrush}
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
