// The card at the pointer: time, batches, writers and runs of the bar under it.
import type {Timeline} from '@krtscope/shared/timeline.ts';
import {useLastAnswer, useSubscription} from '../../stream/use-subscription.ts';
import {clockText} from '../../ui/text/Age.tsx';
import {plural} from '../../ui/text/plural.ts';
import './chart-hover.css';

const CARD_WIDTH = 280;

export function ChartHover({line, width, x}: {line: Timeline; width: number; x: number}) {
  const stats = useLastAnswer(useSubscription({ask: 'stats'}));
  const count = line.buckets.length;
  const at = Math.max(0, Math.min(count - 1, Math.floor((x / Math.max(1, width)) * count)));
  const bucket = line.buckets[at];
  if (bucket === undefined) return null;
  const end = line.buckets[at + 1]?.at ?? line.to;
  const first = (line.buckets[at - 1]?.sequence ?? bucket.sequence - 1) + 1;
  const writers = (stats?.writes ?? [])
    .filter(write => write.at >= bucket.at && write.at < end)
    .map(write => write.writer?.manager ?? 'unknown writer');
  const runs = bucket.changed + bucket.equal + bucket.failed;
  return (
    <div
      className="chart-hover"
      role="tooltip"
      style={{left: Math.max(0, Math.min(width - CARD_WIDTH, x - CARD_WIDTH / 2)), width: CARD_WIDTH}}
    >
      <p className="chart-hover-time mono">
        {clockText(bucket.at)}
        {first > bucket.sequence ? null : (
          <span>{first === bucket.sequence ? `#${first}` : `#${first} to #${bucket.sequence}`}</span>
        )}
      </p>
      {bucket.writes > 0 ? (
        <p>
          {plural(bucket.writes, 'write')}
          {writers.length > 0 ? ` by ${[...new Set(writers)].slice(0, 3).join(', ')}` : ''}
        </p>
      ) : null}
      <p>
        {runs === 0
          ? 'No runs'
          : `${plural(runs, 'run')}: ${bucket.changed} changed, ${bucket.equal} equal, ${bucket.failed} failed`}
      </p>
      <p className="chart-hover-help">Drag to select a range. Drag the ruler to move. Wheel to zoom.</p>
    </div>
  );
}
