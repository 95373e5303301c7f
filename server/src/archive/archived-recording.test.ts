import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {packBlocks} from '../engine/link/block-packing.ts';
import {RecordingFileWriter} from '../history/file/recording-file.ts';
import {HistoryArchive} from './history-archive.ts';
import {factsFor} from './testing-recording.ts';

let folder: string;
let archive: HistoryArchive;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'krtscope-archived-'));
  archive = new HistoryArchive({folder, limits: {days: 7, bytes: 2 ** 30}, memoryMb: 256, log: () => {}});
  vi.useFakeTimers({toFake: ['performance']});
});

afterEach(async () => {
  vi.useRealTimers();
  await archive.stop();
  rmSync(folder, {recursive: true, force: true});
});

const snapshotAt = (newest: number) => {
  const file = new RecordingFileWriter();
  file.facts({collections: []});
  const header = {recording: 'a', redacted: true, written: 0, newest, oldest: newest};
  return {file: file.end(header), olderBlocks: [], rows: [], lives: '{}', reports: []};
};

test('a snapshot for a question does not put off the next one', async () => {
  const begun = await archive.begin(factsFor('a'), () => {});
  if ('writer' in begun) throw new Error('nothing else writes here');
  const recording = begun.archive;
  const settle = (sequence: number, runs: number) =>
    recording.settled({
      sequence,
      at: sequence,
      through: sequence,
      blocks: packBlocks([{sequence, bytes: Uint8Array.of(1)}]),
      rows: [],
      tallies: [[sequence, sequence, runs, 0, 0, 1, 0]],
    });
  settle(1, 10);
  expect(recording.isSnapshotDue).toBe(false);
  // After ten quiet minutes a question about a moment arrives.
  vi.advanceTimersByTime(600_000);
  recording.snapshot(snapshotAt(1), 100);
  settle(2, 30_000);
  // A hundred milliseconds are to be at most 1/200 of the time.
  expect(recording.isSnapshotDue).toBe(false);
  vi.advanceTimersByTime(20_000);
  expect(recording.isSnapshotDue).toBe(true);
  recording.snapshot(snapshotAt(2), 100);
  vi.advanceTimersByTime(60_000);
  expect(recording.isSnapshotDue).toBe(false);
  settle(3, 30_000);
  expect(recording.isSnapshotDue).toBe(true);
  await recording.close();
});
