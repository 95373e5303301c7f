// The Timeline's labels and playhead: times, gaps, the moment on screen. Labels never overlap.
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {useMoment, useParam} from '../../store/navigation.ts';
import {useMomentTime} from '../../stream/moment-clock.ts';
import {clockText} from '../../ui/text/Age.tsx';
import {useWavePlayback} from '../../why/wave-playback.ts';
import {bucketOf, dropOverlapping, ticks, xOfTime} from './time-scale.ts';
import './axis.css';

/** The area of the bars. */
export const BASELINE_Y = 51;
const CHAR_WIDTH = 6.1;

/** The playhead's label has priority, then gaps, then round times, so that labels never overlap. */
export function Axis({line, width, moment}: {line: Timeline; width: number; moment: number | null}) {
  const {times, seconds, days} = ticks(line, width);
  const head = playheadAt(line, width, moment);
  const texts = dropOverlapping(
    [
      {kind: 'head', id: 'head', x: head.x, wide: head.wide, text: ''},
      ...line.gaps.map(gap => {
        const text = shortGap(gap.text);
        const from = xOfTime(line, width, gap.from);
        const wide = text.length * CHAR_WIDTH;
        const middle = (from + Math.max(from + 8, xOfTime(line, width, gap.to))) / 2;
        const x = Math.max(wide / 2, Math.min(width - wide / 2, middle));
        return {kind: 'gap', id: `${gap.from}-${gap.to}`, x, wide, text};
      }),
      ...times.map(at => ({
        kind: 'time',
        id: String(at),
        x: xOfTime(line, width, at),
        wide: (seconds ? 8 : days ? 12 : 5) * CHAR_WIDTH,
        text: days ? dayText(at) : clockText(at).slice(0, seconds ? 8 : 5),
      })),
    ],
    width,
  );
  return (
    <g className="timeline-axis">
      {texts
        .filter(one => one.kind !== 'head')
        .map(one => (
          <text
            key={one.id}
            x={one.x}
            y={66}
            textAnchor="middle"
            className={one.kind === 'gap' ? 'gap-text' : ''}
          >
            {one.text}
          </text>
        ))}
    </g>
  );
}

/** `Nov 17 14:00` */
function dayText(at: number): string {
  const day = new Date(at).toLocaleDateString('en', {month: 'short', day: 'numeric'});
  return `${day} ${clockText(at).slice(0, 5)}`;
}

/** A gap in a few words; its tooltip has the whole sentence. */
function shortGap(text: string): string {
  const [first = text] = text.split(/[;:(]/);
  return first.length > 26 ? `${first.slice(0, 25).trimEnd()}…` : first.trim();
}

/** The batch of the wave on screen, while the wave plays. */
export function WaveMarker({line, width}: {line: Timeline; width: number}) {
  const sequence = useWavePlayback(state => state.sequence);
  if (sequence === null) return null;
  const scale = width / Math.max(1, line.buckets.length);
  const x = bucketOf(line.buckets, sequence) * scale + scale / 2;
  return (
    <g className="played-turn">
      <rect x={x - 5} y={3} width={10} height={BASELINE_Y - 3} rx={2} />
      <title>The wave of #{sequence} is played</title>
    </g>
  );
}

/** The other moment of a comparison: a hollow playhead. */
export function ComparedPlayhead({line, width}: {line: Timeline; width: number}) {
  const [text] = useParam('vs');
  const {moment} = useMoment();
  if (text === null || moment === null || !/^\d+$/.test(text)) return null;
  const x = playheadX(line, width, Number(text));
  return (
    <g className="other-head">
      <title>Compared with #{text}</title>
      <path d={`M${x} 2V${BASELINE_Y}`} />
      <path d={`M${x - 4} 1h8v6l-4 4-4-4z`} className="other-handle" />
    </g>
  );
}

/** The playhead's position and label; live, the word at the right edge. */
function playheadAt(line: Timeline, width: number, moment: number | null, time: number | null = null) {
  const scale = width / Math.max(1, line.buckets.length);
  if (moment === null) return {line: width - 6, x: width - 14, wide: 28, label: 'now'};
  const at = bucketOf(line.buckets, moment);
  // A bar covers seconds, so show the moment's exact time once it is known.
  const label = `#${moment} ${clockText(time ?? line.buckets[at]?.at ?? line.to)}`;
  const wide = label.length * 6.3 + 12;
  const middle = at * scale + scale / 2;
  return {line: middle, x: Math.max(wide / 2, Math.min(width - wide / 2, middle)), wide, label};
}

/** The position of the playhead's line. */
export function playheadX(line: Timeline, width: number, moment: number | null): number {
  return playheadAt(line, width, moment).line;
}

export function Playhead({line, width, moment}: {line: Timeline; width: number; moment: number | null}) {
  const {line: x, x: middle, wide, label} = playheadAt(line, width, moment, useMomentTime(moment));
  return (
    <g className="playhead">
      <path d={`M${x} 2V${BASELINE_Y}`} />
      <path d={`M${x - 4} 1h8v6l-4 4-4-4z`} className="playhead-handle" />
      {moment === null ? (
        <text x={width - 2} y={66} textAnchor="end" className="playhead-now">
          {label}
        </text>
      ) : (
        <>
          <rect x={middle - wide / 2} y={54.5} width={wide} height={17} rx={4} className="playhead-box" />
          <text x={middle} y={67} textAnchor="middle" className="playhead-time">
            {label}
          </text>
        </>
      )}
    </g>
  );
}
