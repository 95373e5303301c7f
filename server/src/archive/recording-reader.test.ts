import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {contentOf, RecordingFileWriter, splitFile} from '../history/file/recording-file.ts';
import {runToEnd} from '../history/incremental-work.ts';
import {OpenRecordings} from './open-recordings.ts';
import {batchEntry, factsFor} from './testing-recording.ts';

let folder: string;
let recordings: OpenRecordings;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'krtscope-reader-'));
  recordings = new OpenRecordings(folder, () => {});
});

afterEach(() => {
  recordings.end('a');
  rmSync(folder, {recursive: true, force: true});
});

test('a block without content, which stands for a damaged one, is in no file', () => {
  recordings.begin(factsFor('a'));
  const writer = recordings.writer('a')?.writer;
  // The snapshot came before the engine process had reported the damage.
  const olderBlocks = [
    {sequence: 2, bytes: new Uint8Array()},
    {sequence: 3, bytes: Uint8Array.of(1, 2, 3)},
  ];
  for (let n = 1; n <= 10; n++) {
    writer?.append([batchEntry(n, n * 1000)]);
    if (n % 5 > 0) continue;
    const state = new RecordingFileWriter();
    state.facts({collections: []});
    const file = state.end({recording: 'a', redacted: true, written: 0, newest: n, oldest: n - 1});
    writer?.snapshot({file, olderBlocks, rows: [], lives: '{}', reports: []}, n * 1000);
  }
  const {bytes} = recordings.read('a', reader => reader.fileAt(9));
  const {blocks} = runToEnd(contentOf(splitFile(bytes).frames));
  expect(blocks.every(block => block.bytes.byteLength > 0)).toBe(true);
  expect(blocks.map(({sequence}) => sequence).sort((a, b) => a - b)).toEqual([3, 6, 7, 8, 9, 10]);
});
