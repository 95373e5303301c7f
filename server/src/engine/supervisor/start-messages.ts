// The first messages to a new engine process: its role, the previous process's objects, and the recording.
import type {StartOptions, ToHost} from '../link/host-messages.ts';
import type {ReplayLog} from './changes/replay-log.ts';
import type {EngineProcessSettings} from './engine-options.ts';
import type {RecordingBlocks} from './recording/recording-blocks.ts';
import type {RecordingIndex} from './recording/recording-index.ts';

/** `resumes` says that a previous process died and its objects follow. */
export function createStartMessage(
  options: EngineProcessSettings,
  index: RecordingIndex,
  resumes: boolean,
): Extract<ToHost, {type: 'start'}> {
  const {name, historyRuns, historyMb, redacted, sources, graph, told, onSpans} = options;
  return {
    type: 'start',
    options: {
      name,
      recording: index.recording,
      firstSequence: index.sequence,
      historyRuns,
      historyMb,
      redacted,
      sources,
      resumes,
      graph,
      told,
      spans: onSpans !== undefined,
    },
  };
}

/** Enough to look at the last batches. A copy keeps no history. */
const COPY_HISTORY = {historyRuns: 2000, historyMb: 16};

/** The start of a copy for What if, over these sources. */
export function createCopyMessage(options: StartOptions): ToHost {
  return {type: 'start', options: {...options, ...COPY_HISTORY, resumes: true, copy: true, spans: false}};
}

export function createOpenMessage(bytes: Uint8Array, {memoryMb}: EngineProcessSettings): ToHost {
  return {type: 'open', bytes, memoryMb};
}

export function* replayMessages(objects: ReplayLog, blocks: RecordingBlocks): Iterable<ToHost> {
  for (const chunk of objects.chunks()) yield {type: 'replay', objects: JSON.stringify(chunk)};
  const {rows, collectionHistory} = blocks;
  yield {type: 'replay-end', reports: objects.reports(), rows, lives: collectionHistory};
}

export function* restoreMessages(blocks: RecordingBlocks, index: RecordingIndex): Iterable<ToHost> {
  for (const chunk of blocks.chunks()) yield {type: 'restore', blocks: chunk};
  yield {type: 'restore-end', gaps: [...index.gaps], oldest: index.kept.oldest};
}
