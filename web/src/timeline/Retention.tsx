// What the recording keeps and how full it is.
import type {RetainedHistory, Timeline} from '@krtscope/shared/timeline.ts';
import {useMoment} from '../store/navigation.ts';
import {useMomentTime} from '../stream/moment-clock.ts';
import {useConnection} from '../stream/server-connection.ts';
import {StateGlyph} from '../ui/indicators/outcome-state.tsx';
import {ageText, clockText, useServerNow} from '../ui/text/Age.tsx';
import './retention.css';

export function Retention({line}: {line: Timeline | undefined}) {
  const {moment} = useMoment();
  return moment === null ? <RecordingUsage line={line} /> : <MomentDistance line={line} moment={moment} />;
}

/** Paused: the moment on screen, the newest one, and the time between them. */
function MomentDistance({line, moment}: {line: Timeline | undefined; moment: number}) {
  const now = useServerNow();
  const then = useMomentTime(moment);
  const newest = useConnection(link => Math.max(link.sequence, line?.kept.newest ?? 0));
  return (
    <div className="timeline-kept column">
      <div className="timeline-apart">
        <span>then</span>
        <span className="mono">
          #{moment} {then === null ? '' : clockText(then)}
        </span>
      </div>
      <div className="timeline-apart">
        <span>now</span>
        <span className="mono">
          #{newest} {clockText(now)}
        </span>
      </div>
      <div>
        {then === null ? '…' : ageText(now - then)} apart, kept {retainedSpanText(line?.kept, now)}
      </div>
    </div>
  );
}

function RecordingUsage({line}: {line: Timeline | undefined}) {
  const now = useServerNow();
  const kept = line?.kept;
  const megabytes = kept === undefined ? 0 : kept.bytes / 1e6;
  const limit = kept?.limits.megabytes ?? 64;
  const share =
    kept === undefined ? 0 : Math.max(megabytes / limit, kept.runs / Math.max(1, kept.limits.runs));
  return (
    <div className="timeline-kept column">
      <div className="timeline-legend">
        <span>
          <StateGlyph tone="changed" size={8} /> changed
        </span>
        <span>
          <StateGlyph tone="noop" size={8} /> equal
        </span>
        <span>
          <StateGlyph tone="error" size={8} /> failed
        </span>
      </div>
      <div title="The oldest runs roll off when either limit is reached; start with --history-runs or --history-mb to keep more">
        kept {retainedSpanText(kept, now)} / {shortCount(kept?.runs ?? 0)} of{' '}
        {shortCount(kept?.limits.runs ?? 0)} runs
      </div>
      <div className="row gap-8">
        <meter
          className="visually-hidden"
          min={0}
          max={1}
          value={Math.min(1, share)}
          aria-label="Recording used"
        />
        <span className="timeline-meter" aria-hidden="true">
          <span style={{width: `${Math.min(100, share * 100)}%`}} />
        </span>
        {megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes)} of {limit} MB
      </div>
    </div>
  );
}

/** How far back the recording goes: `12 min`. */
export function retainedSpanText(kept: RetainedHistory | undefined, now: number): string {
  if (kept === undefined) return '…';
  return kept.since === 0 ? 'nothing yet' : ageText(now - kept.since);
}

/** A short count: `812`, `4.1k`, `50k`. */
function shortCount(count: number): string {
  if (count < 1000) return String(count);
  const thousands = count / 1000;
  return `${thousands < 10 ? thousands.toFixed(1).replace(/\.0$/, '') : Math.round(thousands)}k`;
}
