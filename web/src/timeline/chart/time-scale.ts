// The Timeline's arithmetic: buckets to bars, moments to pixels and back, axis ticks. Pure.
import type {Bucket, Timeline} from '@krtscope/shared/timeline.ts';

export const barStep = 6;

interface TimelineBar {
  x: number;
  sequence: number;
  at: number;
  equal: number;
  changed: number;
  failed: number;
  writes: number;
}

/** Cuts the scale: a cluster's first list is so large that later bars would look flat. */
function scaleTop(totals: number[]): number {
  const busy = totals.filter(total => total > 0).sort((a, b) => a - b);
  const usual = busy[Math.floor((busy.length - 1) * 0.95)] ?? 1;
  return Math.max(4, Math.min(busy.at(-1) ?? 1, usual * 1.6));
}

/** Heights of one bar's three parts. */
export function bars(buckets: Bucket[], height: number): TimelineBar[] {
  const totals = buckets.map(one => one.equal + one.changed + one.failed);
  const top = scaleTop(totals) ** 0.7;
  return buckets.map((one, at) => {
    const total = totals[at]!;
    const tall = total === 0 ? 0 : Math.max(2, Math.min(1, total ** 0.7 / top) * height);
    const part = (count: number) => (total === 0 ? 0 : (count / total) * tall);
    return {
      x: at * barStep,
      sequence: one.sequence,
      at: one.at,
      equal: part(one.equal),
      changed: part(one.changed),
      failed: part(one.failed),
      writes: one.writes,
    };
  });
}

/**
 * The bucket in which a batch ran. A bucket's sequence is the newest at its end, so take the first that reached
 * it.
 */
export function bucketOf(buckets: Bucket[], sequence: number): number {
  let low = 0;
  let high = Math.max(0, buckets.length - 1);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (buckets[middle]!.sequence >= sequence) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function xOfTime(line: {from: number; to: number}, width: number, at: number): number {
  if (line.to <= line.from) return width;
  return Math.max(0, Math.min(width, ((at - line.from) / (line.to - line.from)) * width));
}

export function timeAtX(line: {from: number; to: number}, width: number, x: number): number {
  return line.from + (Math.max(0, Math.min(width, x)) / Math.max(1, width)) * (line.to - line.from);
}

/** The sequence under a pointer: the bucket's newest batch; null right of the last bucket (live). */
export function sequenceAtX(line: Timeline, width: number, x: number): number | null {
  const count = line.buckets.length;
  if (count === 0) return null;
  const at = Math.floor((Math.max(0, x) / Math.max(1, width)) * count);
  if (at >= count - 1) return null;
  return Math.max(line.kept.oldest, Math.min(line.kept.newest, line.buckets[at]!.sequence));
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400].map(
  s => s * 1000,
);
const DAY = 86_400_000;

/** Round times, about one label every 110 px. `seconds` or `days` if labels would repeat without them. */
export function ticks(
  line: {from: number; to: number},
  width: number,
): {times: number[]; seconds: boolean; days: boolean} {
  const span = line.to - line.from;
  if (span <= 0 || width <= 0) return {times: [], seconds: false, days: false};
  const minimumStep = (span / width) * 110;
  const step = steps.find(one => one >= minimumStep) ?? steps.at(-1)!;
  const times: number[] = [];
  for (let at = Math.ceil(line.from / step) * step; at < line.to; at += step) times.push(at);
  return {times, seconds: step < 60_000, days: span > DAY};
}

interface AxisText {
  /** The centre of the text and its width. */
  x: number;
  wide: number;
}

/** The texts that fit on the axis, by priority: a text that would touch another one is left out. */
export function dropOverlapping<T extends AxisText>(texts: readonly T[], width: number): T[] {
  const placed: T[] = [];
  for (const text of texts) {
    const half = text.wide / 2;
    const inside = text.x - half >= 0 && text.x + half <= width;
    if (inside && placed.every(other => Math.abs(other.x - text.x) >= half + other.wide / 2 + 8))
      placed.push(text);
  }
  return placed;
}

/** Zooms by a factor around a time, to one second at least. */
export function zoomRange(
  line: {from: number; to: number},
  factor: number,
  around: number,
): {from: number; to: number} {
  const span = Math.max(1000, (line.to - line.from) * factor);
  const share = (around - line.from) / Math.max(1, line.to - line.from);
  return {from: Math.round(around - share * span), to: Math.round(around + (1 - share) * span)};
}

export function panRange(line: {from: number; to: number}, share: number): {from: number; to: number} {
  const by = Math.round((line.to - line.from) * share);
  return {from: line.from + by, to: line.to + by};
}

/** Totals of a span of buckets. */
export function sumBuckets(buckets: Bucket[], from: number, to: number) {
  const inside = buckets.filter(one => one.at >= from && one.at <= to);
  const add = (pick: (bucket: Bucket) => number) => inside.reduce((total, one) => total + pick(one), 0);
  return {
    runs: add(one => one.changed + one.equal + one.failed),
    changed: add(one => one.changed),
    failed: add(one => one.failed),
    writes: add(one => one.writes),
    first: inside[0]?.sequence ?? null,
    last: inside.at(-1)?.sequence ?? null,
  };
}

/**
 * Whether a moment lies in the drawn range. At the end of the range its sequence decides, because the time of a
 * bookmark is exact to a second only.
 */
export function isInRange(
  {from, buckets}: Timeline,
  {sequence, at}: {sequence: number; at: number},
): boolean {
  const first = buckets[0]?.sequence ?? 0;
  const last = buckets.at(-1)?.sequence ?? 0;
  return sequence <= last && (sequence > first || at >= from);
}
