// A recording on disk with blocks of a given age and size, for tests of limits and failing disks.
import {packBlocks} from '../engine/link/block-packing.ts';
import {RecordingFileWriter} from '../history/file/recording-file.ts';
import type {ArchiveEntry, StoredRecordingFacts} from './archive-entries.ts';
import type {OpenRecordings} from './open-recordings.ts';

export const DAY_MS = 86_400_000;

export const factsFor = (recording: string, identity = recording): StoredRecordingFacts => ({
  recording,
  identity,
  kind: 'live',
  session: {name: recording},
  redacted: true,
  begun: 0,
});

/** One batch. Its bytes do not compress. */
export function batchEntry(sequence: number, at: number, bytes = 2000): ArchiveEntry {
  const content = Buffer.alloc(bytes);
  let state = sequence + 1;
  for (let i = 0; i < bytes; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    content[i] = state >>> 8;
  }
  return {
    type: 'settled',
    batches: {
      sequence,
      at,
      through: sequence,
      blocks: packBlocks([{sequence, bytes: Uint8Array.from(content)}]),
      rows: [],
      tallies: [[Math.floor(at / 1000), sequence, 1, 0, 0, 1, 0]],
    },
  };
}

/** Writes batches at equal distances, and a snapshot after every tenth. */
export function fillRecording(
  recordings: OpenRecordings,
  recording: string,
  {from, to, batches, bytes = 2000}: {from: number; to: number; batches: number; bytes?: number},
): void {
  recordings.begin(factsFor(recording));
  const writer = recordings.writer(recording)?.writer;
  for (let n = 1; n <= batches; n++) {
    const at = from + ((to - from) * n) / batches;
    writer?.append([batchEntry(n, at, bytes)]);
    if (n % 10 > 0) continue;
    const file = new RecordingFileWriter();
    file.facts({collections: []});
    const header = {recording, redacted: true, written: at, newest: n, oldest: n};
    writer?.snapshot({file: file.end(header), olderBlocks: [], rows: [], lives: '{}', reports: []}, at);
  }
}
