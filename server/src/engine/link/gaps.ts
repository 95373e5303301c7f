// Times that are missing from a recording. A cluster that is away every minute has a thousand in a day, and who opens the
// timeline after a month does not want them all.
import type {TimelineGap} from '@krtscope/shared/timeline.ts';

const MOST = 1000;

/** The oldest go. */
export function noteGap(gaps: TimelineGap[], gap: TimelineGap): void {
  gaps.push(gap);
  if (gaps.length > MOST) gaps.splice(0, gaps.length - MOST);
}
