// What a new engine process is told by itself: what to be, the objects that the one before had, and its recording.
import type {ToHost} from '../link/messages.ts';
import type {Blocks} from './blocks.ts';
import type {Known} from './known.ts';
import type {Objects} from './objects.ts';
import type {EngineOptions} from './options.ts';

/** `resumes`: one before it died, and its objects follow. */
export function startMessage(options: EngineOptions, known: Known, resumes: boolean): ToHost {
  const {name, historyRuns, historyMb, redacted, sources, graph, told} = options;
  return {
    type: 'start',
    options: {
      name,
      recording: known.recording,
      firstSequence: known.sequence,
      historyRuns,
      historyMb,
      redacted,
      sources,
      resumes,
      ...(graph === undefined ? {} : {graph}),
      ...(told === undefined ? {} : {told}),
    },
  };
}

export function openMessage(bytes: Uint8Array, {memoryMb}: EngineOptions): ToHost {
  return {type: 'open', bytes, memoryMb};
}

export function* replayMessages(objects: Objects, blocks: Blocks): Iterable<ToHost> {
  for (const chunk of objects.chunks()) yield {type: 'replay', objects: JSON.stringify(chunk)};
  yield {type: 'replay-end', reports: objects.reports(), rows: blocks.rows};
}

export function* restoreMessages(blocks: Blocks, known: Known): Iterable<ToHost> {
  for (const chunk of blocks.chunks()) yield {type: 'restore', blocks: chunk};
  yield {
    type: 'restore-end',
    gaps: [...known.gaps],
    oldest: known.kept.oldest,
    lives: blocks.lives,
  };
}
