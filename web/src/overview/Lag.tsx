// Lag: from a received change to its settled batch, over the last minute.
import type {Stats} from '@krtscope/shared/timeline.ts';
import {useLastAnswer, useSubscription} from '../stream/use-subscription.ts';
import './lag.css';

export function Lag() {
  const lag = useLastAnswer(useSubscription({ask: 'stats'}))?.lag;
  return (
    <section className="lag" aria-label="Lag">
      <header className="lag-head row gap-8">
        <h2 className="panel-title">Lag</h2>
        <span className="panel-note">input-to-output latency, 1 min</span>
      </header>
      <div className="lag-numbers">
        <Figure value={lag?.p50} which="p50" />
        <Figure value={lag?.p99} which="p99" />
        <span className="lag-target">target 50 ms</span>
      </div>
      <Histogram lag={lag} />
    </section>
  );
}

function Figure({value, which}: {value: number | undefined; which: string}) {
  const slow = value !== undefined && value >= 1000;
  const shown = slow ? value / 1000 : value;
  const text = shown === undefined ? '–' : shown < 10 ? shown.toFixed(1) : String(Math.round(shown));
  return (
    <span className="figure-pair">
      <span className="figure">{text}</span> {slow ? 's' : 'ms'} {which}
    </span>
  );
}

const width = 300;
const height = 40;

function Histogram({lag}: {lag: Stats['lag'] | undefined}) {
  const buckets = trimEmptyBuckets(lag?.histogram ?? []);
  const top = Math.max(1, ...buckets.map(one => Math.sqrt(one.count)));
  const step = width / Math.max(1, buckets.length);
  const labels =
    buckets.length < 2 ? [] : [0, 0.25, 0.5, 0.75, 1].map(share => Math.round(share * (buckets.length - 1)));
  return (
    <svg
      className="histogram"
      viewBox={`0 0 ${width} ${height + 14}`}
      role="img"
      aria-label={describeLag(lag)}
    >
      {buckets.map((bucket, at) => {
        const tall = bucket.count === 0 ? 0.8 : Math.max(2, (Math.sqrt(bucket.count) / top) * height);
        const from = at === 0 ? 0 : buckets[at - 1]!.upTo;
        const slow = lag !== undefined && bucket.count > 0 && from >= Math.max(lag.p99 ?? 0, 0.01);
        return (
          <rect
            key={bucket.upTo}
            x={at * step + 0.75}
            y={height - tall}
            width={Math.max(1, step - 1.5)}
            height={tall}
            className={slow ? 'lag-slow' : 'lag-bar'}
          />
        );
      })}
      <path d={`M0 ${height + 0.5}H${width}`} className="lag-base" />
      {[...new Set(labels)].map((at, position, list) => (
        <text
          key={at}
          x={position === 0 ? 0 : position === list.length - 1 ? width : at * step + step / 2}
          y={height + 12}
          textAnchor={position === 0 ? 'start' : position === list.length - 1 ? 'end' : 'middle'}
        >
          {bucketLabel(buckets[at]!.upTo)}
          {position === list.length - 1 ? ' ms' : ''}
        </text>
      ))}
    </svg>
  );
}

/** The scale ends at the slowest batch, and at 100 ms at least. */
function trimEmptyBuckets(buckets: Stats['lag']['histogram']): Stats['lag']['histogram'] {
  const last = buckets.findLastIndex(one => one.count > 0);
  const calm = buckets.findIndex(one => one.upTo >= 100);
  return calm < 0 ? buckets : buckets.slice(0, Math.max(last, calm) + 1);
}

function bucketLabel(value: number): string {
  if (!Number.isFinite(value)) return '∞';
  return value < 1
    ? value.toFixed(1)
    : value < 10
      ? value.toFixed(1).replace(/\.0$/, '')
      : String(Math.round(value));
}

function describeLag(lag: Stats['lag'] | undefined): string {
  if (lag?.p50 === undefined || lag.p99 === undefined) return 'No batch in the last minute';
  return `Half of the batches settle within ${bucketLabel(lag.p50)} ms, 99 of 100 within ${bucketLabel(lag.p99)} ms`;
}
