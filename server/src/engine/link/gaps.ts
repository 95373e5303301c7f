// Time ranges that are missing from a recording. Only the newest are kept: an unstable cluster has a thousand gaps in
// a day.
import type {TimelineGap} from '@krtscope/shared/timeline.ts';

const MAX_GAPS = 1000;

/** Drops the oldest gaps. */
export function noteGap(gaps: TimelineGap[], gap: TimelineGap): void {
  gaps.push(gap);
  if (gaps.length > MAX_GAPS) gaps.splice(0, gaps.length - MAX_GAPS);
}
