// The arrow at the chart's edge while the moment on screen lies outside the zoomed range. A click moves the range there.
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {useMomentTime} from '../../stream/moment-clock.ts';
import {clockText} from '../../ui/text/Age.tsx';
import type {TimelineRange} from '../Timeline.tsx';
import './playhead-arrow.css';

interface PlayheadSide {
  moment: number;
  time: number;
  side: 'left' | 'right';
}

/** Where the moment lies if it is outside the range; null inside it, and while its time is unknown. */
export function usePlayheadSide(line: Timeline, moment: number | null): PlayheadSide | null {
  const time = useMomentTime(moment);
  if (moment === null || time === null) return null;
  if (time < line.from) return {moment, time, side: 'left'};
  return time > line.to ? {moment, time, side: 'right'} : null;
}

export function PlayheadArrow({
  line,
  moment,
  time,
  side,
  onZoom,
}: PlayheadSide & {line: Timeline; onZoom: (zoom: TimelineRange) => void}) {
  const half = Math.round((line.to - line.from) / 2);
  const words = `#${moment} ${clockText(time)}`;
  return (
    <button
      type="button"
      className={`playhead-arrow playhead-arrow-${side} bare-button mono`}
      aria-label={`Show moment ${words}, ${side} of this range`}
      title={`Show moment ${words}`}
      onClick={() => onZoom({from: Math.round(time) - half, to: Math.round(time) + half})}
    >
      {side === 'left' ? `◂ ${words}` : `${words} ▸`}
    </button>
  );
}
