import type {TimelineGap} from '@krtscope/shared/timeline.ts';
import type {PastStates} from '../../../history/past-states.ts';
import type {Recording} from '../../../history/recording.ts';
import type {CollectionHistory} from './collection-history.ts';

/** The past that the engine process answers from. A restore replaces `recording` and `past`. */
export interface HostHistory {
  recording: Recording;
  past: PastStates;
  readonly gaps: TimelineGap[];
  /** The time span of each collection, and when it became synced. */
  readonly collections: CollectionHistory;
  readonly limits: {runs: number; megabytes: number};
}
