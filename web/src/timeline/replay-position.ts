// Replay: the moment to show after so many milliseconds. Pure; use-replay.ts keeps the time.
import type {Timeline} from '@krtscope/shared/timeline.ts';

export const speeds = [1, 4, 16] as const;
export type ReplaySpeed = (typeof speeds)[number];

/** Real milliseconds of silence that are replayed; longer silence is skipped. */
const maxQuietMs = 1500;

/** The replay's position within a span of fine buckets. */
interface ReplayPosition {
  /** The newest batch settled by then. */
  sequence: number;
  /** The same time, or a later one if a long silence follows. */
  at: number;
  /** The span is over: load the next one. */
  over: boolean;
}

type ReplayRange = Pick<Timeline, 'from' | 'to' | 'buckets'>;

export function replayPositionAt(stretch: ReplayRange, at: number, speed: ReplaySpeed): ReplayPosition {
  const count = stretch.buckets.length;
  const width = (stretch.to - stretch.from) / Math.max(1, count);
  const here = Math.max(0, Math.min(count, Math.floor((at - stretch.from) / width)));
  // A bucket's sequence is the newest at its end, so only finished buckets count.
  const sequence = stretch.buckets[here - 1]?.sequence ?? 0;
  const next = stretch.buckets.findIndex((bucket, i) => i >= here && bucket.sequence > sequence);
  const wait = (next === -1 ? stretch.to : stretch.from + next * width) - at;
  const skipped = wait > maxQuietMs * speed ? at + wait - (maxQuietMs * speed) / 2 : at;
  return {sequence, at: skipped, over: next === -1 && wait <= maxQuietMs * speed};
}
