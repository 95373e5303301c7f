// What main knows about the recording without reading it. It survives every engine process.
import {randomUUID} from 'node:crypto';
import type {RetainedHistory, TimelineGap} from '@krtscope/shared/timeline.ts';
import type {RecordedSession} from '../../link/engine-link.ts';
import {noteGap} from '../../link/gaps.ts';
import type {FromHost} from '../../link/host-messages.ts';
import type {EarlierRecording} from '../../link/recording-archive.ts';
import type {EngineProcessSettings} from '../engine-options.ts';

export class RecordingIndex {
  recording: string;
  redacted: boolean;
  session: RecordedSession;
  /** The newest batch that main has published. */
  sequence: number;
  kept: RetainedHistory;
  readonly gaps: TimelineGap[] = [];

  constructor(options: EngineProcessSettings) {
    this.recording = options.recording ?? randomUUID();
    this.redacted = options.redacted;
    this.session = options.session ?? {name: options.name};
    this.sequence = options.firstSequence ?? 0;
    const {historyRuns: runs, historyMb: megabytes} = options;
    const newest = this.sequence;
    this.kept = {runs: 0, bytes: 0, oldest: newest, newest, since: Date.now(), limits: {runs, megabytes}};
  }

  /** Takes the description in a file's header. */
  readHeader({recording, redacted, kept, session, gaps}: Extract<FromHost, {type: 'opened'}>): void {
    this.recording = recording;
    this.redacted = redacted;
    this.kept = kept;
    this.session = session;
    this.gaps.splice(0, this.gaps.length, ...gaps);
  }

  /** Goes on with the recording of an earlier process of krtscope. */
  resume({recording, sequence, kept, gaps}: EarlierRecording): void {
    this.recording = recording;
    this.sequence = Math.max(this.sequence, sequence);
    this.kept = {...kept, limits: this.kept.limits};
    this.gaps.splice(0, this.gaps.length, ...gaps);
  }

  /** The engine process was away, or left something out. */
  addEngineGap(from: number, to: number, text: string): TimelineGap {
    const gap: TimelineGap = {kind: 'engine', from, to, sequence: this.sequence, text};
    this.addGap(gap);
    return gap;
  }

  addGap(gap: TimelineGap): void {
    noteGap(this.gaps, gap);
  }
}
