// The Timeline as one line for narrow windows: live or paused, a sparkline, the time. A tap opens the full one.
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {formatMilliseconds} from '../app/shell/StatusBar.tsx';
import {useNarrow} from '../app/use-narrow.ts';
import {openOverlay} from '../store/app.ts';
import {goLive, pause, useMoment} from '../store/navigation.ts';
import {useConnection} from '../stream/server-connection.ts';
import {useSubscription} from '../stream/use-subscription.ts';
import {IconButton} from '../ui/controls/Button.tsx';
import {Kbd} from '../ui/controls/Kbd.tsx';
import {clockText, useServerNow} from '../ui/text/Age.tsx';
import {bars, bucketOf} from './chart/time-scale.ts';
import {retainedSpanText} from './Retention.tsx';
import './narrow-timeline.css';

export function NarrowTimeline({line, onOpen}: {line: Timeline | undefined; onOpen: () => void}) {
  const {moment, live} = useMoment();
  const now = useServerNow();
  const drawn = bars(line?.buckets ?? [], 12);
  const wide = 320;
  const scale = wide / Math.max(1, drawn.length);
  const at = moment === null || line === undefined ? null : bucketOf(line.buckets, moment);
  return (
    <section className="timeline-narrow" aria-label="Timeline">
      <IconButton
        icon={live ? 'pause' : 'play'}
        label={live ? 'Pause' : 'Back to live'}
        onClick={live ? pause : goLive}
      />
      <button
        type="button"
        className="timeline-spark bare-button"
        aria-label="Open the Timeline"
        onClick={onOpen}
      >
        <svg
          width={wide}
          height={18}
          viewBox={`0 0 ${wide} 18`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {drawn.map((bar, position) => {
            const tall = Math.max(1, bar.equal + bar.changed + bar.failed);
            return (
              <rect
                key={bar.at}
                x={position * scale}
                y={17 - tall}
                width={Math.max(1, scale - 1)}
                height={tall}
                className="bar-equal"
              />
            );
          })}
          <path className="playhead-line" d={`M${at === null ? wide - 1 : at * scale} 0V18`} />
        </svg>
      </button>
      <span className="mono">{clockText(at === null ? now : (line?.buckets[at]?.at ?? now))}</span>
      <span className="timeline-kept-short">kept {retainedSpanText(line?.kept, now)}</span>
      <NarrowFacts />
    </section>
  );
}

/** The status bar's text, which has no room on narrow pages. */
function NarrowFacts() {
  const narrow = useNarrow();
  const {answer} = useSubscription(narrow ? {ask: 'stats', at: undefined} : null);
  const redacted = useConnection(link => link.session?.redacted);
  if (!narrow) return null;
  return (
    <>
      {answer?.recorderCost === undefined ? null : (
        <span className="timeline-recorder">
          recording {formatMilliseconds(answer.recorderCost)} a second
        </span>
      )}
      <span>{redacted === false ? 'secrets shown' : 'read-only'}</span>
      <button
        type="button"
        className="status-button inline-row bare-button gap-6"
        title="Shortcuts"
        onClick={() => openOverlay('shortcuts')}
      >
        <Kbd keys="?" />
        <span className="visually-hidden">Shortcuts</span>
      </button>
    </>
  );
}
