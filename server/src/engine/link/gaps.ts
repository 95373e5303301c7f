// Times that are missing from a recording. A cluster that is away every minute has a thousand in a day, and who opens the
// timeline after a month does not want them all.
import type {TimelineGap} from '@krtscope/shared/timeline.ts';

const MAX_GAPS = 1000;

/** The oldest go. */
export function noteGap(gaps: TimelineGap[], gap: TimelineGap): void {
  gaps.push(gap);
  if (gaps.length > MAX_GAPS) gaps.splice(0, gaps.length - MAX_GAPS);
}
